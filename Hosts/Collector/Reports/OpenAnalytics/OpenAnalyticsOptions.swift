/// What can be chosen of the calls that events of Open Analytics make.
package struct OpenAnalyticsOptions: Equatable, Sendable {
    /// The unit of playheads and durations.
    package enum Unit: String, Sendable, CaseIterable {
        case milliseconds
        case seconds
    }

    /// How long events are waited for.
    package var patience = ReportPatience()
    /// Whether times are corrected when a device's clock is more than 5 s wrong, and when it is set.
    package var correctsClock = true
    /// The unit, when it is known; otherwise each run's own events decide, and say no playhead until they do.
    package var unit: Unit?

    package init() {}
}
