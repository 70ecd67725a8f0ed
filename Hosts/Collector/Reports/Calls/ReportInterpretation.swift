package import EventModel

/// Follows the reports of one player run, and makes the track calls that they mean.
///
/// The calls are a function of the reports, of the times at which they came, and of the times at which
/// ``advance(to:into:)`` was called: told the same again, an interpretation makes the same calls. It is how a run goes
/// on after a restart.
/// Times are us since 1970 by the collector's clock, and do not go back. Calls come in the order of their times, none
/// before one that was made already.
package protocol ReportInterpretation {
    /// Takes a report that came at `received`, and appends the calls that can be made by then.
    ///
    /// - Returns: why the report was not used, a word for counting such as `syntax`, `duplicate` or `late`; nil when it
    ///   was.
    mutating func receive(_ report: String, at received: Int64, into calls: inout [TrackedCall]) -> String?

    /// Appends the calls that have waited long enough, and those that silence means.
    mutating func advance(to now: Int64, into calls: inout [TrackedCall])

    /// When ``advance(to:into:)`` has something to do if no report comes before; nil when never.
    var nextDue: Int64? { get }

    /// Whether nothing can follow any more: the run ends.
    var isOver: Bool { get }

    /// Up to when all is known: nothing that happened before is expected any more, so timers may fire up to here.
    ///
    /// Not before the last call that was made.
    var knownUntil: Int64 { get }
}

/// How long reports are waited for.
package struct ReportPatience: Equatable, Sendable {
    /// How long a report waits for those that were sent before it, us; nil waits until the run is over, and all reports
    /// are put into their order.
    package var holdBack: Int64? = 5_000_000
    /// How long nothing comes of a run whose content has ended or failed until it is over, us.
    package var afterEnd: Int64 = 30_000_000
    /// How long nothing comes while it plays until it is over, us.
    package var whilePlaying: Int64 = 600_000_000
    /// How long nothing comes while it is paused or in the background until it is over, us.
    package var whilePaused: Int64 = 3_600_000_000
    /// How long a run may last, us; then it is ended, whatever comes.
    package var longestRun: Int64 = 86_400_000_000

    package init() {}
}
