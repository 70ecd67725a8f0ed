import Tally
import TallyTesting

/// One entry that is to go out: a record and the request that carries it.
///
/// Times in ms since the run's start; every row also asserts the quality figures.
struct Row {
    let time: Int64
    let type: String
    let asset: String
    let playhead: Int64
    let duration: Int64
    let count: Int64
    let total: Int64
    let timestamp: Int64
    let previous: Int64
    /// Other attributes; they win over those above.
    let has: [String: PlainValue]
    let lacks: [String]

    static let epoch: Int64 = 1_700_000_000_000

    /// A row as the vectors have it: sent at, `type/asset` (`vod` unless given), playhead, duration, count, total, ts, prev_ts.
    init(
        _ time: Int64,
        _ typeAndAsset: String,
        _ playhead: Int64,
        _ duration: Int64,
        _ count: Int64,
        _ total: Int64,
        _ timestamp: Int64,
        _ previous: Int64,
        has: [String: PlainValue] = [:],
        lacks: [String] = []
    ) {
        self.time = time
        let parts = typeAndAsset.split(separator: "/")
        type = String(parts[0])
        asset = parts.count > 1 ? String(parts[1]) : "vod"
        self.playhead = playhead
        self.duration = duration
        self.count = count
        self.total = total
        self.timestamp = timestamp
        self.previous = previous
        self.has = has
        self.lacks = lacks
    }

    /// The load at the run's start.
    static func load(_ has: [String: PlainValue] = [:]) -> Row { Row(0, "load", 0, 0, 1, 0, 0, -1, has: has) }

    /// The record and the request.
    var expected: [Scenario.Expected] {
        var attributes: [String: PlainValue] = [
            "__job_id": .string("j2"),
            "s:event:type": .string(type),
            "s:asset:type": .string(asset),
            "l:event:count": .int(1),
            "l:event:playhead": .int(playhead),
            "l:event:duration": .int(duration),
            "l:event:total_count": .int(count),
            "l:event:total_duration": .int(total),
            "l:event:ts": .int(Self.epoch + timestamp),
            "l:event:prev_ts": .int(previous < 0 ? -1 : Self.epoch + previous),
            "l:stream:bitrate": .int(3_000_000),
            "l:stream:fps": .int(25),
            "l:stream:dropped_frames": .int(0),
        ]
        attributes.merge(has) { $1 }
        return [
            .at(time, type, attributes, lacks: lacks), .at(time, "beacon"),
        ]
    }
}

extension Scenario {
    /// A scenario of the tracker, with rows for what goes out.
    init(
        _ name: String,
        _ configuration: JSONValue = Heartbeat.configuration,
        sampled: Bool = false,
        end: DestroyMode = .drain(),
        endsAtOnce: Bool = false,
        player: SyntheticPlayer.Model = SyntheticPlayer.Model(),
        steps: [Step],
        rows: [Row],
        errors: [Expected] = []
    ) {
        self.init(
            name,
            tracker: Heartbeat.selection(configuration),
            sampled: sampled,
            end: end,
            endsAtOnce: endsAtOnce,
            player: player,
            steps: steps,
            expected: rows.flatMap(\.expected) + errors
        )
    }
}
