import Glibc

/// Real media, made by ffmpeg when a test first asks for it and removed at the end of the process.
struct TestMedia: Sendable {
    static let shared = TestMedia()

    let directory: String
    let madeAll: Bool

    /// Six seconds of picture and sound with a title.
    var clip: String { directory + "/clip.mp4" }
    /// The clip's beginning, as a copy that was interrupted leaves it.
    var truncated: String { directory + "/truncated.mp4" }
    /// So little of the clip that not even its index is complete.
    var headless: String { directory + "/headless.mp4" }
    /// The clip with a video codec that nobody knows.
    var unknownCodec: String { directory + "/unknown-codec.mp4" }
    /// One second of sound.
    var sound: String { directory + "/sound.m4a" }
    /// The clip, stretched to a minute, with two tracks of texts that begin late.
    var texts: String { directory + "/texts.mp4" }
    var garbage: String { directory + "/garbage.mp4" }
    var empty: String { directory + "/empty.mp4" }
    var page: String { directory + "/page.html" }

    private init() {
        directory = "/tmp/tally-engine-tests-\(getpid())"
        unsafe mkdir(directory, 0o700)
        atexit { Self.run("rm -rf \(TestMedia.shared.directory)") }
        madeAll = Self.makeClips(in: directory) && Self.makeRenditions(in: directory) && Self.makeDamaged(in: directory)
    }

    private static func makeClips(in directory: String) -> Bool {
        let source = "-f lavfi -i testsrc2=s=320x180:r=25 -f lavfi -i sine=f=440:r=48000"
        let video = "-c:v libx264 -preset ultrafast -b:v 300k -g 25 -pix_fmt yuv420p"
        return run(
            "cd \(directory) && ffmpeg -v error -y \(source) -t 6 \(video) -c:a aac -movflags +faststart"
                + " -metadata title='Test card' clip.mp4 && ffmpeg -v error -y -i clip.mp4 -t 1 -vn -c:a copy sound.m4a"
                + " && printf '1\\n00:00:50,000 --> 00:00:52,000\\nlate\\n' > texts.srt"
                + " && ffmpeg -v error -y -stream_loop 9 -i clip.mp4 -i texts.srt -i texts.srt -map 0 -map 1 -map 2 -c copy"
                + " -c:s mov_text texts.mp4"
        )
    }

    /// A master playlist with two renditions of ten segments of one second.
    private static func makeRenditions(in directory: String) -> Bool {
        let video = "-c:v libx264 -preset ultrafast -g 25 -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p"
        return run(
            "cd \(directory) && ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=25"
                + " -f lavfi -i sine=f=440:r=48000 -t 10"
                + " -filter_complex '[0:v]split=2[a][b];[a]scale=160:90[v0];[b]copy[v1]'"
                + " -map '[v0]' -map 1:a -map '[v1]' -map 1:a \(video) -b:v:0 100k -b:v:1 400k -c:a aac -b:a 48k"
                + " -f hls -hls_time 1 -hls_playlist_type vod -hls_segment_type fmp4"
                + " -var_stream_map 'v:0,a:0 v:1,a:1' -master_pl_name master.m3u8 v%v.m3u8"
        )
    }

    private static func makeDamaged(in directory: String) -> Bool {
        run(
            "cd \(directory) && head -c 90000 clip.mp4 > truncated.mp4 && head -c 4000 clip.mp4 > headless.mp4"
                + " && sed 's/avc1/zzc1/g' clip.mp4 > unknown-codec.mp4 && : > empty.mp4"
                + " && head -c 60000 clip.mp4 | tail -c 50000 | tr '\\000-\\377' '\\100-\\377\\000-\\077' > garbage.mp4"
                + " && echo '<!DOCTYPE html><html><head><title>no</title></head><body>none</body></html>' > page.html"
        )
    }

    @discardableResult
    private static func run(_ command: String) -> Bool {
        unsafe system(command) == 0
    }
}
