import ChildPrograms
import TestFiles
import Testing

/// What the campaigns' players play.
enum CampaignMedia {
    /// Makes twenty seconds of a small picture with sound in a folder, and gives the path.
    static func clip(in folder: TemporaryFolder) async throws -> String {
        let path = folder.file("clip.mp4")
        let options = """
            -v error -y -f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine -t 20 -c:v libx264 \
            -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart \(path)
            """
        let words = ["ffmpeg"] + options.split(separator: " ").map(String.init)
        let made = try await ChildProgram.run("/usr/bin/env", words)
        try #require(made.code == 0, "ffmpeg cannot make the test media: \(made.errors)")
        return path
    }
}
