import ChildPrograms
import TestFiles
import Testing

/// What players of others play: six seconds of picture and sound, made by ffmpeg when a test first asks for it.
enum AdaptedMedia {
    private static let made = Task { () -> TemporaryFolder in
        let folder = TemporaryFolder()
        let said = try await ChildProgram.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-f", "lavfi", "-i",
                "sine=f=440:r=48000", "-t", "6", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt",
                "yuv420p", "-c:a", "aac", "-movflags", "+faststart", folder.file("short.mp4"),
            ]
        )
        #expect(said.code == 0, "\(said.errors)")
        return folder
    }

    static var short: String {
        get async throws { try await folder + "/short.mp4" }
    }

    static var folder: String {
        get async throws { try await made.value.path }
    }
}
