internal import ChildPrograms
internal import Glibc
internal import Testing
internal import TextEncoding

/// Media that lacks something, and addresses that lead nowhere.
struct UnusualMediaTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private func play(_ source: String) async throws -> (RecordedRun, ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run([source, "--archive", archive, "--quiet", "--duration", "1.5"])
        return (try RecordedRun(archive), result)
    }

    @Test("Media without sound plays, and media without a picture is audio only")
    func oneTrack() async throws {
        let silent = folder.file("silent.mp4")
        let blind = folder.file("blind.mp4")
        try #require(unsafe system("ffmpeg -v error -y -i \(media.clip) -an -c copy \(silent)") == 0)
        try #require(unsafe system("ffmpeg -v error -y -i \(media.clip) -vn -c copy \(blind)") == 0)
        let (picture, first) = try await play(silent)
        #expect(first.code == 0, "\(first.errors)")
        #expect(picture.event("first_frame") != nil)
        #expect(picture.event("player_error") == nil)
        let (sound, second) = try await play(blind)
        #expect(second.code == 0, "\(second.errors)")
        #expect(sound.lines.contains { $0.state("audio_only") == .bool(true) })
        #expect(sound.events("playhead_sample").count >= 2)
        #expect(sound.event("player_error") == nil)
    }

    @Test("A file without a byte is no media, and the archive is complete")
    func emptyFile() async throws {
        let (run, result) = try await play(folder.write("empty.mp4", ""))
        #expect(result.code == 65)
        #expect(run.event("player_error")?.attribute("error_id") == "not_media")
        #expect(run.names.suffix(2) == ["video_unload", "application_terminated"])
        #expect(run.end == "drained")
    }
}
