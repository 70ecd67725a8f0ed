import EventModel
import Glibc
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// Rules that hold after every course of events, legal or not.
@Suite struct RandomSequenceTests {
    /// Sequences of each of the 20 cases; `TALLY_SEQUENCES=500` makes them 10,000.
    private static let sequences =
        unsafe getenv("TALLY_SEQUENCES").flatMap { unsafe UInt64(String(cString: $0)) } ?? 25

    @Test(
        "Times are consistent, sums match, numbers have no gap, and what begins ends",
        arguments: 0..<20 as Range<UInt64>
    )
    func invariants(part: UInt64) {
        for seed in part * 500..<part * 500 + Self.sequences {
            var moved: Int64 = 0
            let host = Self.run(seed: seed, moved: &moved)
            Self.check(host, seed, moved: moved)
        }
    }

    private static func check(_ host: FakeHost, _ seed: UInt64, moved: Int64) {
        var viewNumber: Int64 = 0
        var playerNumber: Int64 = 0
        var watched: Int64 = 0
        var isOpen = false
        var open: Set<String> = []
        for record in host.records {
            for case (let name, .int(let number)) in record.attributes.map({ ($0.name, $0.value) }) {
                #expect(number >= 0, "seed \(seed): \(name) of \(record.kind)")
            }
            switch record.kind {
            case "globaldata", "data", "timeupdate": continue
            case "viewmetrics":
                checkMetrics(record, watched, seed)
                continue
            default: break
            }
            if record.kind == "viewinit" {
                #expect(!isOpen, "seed \(seed): a view begins in another one")
                viewNumber = 0
                watched = 0
                isOpen = true
                if record.int("player_sequence_number") == 1 { playerNumber = 0 }
            }
            #expect(isOpen, "seed \(seed): \(record.kind) outside a view")
            viewNumber += 1
            playerNumber += 1
            #expect(record.int("view_sequence_number") == viewNumber, "seed \(seed): \(record.kind)")
            #expect(record.int("player_sequence_number") == playerNumber, "seed \(seed): \(record.kind)")
            let total = record.int("view_watch_time")
            #expect(total >= watched, "seed \(seed): watched time falls at \(record.kind)")
            #expect(total - watched <= record.time / 1000, "seed \(seed)")
            #expect(record.int("view_playing_time") <= total, "seed \(seed): \(record.kind)")
            #expect(record.int("ad_playing_time_ms_cumulative") <= record.int("view_playing_time"), "seed \(seed)")
            let content = record.int("view_content_playback_time") - record.int("ad_playing_time_ms_cumulative")
            #expect((0...moved).contains(content), "seed \(seed): \(content) ms played, \(moved) ms moved")
            #expect(record.int("view_rebuffer_duration") <= total, "seed \(seed): \(record.kind)")
            #expect(record.int("view_playing_time") + record.int("view_rebuffer_duration") <= total, "seed \(seed)")
            #expect(record.int("view_max_seek_time") <= record.int("view_seek_duration"), "seed \(seed)")
            watched = total
            pair(record.kind, &open, seed)
            if record.kind == "viewend" {
                #expect(open.isEmpty, "seed \(seed): \(open) is open at the end of a view")
                isOpen = false
            }
        }
        #expect(!isOpen, "seed \(seed): a view is open at the end")
    }

    /// What is open is closed before it begins again, and before the view ends.
    private static func pair(_ kind: String, _ open: inout Set<String>, _ seed: UInt64) {
        switch kind {
        case "rebufferstart":
            #expect(open.insert("rebuffer").inserted, "seed \(seed)")
        case "rebufferend":
            #expect(open.remove("rebuffer") != nil, "seed \(seed)")
        case "seeking":
            #expect(open.insert("seek").inserted, "seed \(seed)")
        case "seeked":
            #expect(open.remove("seek") != nil, "seed \(seed)")
        case "adbreakstart":
            #expect(open.insert("break").inserted, "seed \(seed)")
        case "adbreakend":
            #expect(open.remove("break") != nil && !open.contains("ad"), "seed \(seed)")
        case "adplay":
            // It is said again when a paused ad goes on.
            let goesOn = open.remove("pause") != nil
            #expect(open.contains("break") && (goesOn || open.insert("ad").inserted), "seed \(seed)")
        case "adpause":
            #expect(open.contains("ad") && open.insert("pause").inserted, "seed \(seed)")
        case "adended":
            #expect(open.remove("ad") != nil, "seed \(seed)")
            open.remove("pause")
        case "aderror": open.subtract(["ad", "pause"])
        default: break
        }
    }

    private static func checkMetrics(_ record: FakeHost.Record, _ watched: Int64, _ seed: UInt64) {
        let parts = ["waiting_time_ms", "content_time_ms", "ad_time_ms", "rebuffer_time_ms", "seek_time_ms"]
        let sum = parts.reduce(0) { $0 + record.int($1) }
        #expect(record.int("watch_time_ms") == sum && sum == watched, "seed \(seed)")
        #expect(parts.allSatisfy { record.int($0) >= 0 }, "seed \(seed)")
        #expect(record.int("video_startup_time_ms") <= sum, "seed \(seed)")
        #expect(record.int("content_startup_time_ms") <= sum, "seed \(seed)")
    }

    @Test("The same sequence says the same")
    func sameAgain() {
        for seed in 0..<50 as Range<UInt64> {
            var moved: Int64 = 0
            let runs = (0..<2).map { _ in Self.run(seed: seed, all: true, moved: &moved) }
            #expect(runs[0].records == runs[1].records, "seed \(seed)")
            #expect(runs[0].beacons == runs[1].beacons)
        }
    }

    private static let kept: Set<String> = [
        "view_sequence_number", "player_sequence_number", "view_watch_time", "view_playing_time",
        "view_content_playback_time", "ad_playing_time_ms_cumulative",
        "view_rebuffer_duration", "view_seek_duration", "view_max_seek_time", "watch_time_ms", "waiting_time_ms",
        "content_time_ms", "ad_time_ms", "rebuffer_time_ms", "seek_time_ms", "video_startup_time_ms",
        "content_startup_time_ms",
    ]

    private static let types: [EventType] = [
        .videoLoad, .videoUnload, .play, .play, .play, .firstFrame, .firstFrame, .pause, .complete, .seekStart,
        .seekComplete, .bufferStart, .bufferComplete, .playerError, .playerReady, .renditionChange, .custom,
        .metadataChange, .playheadSample, .playheadSample, .playheadSample, .playheadSample, .playheadSample,
        .qualitySample, .adBreakStart, .adBreakComplete, .adStart, .adComplete, .adSkip, .adQuartile, .adError,
        .adClick, .requestCompleted, .requestFailed, .requestCancelled, .systemSuspended, .consent,
    ]

    /// What a player does, and how far its playhead moves forward meanwhile, ms.
    private static func run(seed: UInt64, all: Bool = false, moved: inout Int64) -> FakeHost {
        var generator = SplitMix64(seed: seed)
        let host = Mux.host(#"{"environmentKey":"hex","timeUpdates":\#(seed % 2 == 0)}"#, seed: seed)
        host.keptAttributes = all ? nil : kept
        host.player.playheadMilliseconds = 0
        var now: Int64 = 0
        for _ in 0..<60 {
            now += wait(&generator)
            let before = host.player.playheadMilliseconds ?? 0
            move(&host.player, &generator)
            moved += max(0, (host.player.playheadMilliseconds ?? 0) - before)
            let type = types[Int(generator.next() % UInt64(types.count))]
            let attributes = attributes(of: type, &generator)
            host.send(type, attributes, at: now)
            // What follows a sleep comes when the machine is awake.
            if case .int(let slept)? = attributes.first(where: { $0.0 == "step_us" })?.1 { now += slept / 1000 }
            if type == .videoUnload { host.endSession() }
            if generator.next() % 100 == 0 { host.command("destroyPlayer") }
        }
        host.endSession(.shutdown)
        return host
    }

    private static func wait(_ generator: inout SplitMix64) -> Int64 {
        switch generator.next() % 400 {
        case 0...79: 0
        case 80...339: 250
        case 340...398: Int64(generator.next() % 5_000)
        default: Int64(generator.next() % 4_000_000)
        }
    }

    private static func move(_ player: inout FakePlayer, _ generator: inout SplitMix64) {
        let playhead = player.playheadMilliseconds ?? 0
        switch generator.next() % 10 {
        case 0...4: player.playheadMilliseconds = playhead + 250
        case 5...7: break
        case 8: player.playheadMilliseconds = playhead + Int64(generator.next() % 1_200)
        default: player.playheadMilliseconds = Int64(generator.next() % 600_000)
        }
        player.reportedAgeMicroseconds = generator.next() % 5 == 0 ? 100_000 : 0
        player.rateMilli = generator.next() % 30 == 0 ? Int32(generator.next() % 3) * 500 : 1000
        player.width = Int32(generator.next() % 4) * 320
        player.height = Int32(generator.next() % 4) * 180
        player.playerWidth = Int32(generator.next() % 3) * 640
        player.playerHeight = Int32(generator.next() % 3) * 360
    }

    private static func attributes(
        of type: EventType,
        _ generator: inout SplitMix64
    ) -> [(String, PlainValue)] {
        switch type {
        case .playerError: [("error_code", .int(1)), ("error_fatal", .bool(generator.next() % 2 == 0))]
        case .adQuartile: [("ad_quartile", .int(Int64(generator.next() % 5)))]
        case .custom:
            [
                (
                    "custom_name",
                    .string(["programchange", "adrequest", "adresponse", "hb"][Int(generator.next() % 4)])
                ),
                ("video_title", .string("title")),
            ]
        case .renditionChange: [("rendition_bitrate_bps", .int(Int64(generator.next() % 3) * 1_000_000))]
        case .systemSuspended: [("step_us", .int(Int64(generator.next() % 60_000_000)))]
        case .requestCompleted:
            [
                ("request_bytes", .int(Int64(generator.next() % 100_000))),
                ("request_duration_ms", .int(Int64(generator.next() % 500))),
                ("request_first_byte_ms", .int(Int64(generator.next() % 600))),
            ]
        default: []
        }
    }
}
