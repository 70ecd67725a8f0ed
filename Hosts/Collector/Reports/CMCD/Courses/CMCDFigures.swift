internal import EventModel

/// What a record says of figures, in Tally's units.
extension CMCDRecord {
    /// The bitrate of a list of kbit/s, in bit/s: of video and audio together, or of the one that is not parted.
    func bitrate(_ key: CMCDKey) -> Int64? {
        let items = integers(key)
        if let whole = items.first(where: { $0.type == "av" }) { return Self.bits(whole.number) }
        let parts = ["v", "a"].compactMap { type in items.first { $0.type == type }?.number }
        if !parts.isEmpty { return Self.bits(parts.reduce(0, +)) }
        guard items.count == 1, items[0].type == nil else { return nil }
        return Self.bits(items[0].number)
    }

    /// The largest measured throughput, bit/s: connections beside each other do not add up.
    var throughput: Int64? {
        integers(.mtp).map(\.number).max().flatMap(Self.bits)
    }

    /// How much is buffered of that of which the least is, ms.
    var bufferLength: Int64? {
        integers(.bl).filter { ["v", "a", "av", nil].contains($0.type) }.map(\.number).min()
    }

    /// The playback rate in thousandths; nil when it is not said.
    ///
    /// A rate of 0 says that it does not play, and is none.
    var rate: Int32? {
        guard case .decimal(let thousandths)? = self[.pr] else { return event == .rate ? 1000 : nil }
        return thousandths == 0 ? nil : Int32(exactly: thousandths)
    }

    /// The application's codes of what failed.
    var errorCodes: [String] { strings(.ec).map(\.text) }

    private static func bits(_ kilobits: Int64) -> Int64? {
        let bits = kilobits * 1000
        return bits < 1 << 53 ? bits : nil
    }

    /// The attributes under names of their own that a call of this record has, or all that it could have.
    func ownAttributes(all: Bool) -> [TrackedCall.Attribute] {
        var result: [TrackedCall.Attribute] = []
        for field in fields where isOwn(field.key, all: all) {
            result += Self.attributes("cmcd_\(field.key.rawValue)", field.value)
        }
        for field in custom { result += Self.attributes(field.key, field.value) }
        return result
    }

    private func isOwn(_ key: CMCDKey, all: Bool) -> Bool {
        switch key.rule.use {
        case .kept: event != .error || key != .ec
        case .keptOnRequest: all
        case .mapped:
            switch key {
            case .sf: token(.sf) != "d" && token(.sf) != "h"
            case .h: string(.cdn) != nil
            default: false
            }
        }
    }

    private static func attributes(_ name: String, _ value: CMCDValue) -> [TrackedCall.Attribute] {
        switch value {
        case .integer(let number), .date(let number): [TrackedCall.Attribute(name, .int(number))]
        case .decimal(let thousandths): [TrackedCall.Attribute(name, .double(Double(thousandths) / 1000))]
        case .boolean(let truth): [TrackedCall.Attribute(name, .bool(truth))]
        case .token(let text), .string(let text), .bytes(let text): [TrackedCall.Attribute(name, .string(text))]
        case .strings(let texts):
            texts.isEmpty ? [] : [TrackedCall.Attribute(name, .list(texts.map { .string($0.text) }))]
        case .integers(let numbers): lists(name, numbers)
        }
    }

    /// The numbers of each object type under a name of their own.
    private static func lists(_ name: String, _ numbers: [CMCDValue.Typed]) -> [TrackedCall.Attribute] {
        ([nil] + CMCDKey.objectTypes).compactMap { type in
            let values = numbers.filter { $0.type == type }.map { PlainValue.int($0.number) }
            let full = type.map { "\(name)_\($0)" } ?? name
            return values.isEmpty ? nil : TrackedCall.Attribute(full, values.count == 1 ? values[0] : .list(values))
        }
    }
}
