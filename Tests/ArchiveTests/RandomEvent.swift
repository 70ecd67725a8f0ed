import EventModel
import PluginABI
import TextEncoding

/// Events from a seed: every type, values of every type, and mostly those at which an encoder may stumble.
struct RandomEvent {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func block() -> EventBlock {
        let state = state()
        var report = state
        report.known &= UInt32(truncatingIfNeeded: random.next())
        var names: Set<[UInt8]> = []
        let attributes = (0..<count(upTo: 24)).map { _ in (name: name(&names), value: value(depth: 0)) }
        return EventBlock(
            type(),
            at: Int64(random.next() % 1_000_000_000_000),
            flags: UInt32(random.next() % 16),
            session: UInt32(random.next() % 4),
            state: state,
            report: report,
            attributes
        )
    }

    // MARK: - Parts

    private mutating func count(upTo limit: UInt64) -> Int {
        Int(random.next() % (limit + 1))
    }

    private mutating func oneIn(_ chance: UInt64) -> Bool {
        random.next() % chance == 0
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    private mutating func type() -> String {
        if oneIn(8) {
            return "org.example." + pick(["new", "é", "e\u{301}", "\u{2028}\"\\", "\u{0}"])
        }
        return "\(pick(EventType.wellKnown).name)"
    }

    private mutating func name(_ taken: inout Set<[UInt8]>) -> String {
        while true {
            let name =
                switch random.next() % 4 {
                case 0: "\(pick(AttributeKey.wellKnown).name)"
                case 1: "x" + text(upTo: 12)
                case 2: String(repeating: "n", count: 1 + count(upTo: UInt64(Limits.nameBytes) - 1))
                default: "custom.\(random.next() % 1000)"
                }
            if name.utf8.count <= Limits.nameBytes, taken.insert(Array(name.utf8)).inserted {
                return name
            }
        }
    }

    mutating func text(upTo length: UInt64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<count(upTo: length) {
            let scalar =
                switch random.next() % 6 {
                case 0: UnicodeScalar(UInt8(random.next() % 0x20))
                case 1:
                    pick([
                        "\"", "\\", "/" as UnicodeScalar, "\u{7F}", "\u{2028}", "\u{2029}", "\u{FFFD}", "\u{FEFF}",
                        "\u{0}",
                    ])
                case 2: UnicodeScalar(UInt32(random.next() % 0x11_0000)) ?? "\u{10FFFF}"
                default: UnicodeScalar(UInt8(0x20 + random.next() % 0x5F))
                }
            text.append(scalar)
        }
        return String(text)
    }

    mutating func value(depth: Int) -> PlainValue {
        switch random.next() % (depth < Limits.listDepth ? 9 : 8) {
        case 0: return .null
        case 1: return .bool(oneIn(2))
        case 2, 3: return .int(int())
        case 4: return .double(double())
        case 5, 6: return .string(text(upTo: 40))
        case 7: return .bytes((0..<count(upTo: 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        default: return .list((0..<count(upTo: 4)).map { _ in value(depth: depth + 1) })
        }
    }

    private mutating func int() -> Int64 {
        let limit: Int64 = 1 << 53
        return switch random.next() % 4 {
        case 0: pick([0, 1, -1, limit - 1, limit, limit + 1, -limit + 1, -limit, -limit - 1, .max, .min])
        case 1: Int64(truncatingIfNeeded: random.next())
        default: Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64)
        }
    }

    private mutating func double() -> Double {
        switch random.next() % 4 {
        case 0:
            pick([
                0, -0.0, 1, -1, 0.1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude.nextDown,
                1.797_693_134_862_315_7e308, .nan,
                .infinity, -.infinity, 9_007_199_254_740_991, 9_007_199_254_740_992, -9_007_199_254_740_992, 1e22,
                1e23, .signalingNaN, -.nan,
            ])
        case 1: Double(bitPattern: random.next())
        default: Double(Int64(random.next() % 2_000_000) - 1_000_000) / 1000
        }
    }

    private mutating func state() -> tally_state {
        var state = tally_state()
        state.struct_size = UInt32(MemoryLayout<tally_state>.size)
        state.known = UInt32(truncatingIfNeeded: random.next()) & 0x1FFFF
        state.flags = UInt32(truncatingIfNeeded: random.next()) & 0xF_0FFF
        state.rate_milli = Int32(truncatingIfNeeded: random.next())
        state.reported_playhead_ms = large()
        state.playhead_ms = state.reported_playhead_ms
        state.reported_age_us = Int64(random.next() % 10_000_000)
        state.ad_playhead_ms = large()
        state.live_wall_ms = large()
        state.duration_ms = large()
        state.bitrate_bps = large()
        state.throughput_bps = large()
        state.dropped_frames = large()
        state.rendered_frames = large()
        state.fps_milli = Int32(truncatingIfNeeded: random.next())
        state.width = Int32(truncatingIfNeeded: random.next())
        state.height = Int32(truncatingIfNeeded: random.next())
        state.volume_milli = Int32(truncatingIfNeeded: random.next())
        state.player_width = Int32(truncatingIfNeeded: random.next())
        state.player_height = Int32(truncatingIfNeeded: random.next())
        return state
    }

    /// Any whole number that a player may report.
    private mutating func large() -> Int64 {
        let limit: Int64 = 1 << 53
        return oneIn(4) ? pick([-1, 0, limit - 1, -limit + 1]) : Int64(truncatingIfNeeded: random.next()) % limit
    }
}
