import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// A tracker's file comes into a watched directory while a real player plays.
struct DropInTests {
    /// How many moments are tried: one, or as many as the variable says, whose delays are then shown.
    private static let runs = unsafe getenv("TALLY_DROP_IN_RUNS").flatMap { unsafe Int(String(cString: $0)) } ?? 1

    private let folder = TemporaryFolder()
    private let media = TestMedia.shared

    /// Nothing but the programs: plugins that lie beside a program are found already.
    private func programs() throws -> String {
        for name in ["tally-player", "tally-probe"] {
            let file = folder.write(name, bytes: try TestFile.bytes("\(TestFile.products)/\(name)"))
            #expect(unsafe chmod(file, 0o755) == 0)
        }
        return folder.file("tally-player")
    }

    private func lines(_ path: String) -> [JSONValue] {
        ((try? TestFile.text(path)) ?? "").split(separator: "\n").compactMap { try? JSONParser().parse(String($0)) }
    }

    @Test("A New Relic tracker that is dropped into a playing player begins with the right ids and counters")
    func newRelic() async throws {
        let program = try programs()
        var delays: [Int64] = []
        for seed in 1...Self.runs { delays.append(try await drop(program, seed: UInt64(seed))) }
        if Self.runs > 1 {
            delays.sort()
            print("drop-in, ms to the first record: \(delays)")
        }
    }

    /// Plays, drops the file at a moment that the seed decides, and gives the ms from its renaming to the first record.
    private func drop(_ program: String, seed: UInt64) async throws -> Int64 {
        let plugins = try PluginFolder(plugins: ["jsonlines"])
        let (out, archive) = (folder.file("out\(seed).jsonl"), folder.file("run\(seed).tally"))
        let player = try ChildProgram.player(
            [
                media.clip, "--plugin-dir", plugins.path, "--plugins", "jsonlines", "--archive", archive,
                "--set", "dropIn=enable", "--set", "plugins.jsonlines.config.path=\(out)",
                // However long the file takes to be loaded: the film does not end before.
                "--script", folder.write("script", "3 pause"),
            ],
            path: program
        )
        #expect(await player.says("playing"))
        var random = SplitMix64(seed: seed)
        try await Task.sleep(for: .microseconds(Int(random.next() % 1_500_000)))
        let bytes = try TestFile.bytes("\(TestFile.products)/libnew-relic-video.tallyplugin.so")
        let name = "libnew-relic-video.tallyplugin.so"
        let made = folder.write("made.so", bytes: bytes)
        let dropped = Self.wallMs()
        #expect(unsafe rename(made, plugins.path + "/" + name) == 0)
        #expect(await player.says("loaded new-relic-video"))
        player.send(SIGINT)
        #expect(try await player.outcome().code == 0)

        let records = lines(out).filter { $0["instance"] == "new-relic-video" }
        let first = try #require(records.first)
        #expect(first["n"] == .int(1) && first["session"] == .int(1))
        let begin = records.prefix(3).compactMap { $0["kind"]?.string }
        #expect(begin == ["TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST"])
        let view = try #require(first.attribute("viewSession")?.string)
        for record in records.prefix(3) {
            #expect(record.attribute("viewSession")?.string == view)
            #expect(record.attribute("viewId")?.string == view + "-0")
            for counter in ["numberOfVideos", "numberOfAds", "numberOfErrors", "totalPlaytime"] {
                #expect(record.attribute(counter) == .int(0), "\(counter)")
            }
            #expect(record.attribute("contentDuration")?.int ?? 0 > 3000)
        }
        #expect(records.contains { $0["kind"] == "CONTENT_END" })
        // It joins where the archive says, and a replay as recorded says the same.
        let run = try RecordedRun(archive)
        #expect(run.event("plugin_loaded")?["t_us"] == first["t_us"])
        #expect(run.event("plugin_loaded")?.attribute("cause") == "file")
        let again = folder.file("again\(seed).jsonl")
        let replay = try await ChildProgram.run(
            [
                archive, "--as-recorded", "--plugin-dir", plugins.path, "--plugins", "jsonlines",
                "--set", "plugins.jsonlines.config.path=\(again)",
            ],
            program: "tally-replay"
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try TestFile.text(again) == TestFile.text(out))
        return (first.attribute("timestamp")?.int ?? 0) - dropped
    }

    private static func wallMs() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
