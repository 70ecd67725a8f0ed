internal import ChildPrograms
internal import TestFiles

/// How a stream of the campaign is packaged.
enum StreamKind: String, CaseIterable, Sendable {
    case transport, encrypted, byteRanges, fragments, numbered, listed, liveTransport, liveFragments

    var isLive: Bool { self == .liveTransport || self == .liveFragments }
    var isDASH: Bool { self == .numbered || self == .listed }
    /// The file that the player opens.
    var entry: String { isDASH ? "stream.mpd" : "master.m3u8" }

    /// The folder with its files.
    var folder: String {
        switch self {
        case .liveTransport: StreamKind.transport.rawValue
        case .liveFragments: StreamKind.fragments.rawValue
        default: rawValue
        }
    }
}

/// The sound streams that the campaign damages: 3 s in segments of half a second, in two renditions.
struct StreamMedia {
    private let files: RoundFiles

    /// Makes them in `folder` with ffmpeg.
    init(in files: RoundFiles) async throws {
        self.files = files
        files.create()
        let made = try await ChildProgram.run("/bin/sh", ["-ec", Self.recipe(files.folder)])
        guard made.code == 0 else {
            files.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
        for kind in StreamKind.allCases where !kind.isDASH && !kind.isLive {
            files.write("\(files.folder)/\(kind.folder)/master.m3u8", Self.master)
        }
    }

    func remove() { files.remove() }

    /// The path of the folder with a stream's files.
    func folder(of kind: StreamKind) -> String { "\(files.folder)/\(kind.folder)" }

    /// The names of a stream's files, in order.
    func names(of kind: StreamKind) -> [String] { TemporaryFolder.names(in: folder(of: kind)).sorted() }

    private static let master = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=160x90,FRAME-RATE=20.000,CODECS="avc1.42c00c,mp4a.40.2"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=320x180,FRAME-RATE=20.000,CODECS="avc1.42c00d,mp4a.40.2"
        high.m3u8

        """

    private static func recipe(_ folder: String) -> String {
        var lines = ["cd \(folder)", "mkdir transport encrypted byteRanges fragments numbered listed"]
        for (name, size) in [("low", "160x90"), ("high", "320x180")] {
            lines.append(
                """
                ffmpeg -v error -y -f lavfi -i testsrc2=s=\(size):r=20 -f lavfi -i sine -t 3 -c:v libx264 \
                -preset ultrafast -g 10 -keyint_min 10 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -b:a 32k \(name).mp4
                """
            )
        }
        lines.append("printf 0123456789abcdef > encrypted/media.key")
        lines.append("printf 'media.key\\nencrypted/media.key\\n' > key.txt")
        let hls = "-c copy -f hls -hls_time 0.5 -hls_playlist_type vod"
        for name in ["low", "high"] {
            let packagings = [
                "-hls_segment_filename transport/\(name)%d.ts transport/\(name).m3u8",
                "-hls_key_info_file key.txt -hls_segment_filename encrypted/\(name)%d.ts encrypted/\(name).m3u8",
                "-hls_flags single_file -hls_segment_filename byteRanges/\(name).ts byteRanges/\(name).m3u8",
                "-hls_segment_type fmp4 -hls_fmp4_init_filename \(name)-init.mp4 "
                    + "-hls_segment_filename fragments/\(name)%d.m4s fragments/\(name).m3u8",
            ]
            for packaging in packagings { lines.append("ffmpeg -v error -y -i \(name).mp4 \(hls) \(packaging)") }
        }
        // ffmpeg rounds half a second down to nothing.
        lines.append("sed -i 's/^#EXT-X-TARGETDURATION:0/#EXT-X-TARGETDURATION:1/' */*.m3u8")
        for (name, timeline) in [("numbered", 0), ("listed", 1)] {
            lines.append(
                """
                ffmpeg -v error -y -i low.mp4 -i high.mp4 -map 0:v -map 1:v -map 0:a -c copy -f dash -seg_duration 0.5 \
                -adaptation_sets 'id=0,streams=v id=1,streams=a' -use_template 1 -use_timeline \(timeline) \
                -init_seg_name 'init$RepresentationID$.m4s' -media_seg_name 'chunk$RepresentationID$-$Number$.m4s' \
                \(name)/stream.mpd
                """
            )
        }
        return lines.joined(separator: "\n")
    }
}
