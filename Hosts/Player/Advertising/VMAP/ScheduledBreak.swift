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

    /// Makes a break without an identifier that nobody wants to hear of.
    package init(offset: AdBreakOffset, source: AdSource) {
        self.offset = offset
        self.source = source
    }
}
