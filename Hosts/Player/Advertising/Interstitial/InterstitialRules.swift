/// How a break ends that a stream itself wants shown (HLS interstitials).
package struct InterstitialRules: Sendable, Equatable {
    /// Where the main content goes on, from the place of the break; nil says: as much later as was shown.
    package var resumeOffsetMs: Int64?
    /// The longest time that is shown.
    package var playoutLimitMs: Int64?
    /// Whether its ads can be skipped.
    package var isSkippable = true
    /// Whether the main content goes on with a segment's start.
    package var resumesAtSegment = false

    /// The rules of a break that says nothing.
    package init() {}
}
