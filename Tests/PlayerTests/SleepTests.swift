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

    /// For how long a player is stopped; `TALLY_STOP_SECONDS=60` is longer than an engine may be silent.
    private static let stopSeconds =
        unsafe getenv("TALLY_STOP_SECONDS").flatMap { unsafe Double(String(cString: $0)) } ?? 4.5

    @Test("A stopped player goes on where it stood, nothing counts the time, and an interrupt ends it gracefully")
    func stopped() async throws {
        // A stop in the middle of a tracker's call looks like a slow call, which on a machine at work is not so rare.
        for _ in 0..<5 {
            let began = ContinuousClock.now
            let player = try ChildProgram.player(arguments)
            #expect(await player.says("playing"))
            player.send(SIGSTOP)
            #expect(await eventually { player.state == .halted })
            let halted = ContinuousClock.now
            try await Task.sleep(for: .seconds(Self.stopSeconds))
            let stopped = ContinuousClock.now - halted
            player.send(SIGCONT)
            let isNoticed = await playsAfterSleep(player)
            player.send(SIGINT)
            let result = try await player.outcome()
            guard isNoticed else {
                #expect(unsafe unlink(archive) == 0 && unlink(said) == 0)
                continue
            }
            let leastUs = Int64((Self.stopSeconds - 0.5) * 1_000_000)
            try check(result, sleep: leastUs...leastUs + 60_000_000, awake: ContinuousClock.now - began - stopped)
            // Half a minute is the least that is told as one.
            let isTold = try !TrackerRecords(said, of: "mux-data").named("devicesleep", "devicewake").isEmpty
            #expect(isTold == (Self.stopSeconds > 30))
            return
        }
        Issue.record("a player was stopped five times, and never noticed it")
    }

    @Test("A machine that slept for an hour is told once, and nothing of the hour was played")
    func slept() async throws {
        let sleep = folder.file("sleep")
        let began = ContinuousClock.now
        let player = try ChildProgram.player(
            arguments,
            environment: [
                "LD_PRELOAD": "\(TestFile.products)/libsystem-faults.fixture.so", "TALLY_FAULTS_SLEEP": sleep,
            ]
        )
        #expect(await player.says("playing"))
        _ = folder.write("sleep.new", "3600")
        #expect(unsafe rename(folder.file("sleep.new"), sleep) == 0)
        #expect(await playsAfterSleep(player))
        player.send(SIGINT)
        let result = try await player.outcome()
        try check(result, sleep: 3_599_000_000...3_601_000_000, awake: ContinuousClock.now - began)
        let naps = try TrackerRecords(said, of: "mux-data").named("devicesleep", "devicewake")
        #expect(naps.map { $0["kind"] } == ["devicesleep", "devicewake"])
    }

    /// Waits until a player that slept has told of it and of places behind it; false when it plays on and tells nothing.
    private func playsAfterSleep(_ player: ChildProgram) async -> Bool {
        func samples(_ lines: some Sequence<Substring>) -> Int { lines.count { $0.contains("playhead_sample") } }
        var isPlaying = false
        var before: Int?
        _ = await eventually {
            let lines = ((try? TestFile.text(archive)) ?? "").split(separator: "\n")
            isPlaying = samples(lines.drop { !$0.contains("system_suspended") }) >= 4
            if case .ended = player.state { return true }
            // Ten seconds of playing, in which the clocks are looked at ten times.
            let all = samples(lines)
            before = before ?? all
            return isPlaying || all > (before ?? all) + 40 && !lines.contains { $0.contains("system_suspended") }
        }
        return isPlaying
    }

    private var archive: String { folder.file("run.tally") }
    private var said: String { folder.file("said.jsonl") }

    /// A film again and again, with trackers that count time and have timers.
    private var arguments: [String] {
        [
            media.clip, "--repeat", "100", "--archive", archive,
            "--plugins", "example-c,mux-data,new-relic-video,jsonlines",
            "--set", "plugins.mux-data.config.environmentKey=abc123", "--set", "plugins.jsonlines.config.path=\(said)",
        ]
    }

    /// Films with one sleep in them, after which the picture goes on where it stood.
    private func check(_ result: ChildProgram.Outcome, sleep: ClosedRange<Int64>, awake: Duration) throws {
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
        // Where it stood is where it goes on: between two samples the picture moved for no longer than it was awake.
        let samples = run.events("playhead_sample").compactMap { line in
            line["t_us"]?.int.flatMap { time in line.state("playhead_ms")?.int.map { (time: time, place: $0) } }
        }
        #expect(samples.count > 1)
        for (sample, next) in zip(samples, samples.dropFirst()) {
            let asleep = sample.time <= begin && next.time >= begin + length ? length : 0
            let awakeMs = (next.time - sample.time - asleep) / 1000
            #expect(next.place - sample.place < awakeMs + 1_000, "\(sample) and \(next)")
        }
        try checkItem(run, begin: begin, end: begin + length)
        checkEnd(run, result)
        let awakeMs = Int64(awake / .milliseconds(1))
        let said = try #require(result.errors.firstMatch(of: /played +(\d+\.?\d*) (m?s)/))
        let playedMs = try #require(Double(said.1)) * (said.2 == "s" ? 1000 : 1)
        // It is said in tenths of a second.
        #expect((100...Double(awakeMs) + 50).contains(playedMs), "\(result.errors)")
        try checkTrackers(awakeMs: awakeMs)
    }

    /// The item that was on screen is shown on behind the sleep, unless it was nearly over.
    private func checkItem(_ run: RecordedRun, begin: Int64, end: Int64) throws {
        let item = try #require(run.sessions.first { $0.event("system_suspended") != nil })
        let samples = item.events("playhead_sample")
        let last = samples.last { ($0["t_us"]?.int ?? 0) <= begin }?.state("playhead_ms")?.int ?? 0
        guard last < 2_500 else { return }
        #expect(samples.count { ($0["t_us"]?.int ?? 0) >= end } >= 3, "\(item.names)")
    }

    /// A run that an interrupt ended is complete, and the notes have no terminal's codes.
    private func checkEnd(_ run: RecordedRun, _ result: ChildProgram.Outcome) {
        #expect(result.errors.contains("ended early"))
        #expect(result.errors.contains("tally-player: playing"))
        #expect(!result.errors.contains("\u{1B}"))
        #expect(run.names.suffix(2) == ["video_unload", "application_terminated"])
        #expect(run.sessions.last?.event("complete") == nil)
        #expect(run.end == "drained")
    }

    /// No tracker counts the sleep, and no timer goes off in it.
    private func checkTrackers(awakeMs: Int64) throws {
        let mux = try TrackerRecords(said, of: "mux-data")
        let watched = mux.named("viewend").compactMap { $0.attribute("view_watch_time")?.int }
        #expect(!watched.isEmpty && watched.reduce(0, +) <= awakeMs, "\(watched) of \(awakeMs)")
        let newRelic = try TrackerRecords(said, of: "new-relic-video")
        let played = newRelic.named("CONTENT_END").compactMap { $0.attribute("totalPlaytime")?.int }
        #expect(!played.isEmpty && played.allSatisfy { $0 <= awakeMs }, "\(played) of \(awakeMs)")
        let example = try TrackerRecords(said, of: "example-c")
        // Each of them says something after so many seconds of playback.
        #expect(mux.named("hb").count <= awakeMs / 10_000)
        #expect(newRelic.named("CONTENT_HEARTBEAT").count <= awakeMs / 30_000)
        #expect(example.named("heartbeat").count <= awakeMs / 10_000)
    }
}
