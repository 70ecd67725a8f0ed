import Glibc

/// Small real media, made by ffmpeg when a test first asks for it and removed at the end of the process.
struct TestMedia: Sendable {
    static let shared = TestMedia()

    let folder: String
    let isComplete: Bool

    /// Four seconds of picture and sound with a title.
    var clip: String { folder + "/clip.mp4" }
    /// The clip's beginning, as a copy that was interrupted leaves it.
    var truncated: String { folder + "/truncated.mp4" }
    /// So little of the clip that not even its index is complete.
    var headless: String { folder + "/headless.mp4" }
    /// The clip with other bytes in its middle.
    var damaged: String { folder + "/damaged.mp4" }
    var garbage: String { folder + "/garbage.mp4" }
    var page: String { folder + "/page.html" }

    private init() {
        folder = "/tmp/tally-player-media-\(getpid())"
        unsafe mkdir(folder, 0o700)
        atexit { Self.run("rm -rf \(TestMedia.shared.folder)") }
        let source = "-f lavfi -i testsrc2=s=320x180:r=25 -f lavfi -i sine=f=440:r=48000 -t 4"
        let video = "-c:v libx264 -preset ultrafast -b:v 300k -g 25 -pix_fmt yuv420p"
        let made = Self.run(
            "mkdir \(folder)/hls && cd \(folder)/hls && ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=25"
                + " -f lavfi -i sine=f=440:r=48000 -t 6"
                + " -filter_complex '[0:v]split=2[a][b];[a]scale=160:90[v0];[b]copy[v1]'"
                + " -map '[v0]' -map 1:a -map '[v1]' -map 1:a -c:v libx264 -preset ultrafast -g 25 -keyint_min 25"
                + " -sc_threshold 0 -pix_fmt yuv420p -b:v:0 60k -b:v:1 400k -c:a aac -b:a 32k"
                + " -f hls -hls_time 1 -hls_playlist_type vod -hls_segment_type fmp4"
                + " -var_stream_map 'v:0,a:0 v:1,a:1' -master_pl_name master.m3u8 v%v.m3u8"
        )
        isComplete =
            made
            && Self.run(
                "cd \(folder) && ffmpeg -v error -y \(source) \(video) -c:a aac -b:a 48k -movflags +faststart"
                    + " -metadata title='Test card' clip.mp4"
                    // The pieces end within the media, whose index is in front.
                    + " && head -c 70000 clip.mp4 > truncated.mp4 && head -c 2000 clip.mp4 > headless.mp4"
                    + " && head -c 40000 clip.mp4 | tail -c 30000 | tr '\\000-\\377' '\\100-\\377\\000-\\077' > garbage.mp4"
                    + " && cp clip.mp4 damaged.mp4"
                    + " && dd if=/dev/urandom of=damaged.mp4 bs=1000 seek=30 count=80 conv=notrunc status=none"
                    + " && echo '<!DOCTYPE html><html><head><title>no</title></head><body>none</body></html>' > page.html"
            )
    }

    @discardableResult
    private static func run(_ command: String) -> Bool {
        unsafe system(command) == 0
    }
}
