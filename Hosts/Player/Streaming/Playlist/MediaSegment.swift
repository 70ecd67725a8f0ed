/// One segment of a media playlist.
package struct MediaSegment: Sendable, Equatable {
    /// Its media sequence number.
    package var sequence: Int64
    /// Its address as it is written.
    package var uri: String
    /// Its duration in microseconds.
    package var durationUs: Int64
    /// The wall clock of its first sample in microseconds since 1970, when it has a date of its own.
    package var programUs: Int64?
    /// Whether its media does not continue that of the segment before.
    package var isDiscontinuous = false

    /// Makes a segment that continues the one before.
    package init(sequence: Int64, uri: String, durationUs: Int64) {
        self.sequence = sequence
        self.uri = uri
        self.durationUs = durationUs
    }

    /// Whether an absolute address is that of this segment.
    ///
    /// The address that a reference leads to may be another than the playlist's own one, as servers redirect.
    package func isAt(_ address: String) -> Bool {
        if uri.contains("://") { return address == uri }
        var reference = uri[...]
        while reference.hasPrefix("./") || reference.hasPrefix("../") {
            reference = reference[reference.index(after: reference.firstIndex(of: "/") ?? reference.startIndex)...]
        }
        if reference.hasPrefix("/") { return address.hasSuffix(reference) }
        return !reference.isEmpty && address.hasSuffix("/" + reference)
    }
}
