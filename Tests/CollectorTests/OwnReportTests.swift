import ChildPrograms
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// The reports of the reporter `cmcd`, which another maker's collector would get: Tally's own makes the same run of them.
@Suite struct OwnReportTests {
    private let files = TemporaryFolder()

    /// What both forms can say: a wait in a seek, or for the first frame, has no report of its own.
    private static let courses = [
        "video_load", "play", "first_frame", "pause", "seek_start", "seek_complete", "complete", "video_unload",
        "ad_break_start", "ad_start", "ad_skip", "ad_complete", "ad_break_complete", "rendition_change", "custom",
        "request_completed", "request_failed", "application_background", "application_foreground", "player_error",
    ]

    private static func events(_ lines: [String]) throws -> [(name: String, line: JSONValue)] {
        try lines.map { try JSONParser().parse($0) }.compactMap { line in
            guard let name = line["event"]?.string, courses.contains(name) else { return nil }
            // What is shown is a figure.
            return line["attributes"]?["rendition_phase"]?.string == "visible" ? nil : (name, line)
        }
    }

    private func start() async throws -> RunningCollector {
        let settings = "holdBackSeconds: 0.2, silenceAfterEndSeconds: 1, silenceWhilePlayingSeconds: 600"
        let configuration = files.write("tally.json5", "{ collector: { \(settings) } }")
        return try await RunningCollector(files.file("collected"), ["--config", configuration])
    }

    private func reporting(to collector: RunningCollector) -> [String] {
        [
            "--plugin-dir", PluginFiles.folder, "--plugins", "cmcd", "--set",
            "plugins.cmcd.config.url=\"http://127.0.0.1:\(collector.port)/cmcd/default\"", "--set",
            "plugins.cmcd.config.drain_ms=600000",
        ]
    }

    @Test("What the player plays is the same run in a collector")
    func played() async throws {
        try await ShortMedia.make(files.file("clip.mp4"), seconds: 3)
        let script = files.write("script", "0.6 pause 0.5\n1.0 seek 2.2\n")
        let collector = try await start()
        let archive = files.file("played.tally")
        let player = try await ChildProgram.run(
            "tally-player",
            [files.file("clip.mp4"), "--no-decode", "--quiet", "--archive", archive, "--script", script]
                + reporting(to: collector)
        )
        #expect(player.code == 0, "\(player.errors)")
        #expect(await collector.shelved(1))
        let played = try Self.events(try TestFile.text(archive).split(separator: "\n").map(String.init))
        let collected = try Self.events(try await collector.archived())
        let names = played.map(\.name)
        #expect(collected.map(\.name) == names)
        #expect(names.contains("seek_complete") && names.contains("pause") && names.last == "video_unload")
        // The collector's run begins with its first report.
        let begin = played.first?.line["t_us"]?.int ?? 0
        for (mine, other) in zip(played, collected) {
            let times = [mine, other].map { $0.line["t_us"]?.int ?? -1 }
            #expect(abs(times[0] - times[1] - begin) <= 2_000, "\(mine.name) at \(times)")
        }
    }
}
