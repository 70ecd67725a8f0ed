/// Where a break lies in the main content (VMAP 1.0, `timeOffset`).
package enum AdBreakOffset: Sendable, Equatable {
    /// Before it.
    case start
    /// Behind it.
    case end
    /// Milliseconds from its start.
    case time(Int64)
    /// A part of its duration, in thousandths.
    case part(Int64)

    init?(_ text: String) {
        switch text {
        case "start": self = .start
        case "end": self = .end
        default:
            guard let offset = AdOffset(text) else { return nil }
            switch offset {
            case .time(let milliseconds): self = milliseconds == 0 ? .start : .time(milliseconds)
            case .part(let thousandths):
                self = thousandths == 0 ? .start : thousandths == 1000 ? .end : .part(thousandths)
            }
        }
    }

    /// The place in milliseconds of the main content; nil when it is behind it or its duration is needed and unknown.
    package func milliseconds(ofDuration durationMs: Int64?) -> Int64? {
        switch self {
        case .start: 0
        case .end: nil
        case .time(let milliseconds): milliseconds
        case .part(let thousandths): AdOffset.part(thousandths).milliseconds(ofDuration: durationMs)
        }
    }
}
