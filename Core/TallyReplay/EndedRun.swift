internal import TextEncoding

/// A player run whose end is not in the archive, and which was ended where it was last seen.
package struct EndedRun {
    package let id: String
    /// The number that the end's line would have.
    package let ordinal: UInt64
    /// When it was ended, us of run time.
    package let time: Int64
    /// Wall clock at the run's time 0, us since 1970.
    package let epoch: Int64

    /// When it was last seen, us since 1970.
    package var lastSeen: Int64 { epoch &+ time }

    /// Why it was ended, and when it was last seen.
    var description: String {
        let seen = CivilDate(microsecondsSinceEpoch: lastSeen).iso8601
        return
            "the run \(id) has no end: its player died, or plays on. It was last seen at \(seen) and is ended there, "
            + "with the reason crash"
    }
}
