/// Something that a playlist dates, such as an ad (RFC 8216, 4.3.2.7).
package struct DateRange: Sendable, Equatable {
    /// Its identifier.
    package var id: String
    /// Whose kind of range it is, such as `com.apple.hls.interstitial`.
    package var className: String?
    /// When it begins, in microseconds since 1970.
    package var startUs: Int64
    /// Everything that is said of it.
    package private(set) var attributes: PlaylistAttributes

    /// Reads the attributes of a tag; nil without an identifier or the date of its start.
    package init?(_ attributes: PlaylistAttributes) {
        guard let id = attributes["ID"], !id.isEmpty,
            let startUs = attributes["START-DATE"].flatMap({ ProgramDate.microseconds($0) })
        else { return nil }
        self.id = id
        self.startUs = startUs
        className = attributes["CLASS"]
        self.attributes = attributes
    }

    /// When it ends, in microseconds since 1970: by its date, its duration, or else what was planned.
    package var endUs: Int64? {
        if let endUs = attributes["END-DATE"].flatMap({ ProgramDate.microseconds($0) }) { return max(startUs, endUs) }
        return (attributes.microseconds("DURATION") ?? attributes.microseconds("PLANNED-DURATION")).map { startUs + $0 }
    }

    /// Whether its end is only planned, and may still be said.
    package var isEndPlanned: Bool { attributes["END-DATE"] == nil && attributes["DURATION"] == nil }

    /// Takes what another tag with the same identifier says besides.
    package mutating func update(from other: DateRange) {
        attributes.update(from: other.attributes)
        className = other.className ?? className
        startUs = other.startUs
    }
}
