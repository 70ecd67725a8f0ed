/// What a tag before a segment says of a break: `EXT-X-CUE-OUT`, `-CONT` and `EXT-X-CUE-IN`.
///
/// No standard has them; packagers agree on their meaning, and write what belongs to them in several ways.
package struct StreamCue: Sendable, Equatable {
    /// What begins or ends with the segment.
    package enum Kind: Sendable, Equatable {
        /// A break.
        case out
        /// The segment lies in a break, and so much of it, in microseconds, lies before.
        case going(elapsedUs: Int64)
        /// The main content.
        case back
    }

    /// What begins or ends.
    package var kind: Kind
    /// How long the break is planned to be, in microseconds.
    package var durationUs: Int64?
    /// The number of the break's event, when its splice information is there.
    package var eventID: UInt32?

    /// Reads the tags before a segment, of which the last one counts; nil when none is of this kind.
    init?(_ marks: [PlaylistMark]) {
        guard let mark = marks.last(where: { $0.name.hasPrefix("#EXT-X-CUE") }) else { return nil }
        let value = mark.value[...]
        let attributes = PlaylistAttributes(value)
        let texts = [attributes.value("SCTE35"), attributes.value("CUE")] + marks.map { $0.value }
        let splice = texts.lazy.compactMap { $0.flatMap { SpliceInformation(base64: $0) } }.first
        switch mark.name {
        case "#EXT-X-CUE-OUT":
            kind = .out
            durationUs = attributes.duration("DURATION") ?? PlaylistNumber.microseconds(value)
        case "#EXT-X-CUE-OUT-CONT":
            // As in `10/30`, or with names.
            let parts = value.split(separator: "/")
            let isPlain = parts.count == 2 && !value.contains("=")
            let elapsedUs = isPlain ? PlaylistNumber.microseconds(parts[0]) : attributes.duration("ELAPSEDTIME")
            guard let elapsedUs else { return nil }
            kind = .going(elapsedUs: elapsedUs)
            durationUs = isPlain ? PlaylistNumber.microseconds(parts[1]) : attributes.duration("DURATION")
        case "#EXT-X-CUE-IN": kind = .back
        default: return nil
        }
        durationUs = durationUs ?? splice?.durationUs
        eventID = splice?.eventID
    }
}

extension PlaylistAttributes {
    /// The value of an attribute whose name packagers write in small and capital letters.
    fileprivate func value(_ name: String) -> String? {
        names.first { $0.uppercased() == name }.flatMap { self[$0] }
    }

    fileprivate func duration(_ name: String) -> Int64? {
        value(name).flatMap { PlaylistNumber.microseconds($0[...]) }
    }
}
