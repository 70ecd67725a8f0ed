internal import Glibc
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Segments of real media, made by ffmpeg when a test first asks for them; in folders of their own.
struct StreamMedia {
    /// Sixteen segments of one second in fragmented MP4, with `init.mp4`, `all.m3u8` and an ad, `ad.mp4`, of 1.2 s.
    static let fragments = StreamMedia(
        "fragments",
        "\(source) -t 16 \(video) -c:a aac -b:a 32k -f hls -hls_time 1 -hls_segment_type fmp4"
            + " -hls_fmp4_init_filename init.mp4 -hls_list_size 0 -hls_segment_filename seg%d.m4s all.m3u8"
            + " && ffmpeg -v error -y \(source) -t 1.2 \(video) -c:a aac -b:a 32k -movflags +faststart ad.mp4"
    )

    /// Four seconds as a MPEG transport stream in segments of one, with the playlist `ts.m3u8`.
    static let transport = StreamMedia(
        "transport",
        "\(source) -t 4 \(video) -c:a aac -b:a 32k -f hls -hls_time 1 -hls_list_size 0"
            + " -hls_segment_filename ts%d.ts ts.m3u8"
    )

    /// Eight seconds of DASH in two renditions, with the manifest `static.mpd`.
    static let dash = StreamMedia(
        "dash",
        "\(source) -t 8 -filter_complex '[0:v]split=2[a][b];[a]scale=160:90[v0];[b]copy[v1]' -map '[v0]' -map '[v1]'"
            + " -map 1:a \(video) -b:v:0 60k -b:v:1 400k -c:a aac -b:a 32k -f dash -seg_duration 1 -use_template 1"
            + " -use_timeline 0 -adaptation_sets 'id=0,streams=v id=1,streams=a' static.mpd"
    )

    /// Four seconds of DASH in segments of half a second, with the manifest `parts.mpd`.
    static let dashParts = StreamMedia(
        "dash-parts",
        "\(source) -t 4 -map 0:v -map 1:a \(video) -force_key_frames 'expr:gte(t,n_forced*0.5)' -c:a aac -b:a 32k -f dash"
            + " -seg_duration 0.5 -use_template 1 -use_timeline 0 -adaptation_sets 'id=0,streams=v id=1,streams=a'"
            + " -init_seg_name 'init$RepresentationID$.mp4' -media_seg_name 'part$RepresentationID$-$Number$.m4s' parts.mpd"
    )

    /// A second of DASH in segments of half a second, encrypted by Common Encryption, whose files begin with `enc`; and
    /// `grown.mp4` of two seconds, whose head knows of no more than the first.
    static let protected = StreamMedia(
        "protected",
        "\(source) -t 1 -map 0:v -map 1:a \(video) -force_key_frames 'expr:gte(t,n_forced*0.5)' -c:a aac -b:a 32k -f dash"
            + " -seg_duration 0.5 -format_options 'encryption_scheme=cenc-aes-ctr"
            + ":encryption_key=76a6c65c5ea762046bd749a2e632ccbb:encryption_kid=a7e61c373e219033c21091fa607bf3b8'"
            + " -adaptation_sets 'id=0,streams=v id=1,streams=a' -init_seg_name 'encinit$RepresentationID$.mp4'"
            + " -media_seg_name 'encpart$RepresentationID$-$Number$.m4s' enc.mpd"
            + " && ffmpeg -v error -y \(source) -t 2 \(video) -c:a aac -b:a 32k -movflags frag_keyframe grown.mp4"
    )

    private static let source = "-f lavfi -i testsrc2=s=320x180:r=25 -f lavfi -i sine=f=440:r=48000"
    private static let video =
        "-c:v libx264 -preset ultrafast -b:v 200k -g 25 -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p"

    /// Where it lies; nil when it could not be made.
    private let folder: String?

    private init(_ name: String, _ arguments: String) {
        let folder = TestMedia.shared.folder + "/" + name
        let made = unsafe system("mkdir -p \(folder) && cd \(folder) && ffmpeg -v error -y \(arguments)") == 0
        self.folder = made ? folder : nil
    }

    /// Puts it into a test's folder.
    func copy(into test: TemporaryFolder) throws {
        // Hard links, because a symbolic one would lead out of the folder.
        try #require(unsafe system("cp -l \(try #require(folder))/* \(test.path)/") == 0)
    }

    /// Writes the playlist of a recording: of so many of the fragments.
    static func playlist(_ name: String, of count: Int, in folder: TemporaryFolder) {
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        text += (0..<count).map { "#EXTINF:1.000,\nseg\($0).m4s\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = folder.write(name, text)
    }
}

extension LiveStream {
    /// Begins a stream of segments of a second in a folder that a server serves, at noon.
    convenience init(
        _ folder: TemporaryFolder,
        from server: LoopbackServer,
        segments: Int,
        window: Int,
        options: Options = Options()
    ) {
        self.init(
            folder: folder.path,
            segments: segments,
            segmentMs: 1000,
            window: window,
            startSeconds: 43_200,
            options: options,
            requestCount: { server.requests.count { $0.path == "/live.m3u8" } }
        )
    }
}

extension RecordedRun {
    /// The place in the stream and the wall clock, wherever both are told.
    var clocks: [(placeMs: Int64, wallMs: Int64)] {
        var place: Int64?
        return lines.compactMap { line in
            place = line.state("playhead_ms")?.int ?? place
            guard let place, let wall = line.state("live_wall_ms")?.int else { return nil }
            return (place, wall)
        }
    }
}
