import Glibc

/// What the campaigns' players play.
enum CampaignMedia {
    /// Twenty seconds of a small picture with sound, made once; nil when ffmpeg cannot make it.
    static let clip: String? = {
        let path = "/tmp/tally-campaign-\(getuid()).mp4"
        let made = "/tmp/tally-campaign-\(getpid()).part.mp4"
        let command = """
            ffmpeg -v error -y -f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine -t 20 -c:v libx264 \
            -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart \(made) && mv \(made) \(path)
            """
        return unsafe access(path, R_OK) == 0 || system(command) == 0 ? path : nil
    }()
}
