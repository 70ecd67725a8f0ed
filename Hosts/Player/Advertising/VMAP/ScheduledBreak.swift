/// A break as the schedule has it.
package struct ScheduledBreak: Sendable, Equatable {
    /// The identifier, when it has one.
    package var id: String?
    /// Where it lies.
    package var offset: AdBreakOffset
    /// Where its ads come from.
    package var source: AdSource
    /// Whether it has room for one ad only.
    package var isSingle = false
    /// Addresses for `breakStart`, `breakEnd` and `error`.
    package var tracking: [String: [String]] = [:]

    /// What the stream wants of it; nil for a break that is none of the stream's own.
    package var rules: InterstitialRules?

    /// Whether it is before the main content, in its middle or behind it: `pre`, `mid` or `post`.
    ///
    /// What was to come before it and is known only when that has begun lies at its first picture.
    package var type: String {
        switch offset {
        case .start, .time(0): "pre"
        case .end: "post"
        case .time, .part: "mid"
        }
    }

    /// Where in the main content it lies; what is behind it, at its end, or as far as it was played.
    package func startMs(ofDuration durationMs: Int64?, playheadMs: Int64) -> Int64 {
        switch offset {
        case .end: durationMs ?? playheadMs
        case .start, .time, .part: offset.milliseconds(ofDuration: durationMs) ?? playheadMs
        }
    }

    /// Makes a break without an identifier that nobody wants to hear of.
    package init(offset: AdBreakOffset, source: AdSource) {
        self.offset = offset
        self.source = source
    }
}
