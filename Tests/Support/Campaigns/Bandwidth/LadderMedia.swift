internal import ChildPrograms

/// The stream that is played over all links: HLS in three renditions of nearly constant bitrate.
struct LadderMedia {
    /// A rendition as the playlist names it.
    struct Rendition: Equatable, Sendable {
        let name: String
        let width: Int
        let height: Int
        /// Of the pictures, kbit/s.
        let kbit: Int
        /// What the playlist says, with sound and container.
        var bandwidth: Int { (kbit + 60) * 1000 }
    }

    static let renditions = [
        Rendition(name: "low", width: 128, height: 72, kbit: 90),
        Rendition(name: "middle", width: 192, height: 108, kbit: 300),
        Rendition(name: "high", width: 320, height: 180, kbit: 800),
    ]
    /// How long a picture is shown.
    static let frameMs: Int64 = 40

    /// How long it is.
    let seconds: Int
    /// How long each of its segments is.
    let segmentSeconds: Int

    /// Makes it in a folder.
    func make(in files: RoundFiles) async throws {
        var lines = ["cd \(files.folder)"]
        var master = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for rendition in Self.renditions {
            let rate = "\(rendition.kbit)k"
            lines.append(
                """
                ffmpeg -v error -y -f lavfi -i testsrc2=s=\(rendition.width)x\(rendition.height):r=25 -f lavfi -i sine \
                -t \(seconds) -c:v libx264 -preset ultrafast -g \(segmentSeconds * 25) \
                -keyint_min \(segmentSeconds * 25) -sc_threshold 0 -pix_fmt yuv420p \
                -b:v \(rate) -minrate \(rate) -maxrate \(rate) -bufsize \(rate) -x264-params nal-hrd=cbr \
                -c:a aac -b:a 32k -f hls -hls_time \(segmentSeconds) -hls_playlist_type vod \
                -hls_segment_filename \(rendition.name)%d.ts \(rendition.name).m3u8
                """
            )
            master += "#EXT-X-STREAM-INF:BANDWIDTH=\(rendition.bandwidth),"
            master += "RESOLUTION=\(rendition.width)x\(rendition.height),FRAME-RATE=25.000\n\(rendition.name).m3u8\n"
        }
        files.create()
        let made = try await ChildProgram.run("/bin/sh", ["-ec", lines.joined(separator: "\n")])
        guard made.code == 0 else {
            files.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
        files.write("\(files.folder)/master.m3u8", master)
    }
}
