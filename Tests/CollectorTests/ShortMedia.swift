import ChildPrograms

/// Media that real players play in tests.
enum ShortMedia {
    /// Why there is none.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes some seconds of a moving picture of 160 by 90, without sound.
    static func make(_ path: String, seconds: Int) async throws {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25", "-t", "\(seconds)", "-pix_fmt", "yuv420p"]
        let made = try await ChildProgram.run("/usr/bin/env", ["ffmpeg", "-v", "error"] + source + [path])
        guard made.code == 0 else { throw Failure(description: "ffmpeg ends with \(made.code): \(made.errors)") }
    }
}
