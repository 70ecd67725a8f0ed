import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// What the real player makes of a machine that sleeps and of its process being stopped, while it plays.
struct SleepTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("A stopped player goes on where it stood, and neither its events nor its summary count the time")
    func stopped() async throws {
        let archive = folder.file("run.tally")
        let player = try ChildProgram.player([media.clip, "--repeat", "100", "--archive", archive])
        #expect(await player.says("playing"))
        player.send(SIGSTOP)
        try await Task.sleep(for: .milliseconds(4500))
        player.send(SIGCONT)
        try await Task.sleep(for: .seconds(2))
        player.send(SIGINT)
        try check(try await player.outcome(), archive, sleep: 4_000_000...60_000_000)
    }

    @Test("A machine that slept for an hour is told once, and nothing of the hour was played")
    func slept() async throws {
        let archive = folder.file("run.tally")
        let sleep = folder.file("sleep")
        let player = try ChildProgram.player(
            [media.clip, "--repeat", "100", "--archive", archive, "--plugins", "example-c,discard"],
            environment: [
                "LD_PRELOAD": "\(TestFile.products)/libsystem-faults.fixture.so", "TALLY_FAULTS_SLEEP": sleep,
            ]
        )
        #expect(await player.says("playing"))
        _ = folder.write("sleep.new", "3600")
        #expect(unsafe rename(folder.file("sleep.new"), sleep) == 0)
        try await Task.sleep(for: .seconds(2))
        player.send(SIGINT)
        let result = try await player.outcome()
        try check(result, archive, sleep: 3_599_000_000...3_601_000_000)
        // The example says something each ten seconds of playback.
        let records = try #require(result.errors.firstMatch(of: /example-c +(\d+) records/)).1
        #expect(try #require(Int(records)) < 60)
    }

    /// Films with one sleep in them, after which the picture goes on where it stood.
    private func check(_ result: ChildProgram.Outcome, _ archive: String, sleep: ClosedRange<Int64>) throws {
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        let sleeps = run.events("system_suspended")
        #expect(sleeps.count == 1)
        let length = try #require(sleeps.first?.attribute("step_us")?.int)
        #expect(sleep.contains(length))
        let begin = try #require(sleeps.first?["t_us"]?.int)
        let times = run.lines.compactMap { $0["t_us"]?.int }
        #expect(times.filter { $0 > begin && $0 < begin + length } == [])
        #expect(run.event("player_error") == nil)
        // Where it stood is where it goes on: of a film's four seconds at most one is between two samples.
        let places = run.events("playhead_sample").compactMap { $0.state("playhead_ms")?.int }
        let steps = zip(places, places.dropFirst()).map { $1 - $0 }
        #expect(places.count > 1)
        #expect(steps.allSatisfy { $0 < 1_000 }, "\(places)")
        let played = try #require(result.errors.firstMatch(of: /played +(\d+\.\d+) s/)).1
        let awake = Double(try #require(times.last) - length) / 1_000_000
        #expect((0.1...awake + 0.5).contains(try #require(Double(played))), "\(result.errors)")
    }
}
