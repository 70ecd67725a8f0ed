package import EventModel
package import PluginABI
internal import TextEncoding

/// Proves that an event reads back from its archive line as it was: what a tracker sees live is what a replay gives it.
package enum RoundTripCheck {
    /// Encodes and decodes an event; stops the process when the two differ.
    package static func check(_ event: EventView, report: UnsafePointer<tally_state>) {
        if let difference = unsafe difference(event, report: report) {
            fatalError("an event does not survive its archive line: \(difference)")
        }
    }

    /// What differs between an event and what its line reads as; nil when nothing does.
    package static func difference(_ event: EventView, report: UnsafePointer<tally_state>) -> String? {
        var encoder = ArchiveLineEncoder(run: "check")
        unsafe encoder.event(event, report: report)
        let decoder = ArchiveLineDecoder()
        return unsafe encoder.buffer.withBytes { bytes -> String? in
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast())
            do {
                guard case .event(let read) = unsafe try decoder.decode(line) else {
                    return "it reads as another kind of line"
                }
                return unsafe compare(event, read)
                    ?? compare(event.state.raw.pointee, report.pointee, read.state.raw.pointee)
            } catch {
                return "\(error)"
            }
        }
    }

    private static func compare(_ event: EventView, _ read: EventView) -> String? {
        guard event.type == read.type, event.typeName == read.typeName else { return "type" }
        guard event.time == read.time else { return "time" }
        guard event.flags == read.flags else { return "flags" }
        guard event.attributes.count == read.attributes.count else { return "number of attributes" }
        for (left, right) in zip(event.attributes, read.attributes) {
            guard left.name == right.name, left.key == right.key,
                left.isCustom == right.isCustom, left.isPersonal == right.isPersonal
            else { return "name of \(left.name.string)" }
            guard same(left.value, right.value) else {
                return "\(left.name.string) was \(PlainValue(left.value)) and reads \(PlainValue(right.value))"
            }
        }
        return nil
    }

    /// Compares what is known: all of it is in the line, but a playhead reads as reported only if it was.
    private static func compare(_ known: tally_state, _ report: tally_state, _ read: tally_state) -> String? {
        let members = known.known & ~TALLY_KNOWN_PLAYHEAD | report.known & TALLY_KNOWN_PLAYHEAD
        guard read.known == members else { return "known members" }
        if members & TALLY_KNOWN_PLAYHEAD != 0, report.playhead_ms != read.playhead_ms { return "playhead_ms" }
        for (member, name, value) in StateMembers.numbers
        where members & member != 0 && value(known) != value(read) {
            return "\(name)"
        }
        for (member, flag, name) in StateMembers.flagMembers
        where members & member != 0 && known.flags & flag != read.flags & flag {
            return "\(name)"
        }
        return nil
    }

    /// Whether two values are the same to the last bit.
    private static func same(_ left: ValueView, _ right: ValueView) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)), (.bytes(let left), .bytes(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { same($0.value, $1.value) }
        default: false
        }
    }
}
