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
                guard case .event(let read) = unsafe try decoder.decode(line) else { return "it reads as another kind of line" }
                return unsafe compare(event, read, report)
            } catch {
                return "\(error)"
            }
        }
    }

    private static func compare(
        _ event: EventView, _ read: EventView, _ report: UnsafePointer<tally_state>
    ) -> String? {
        guard event.type == read.type, event.typeName == read.typeName else { return "type" }
        guard event.time == read.time else { return "time" }
        guard event.flags == read.flags else { return "flags" }
        guard event.attributes.count == read.attributes.count else { return "number of attributes" }
        for (left, right) in zip(event.attributes, read.attributes) {
            guard left.name == right.name, left.key == right.key,
                left.isCustom == right.isCustom, left.isPersonal == right.isPersonal
            else { return "name of \(left.name.string)" }
            let (written, found) = (PlainValue(left.value), PlainValue(right.value))
            guard same(written, found) else { return "\(left.name.string) was \(written) and reads \(found)" }
        }
        let readState = unsafe read.state.raw.pointee
        guard unsafe readState.known & report.pointee.known == report.pointee.known else { return "reported members" }
        if unsafe report.pointee.known & TALLY_KNOWN_PLAYHEAD != 0, unsafe readState.playhead_ms != report.pointee.playhead_ms {
            return "playhead"
        }
        return nil
    }

    /// Like `==`, but NaN is the same as NaN.
    private static func same(_ left: PlainValue, _ right: PlainValue) -> Bool {
        switch (left, right) {
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.list(let left), .list(let right)): left.count == right.count && zip(left, right).allSatisfy(same)
        default: left == right
        }
    }
}
