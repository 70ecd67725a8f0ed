package import EventModel

/// What one line of an archive says.
///
/// An event's block is lent until the next line is decoded. What comes once in a run lies apart, so that an event's
/// line is a pointer to hand around.
package enum ArchiveLine {
    /// A player run begins.
    indirect case header(ArchiveHeader)
    /// An event with its effective time; its state holds what the player reported.
    case event(EventView)
    /// The run had come to this time, us.
    case mark(time: Int64)
    /// The run ended.
    indirect case end(time: Int64, reason: String, dropped: UInt64)

    /// The line's time, us; nil for a header.
    package var time: Int64? {
        switch self {
        case .header: nil
        case .event(let event): event.time
        case .mark(let time), .end(let time, _, _): time
        }
    }
}
