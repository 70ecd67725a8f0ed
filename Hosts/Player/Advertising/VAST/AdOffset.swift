/// A place in an ad.
package enum AdOffset: Sendable, Equatable {
    /// Milliseconds from its start.
    case time(Int64)
    /// A part of its duration, in thousandths.
    case part(Int64)

    init?(_ text: String) {
        if let milliseconds = AdTime.milliseconds(text) {
            self = .time(milliseconds)
        } else if let thousandths = AdTime.thousandths(percent: text) {
            self = .part(thousandths)
        } else {
            return nil
        }
    }

    /// The place in milliseconds; nil as long as a part of an unknown duration.
    package func milliseconds(ofDuration durationMs: Int64?) -> Int64? {
        switch self {
        case .time(let milliseconds): milliseconds
        case .part(let thousandths): durationMs.map { $0 / 1000 * thousandths + $0 % 1000 * thousandths / 1000 }
        }
    }
}
