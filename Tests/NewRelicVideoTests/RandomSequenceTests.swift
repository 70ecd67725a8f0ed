import PluginABI
import PluginKit
import TallyTesting
import Testing

/// Rules that hold after every sequence of player events, legal or not.
struct RandomSequenceTests {
    @Test func `play time is consistent and never exceeds the wall clock`() {
        for seed in 0..<400 as Range<UInt64> {
            var total: Int64 = 0
            var started: Int64?
            for event in run(seed: seed) where event["isAd"] == .int(0) {
                total += int(event, "playtimeSinceLastEvent")
                #expect(int(event, "totalPlaytime") == total, "seed \(seed), \(event.action)")
                #expect(total <= int(event, "timestamp") - (started ?? int(event, "timestamp")), "seed \(seed)")
                switch event.action {
                case "CONTENT_START": started = int(event, "timestamp")
                case "CONTENT_END":
                    total = 0
                    started = nil
                default: break
                }
            }
        }
    }

    @Test func `what begins ends before it begins again`() {
        let pairs = [
            "CONTENT_REQUEST": "CONTENT_END", "CONTENT_START": "CONTENT_END", "CONTENT_PAUSE": "CONTENT_RESUME",
            "CONTENT_SEEK_START": "CONTENT_SEEK_END", "CONTENT_BUFFER_START": "CONTENT_BUFFER_END",
        ]
        for seed in 0..<400 as Range<UInt64> {
            let actions = run(seed: seed).map(\.action)
            for (begin, end) in pairs {
                var open = false
                for action in actions {
                    if action == begin {
                        #expect(!open, "seed \(seed): \(begin)")
                        open = true
                    } else if action == end {
                        #expect(open || begin == "CONTENT_START", "seed \(seed): \(end)")
                        open = false
                    } else if action == "CONTENT_END" {
                        #expect(!open, "seed \(seed): \(begin) is open at the end")
                    }
                }
            }
        }
    }

    @Test func `play time never exceeds what the playhead moved, and nothing is below 0`() {
        for seed in 0..<200 as Range<UInt64> {
            var player = ModelPlayer(seed: seed)
            let events = player.run()
            for (event, moved) in zip(events.records, events.moved) {
                for attribute in event.attributes {
                    guard case .int(let number) = attribute.value else { continue }
                    #expect(number >= 0, "seed \(seed): \(attribute.name) of \(event.action)")
                }
                guard event["isAd"] == .int(0) else { continue }
                #expect(int(event, "totalPlaytime") <= moved, "seed \(seed), \(event.action)")
            }
        }
    }

    @Test func `no name is in a record twice`() {
        for seed in 0..<100 as Range<UInt64> {
            for event in run(seed: seed) {
                #expect(Set(event.names).count == event.names.count, "seed \(seed), \(event.action)")
            }
        }
    }

    @Test func `the same sequence gives the same records`() {
        for seed in 0..<100 as Range<UInt64> {
            #expect(run(seed: seed) == run(seed: seed))
        }
    }

    private func run(seed: UInt64) -> [FakeHost.Record] {
        let types: [EventType] = [
            .videoLoad, .videoUnload, .play, .play, .play, .firstFrame, .firstFrame, .pause, .complete, .seekStart,
            .seekComplete, .bufferStart, .bufferComplete, .playerError, .playerReady, .renditionChange, .custom,
            .metadataChange, .playheadSample, .adStart, .adComplete, .consent,
        ]
        var generator = SplitMix64(seed: seed)
        let host = NewRelic.host(configuration: #"{"heartbeatSeconds":2,"attributes":{"a":1}}"#, seed: seed)
        host.beginSession()
        host.send(.videoLoad)
        for _ in 0..<80 {
            host.wait(milliseconds: Int64.random(in: 0...1500, using: &generator))
            host.player.playheadMilliseconds =
                Bool.random(using: &generator) ? Int64.random(in: 0...90_000, using: &generator) : nil
            let type = types[Int.random(in: 0..<types.count, using: &generator)]
            if type == .videoLoad { host.beginSession() }
            host.send(type, [("custom_name", .string("NOTE")), ("a", .int(2)), ("timeSinceTrackerReady", .int(3))])
            if type == .videoUnload { host.endSession() }
        }
        return host.events
    }

    private func int(_ event: FakeHost.Record, _ name: String) -> Int64 {
        guard case .int(let number)? = event[name] else { return -1 }
        return number
    }
}

/// A player that does by chance what a real one may: its playhead moves while the content plays, and at no other time.
private struct ModelPlayer {
    private var generator: SplitMix64
    private let host: FakeHost
    private var moved: Int64 = 0
    private var records: [FakeHost.Record] = []
    private var movedAt: [Int64] = []
    private var isPaused = false
    private var isSeeking = false
    private var isBuffering = false
    private var isBreak = false
    private var isAd = false

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        host = NewRelic.host(configuration: #"{"heartbeatSeconds":3}"#, seed: seed)
    }

    /// What the tracker said, and how far the playhead had moved in the session by then.
    mutating func run() -> (records: [FakeHost.Record], moved: [Int64]) {
        host.player.playheadMilliseconds = 0
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { send(type) }
        for _ in 0..<60 {
            wait()
            step()
        }
        send(.videoUnload)
        return (records, movedAt)
    }

    private mutating func wait() {
        // In steps, so that a heartbeat finds the playhead where it is then.
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            host.wait(milliseconds: 250)
            if !(isPaused || isSeeking || isBuffering || isBreak || isAd) { move(by: 250) }
            keep()
        }
    }

    private mutating func move(by length: Int64) {
        moved += length
        host.player.playheadMilliseconds = (host.player.playheadMilliseconds ?? 0) + length
    }

    private mutating func step() {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0:
            isPaused.toggle()
            send(isPaused ? .pause : .play)
        case 1 where !isAd:
            isSeeking.toggle()
            if !isSeeking { host.player.playheadMilliseconds = Int64.random(in: 0...90_000, using: &generator) }
            send(isSeeking ? .seekStart : .seekComplete)
        case 2 where !isAd:
            isBuffering.toggle()
            send(isBuffering ? .bufferStart : .bufferComplete)
        case 3 where !isAd:
            isBreak.toggle()
            send(isBreak ? .adBreakStart : .adBreakComplete)
        case 4 where isBreak, 5 where isBreak:
            isAd.toggle()
            send(isAd ? .adStart : .adComplete)
        default: send(.custom, [("custom_name", .string("NOTE"))])
        }
    }

    private mutating func send(_ type: EventType, _ attributes: [(String, PlainValue)] = []) {
        host.send(type, attributes)
        keep()
    }

    private mutating func keep() {
        for record in host.events.dropFirst(records.count) {
            records.append(record)
            // A timer that fires in a step may come before the playhead's move of that step.
            movedAt.append(moved + 250)
        }
    }
}
