import EventModel
import TallyTesting

/// Short forms for the records and pings that scenarios expect.
enum Expect {
    typealias Expected = Scenario.Expected

    static func started(_ time: Int64 = 0) -> Expected {
        .at(time, "event", ["code": .int(2001), "name": .string("AppApiStartup")])
    }

    static func play(_ time: Int64, _ channel: String = "Channel 1") -> Expected {
        .at(time, "play", ["channelName": .string(channel)])
    }

    static func load(_ time: Int64, _ type: String, _ id: String, _ has: [String: PlainValue] = [:]) -> Expected {
        let own: [String: PlainValue] = ["type": .string(type), "assetid": .string(id)]
        return .at(time, "loadMetadata", own.merging(has) { $1 })
    }

    /// One playhead that adds no viewed second.
    static func first(_ time: Int64, _ position: Int64, _ type: String = "content") -> Expected {
        .at(time, "playheadPosition", ["position": .int(position), "type": .string(type), "credited": .int(0)])
    }

    /// A row of playheads, one second apart, that each add one.
    static func playheads(
        from time: Int64,
        _ positions: ClosedRange<Int64>,
        _ type: String = "content"
    ) -> [Expected] {
        positions.map { position in
            .at(
                time + (position - positions.lowerBound) * 1000,
                "playheadPosition",
                ["position": .int(position), "type": .string(type), "credited": .int(1)]
            )
        }
    }

    /// A ping with its beacon.
    static func ping(_ time: Int64, _ has: [String: String]) -> [Expected] {
        [.at(time, "ping", has.mapValues(PlainValue.string)), .at(time, "beacon")]
    }

    static func view(_ time: Int64, _ has: [String: String] = [:]) -> [Expected] {
        ping(time, ["at": "view", "c27": "cln,0", "davty": "0"].merging(has) { $1 })
    }

    static func final(_ time: Int64, _ seconds: Int64, _ has: [String: String] = [:]) -> [Expected] {
        ping(time, ["at": "timer", "c27": "cln,\(seconds)", "davty": "2"].merging(has) { $1 })
    }

    static func stop(_ time: Int64) -> Expected { .at(time, "stop") }
    static func end(_ time: Int64) -> Expected { .at(time, "end") }

    static func warning(_ time: Int64, _ key: String) -> Expected { .at(time, "warning", ["key": .string(key)]) }

    static func error(_ time: Int64, _ code: Int64, _ key: String) -> Expected {
        .at(time, "error", ["code": .int(code), "key": .string(key)])
    }
}
