import Glibc
import PluginABI
import Tally
import TallyTesting
import Testing

/// How fast a replay goes, on a clock that oversleeps as real ones do.
@Suite struct ReplayPaceTests {
    private static let day: Int64 = 86_400_000_000

    /// An archive of one run of 24 hours with an event about every 10 s, jittered.
    private static func archive(_ path: String, seed: UInt64) -> [Int64] {
        var random = SplitMix(seed)
        var times: [Int64] = []
        var text = """
            {"run":"day","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}

            """
        var time: Int64 = 0
        while time < day {
            times.append(time)
            text += "{\"run\":\"day\",\"n\":\(times.count),\"t_us\":\(time),\"event\":\"playhead_sample\"}\n"
            time += Int64(random.next() % 20_000_000) + 1
        }
        times.append(day)
        text += "{\"run\":\"day\",\"n\":\(times.count),\"t_us\":\(day),\"event\":\"playhead_sample\"}\n"
        text += "{\"run\":\"day\",\"n\":\(times.count + 1),\"t_us\":\(day),\"end\":\"drained\",\"dropped\":0}\n"
        guard let file = unsafe fopen(path, "w") else { fatalError("\(path) cannot be written") }
        unsafe fputs(text, file)
        unsafe fclose(file)
        return times
    }

    /// Replays a day and gives when each event came, us after the first.
    private static func replay(
        _ pace: ReplayPace,
        seed: UInt64,
        at event: @escaping @Sendable (Int, LateClock, ReplayControl) -> Void = { _, _, _ in }
    ) throws -> (times: [Int64], came: [Int64]) {
        let path = RecordedRun.temporaryArchive()
        defer { unsafe unlink(path) }
        let times = archive(path, seed: seed)
        let clock = LateClock(seed: seed)
        let control = ReplayControl(clock: clock)
        let log = EventClock(clock) { number in event(number, clock, control) }
        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(), options: .init(), extraConsumers: [log])
        var options = ReplayOptions()
        options.pace = pace
        let replay = Replay(telemetry: telemetry, options: options, control: control)
        try replay.replay(path: path)
        let came = log.times.with { $0 }
        let first = try #require(came.first)
        return (times, came.map { $0 - first })
    }

    @Test("Over 24 hours the last event is as punctual as the first, whatever the speed", arguments: [1, 7.3, 0.25])
    func speed(_ speed: Double) throws {
        let (times, came) = try Self.replay(.speed(speed), seed: 11)
        #expect(times.count == came.count && times.count > 8000)
        let late = zip(times, came).map { Double($1) - Double($0) / speed }
        // What the clock oversleeps, and the time of a few looks at it; the first event may have been late itself.
        #expect(late.allSatisfy { abs($0) < 10_000 }, "\(late.map { abs($0) }.max() ?? 0) us")
        #expect(abs(Double(came.last ?? 0) * speed / Double(Self.day) - 1) < 0.000_001)
    }

    @Test("A rate of events is kept over 24 hours, and what a slow reporter holds up is caught up with")
    func rate() throws {
        let rate = 0.1
        let (times, came) = try Self.replay(.rate(rate), seed: 12) { number, clock, _ in
            // Once in a while nothing goes on for half a minute.
            if number % 100 == 99 { clock.pass(30_000_000) }
        }
        let late = came.enumerated().map { Double($1) - Double($0) / rate * 1_000_000 }
        #expect(late.allSatisfy { $0 > -10_000 && $0 < 30_010_000 })
        let last = try #require(late.indices.last { $0 % 100 == 98 })
        #expect(late[last] < 10_000)
        #expect(came.count == times.count && abs(late[last] / (Double(last) / rate * 1_000_000)) < 0.001)
    }

    @Test("A pause moves what is left by as much as it lasted")
    func pause() throws {
        let (times, came) = try Self.replay(.speed(1), seed: 13) { number, _, control in
            if number == 4000 { control.pause(milliseconds: 600_000) }
        }
        for (number, pair) in zip(times, came).enumerated() {
            let moved: Int64 = number > 4000 ? 600_000_000 : 0
            #expect(abs(pair.1 - pair.0 - moved) < 10_000, "event \(number)")
        }
    }

    @Test("Events that are stepped over are not waited for when the replay goes on")
    func steps() throws {
        let (times, came) = try Self.replay(.speed(1), seed: 14) { number, _, control in
            if number == 100 { control.step(1000) }
            if number == 1100 { control.resume() }
        }
        #expect(came[1100] - came[100] < 10_000)
        let skipped = times[1100] - times[100]
        #expect(abs(came[8000] - (times[8000] - skipped)) < 20_000)
    }
}

/// A clock that passes by itself, and wakes up to 5 ms too late.
private final class LateClock: ReplayClock {
    private let state: Lock<(now: Int64, random: SplitMix)>

    init(seed: UInt64) {
        state = Lock((now: 1_000_000, random: SplitMix(seed)))
    }

    func now() -> Int64 {
        state.with { state in
            state.now += 1
            return state.now
        }
    }

    func wait(_ microseconds: Int64, orUntil signal: Int32) {
        state.with { $0.now += microseconds + Int64($0.random.next() % 5_000) }
    }

    func pass(_ microseconds: Int64) {
        state.with { $0.now += microseconds }
    }
}

/// Notes when each event comes.
private final class EventClock: OutputConsumer, Sendable {
    let wanted: UInt32 = 1 << TALLY_OUTPUT_EVENT
    let times = Lock<[Int64]>([])
    private let clock: LateClock
    private let then: @Sendable (Int) -> Void

    init(_ clock: LateClock, then: @escaping @Sendable (Int) -> Void) {
        self.clock = clock
        self.then = then
    }

    func consume(_ output: Output) {
        let number = times.with { times in
            times.append(clock.now())
            return times.count - 1
        }
        then(number)
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}

/// Numbers from a seed.
private struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
