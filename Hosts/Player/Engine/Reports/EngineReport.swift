/// An event with the time and the playhead at its occurrence.
package struct EngineReport: Sendable, Equatable {
    /// Nanoseconds of `CLOCK_BOOTTIME`; never less than those of the report before.
    package let timeNs: Int64
    /// The last known playhead in milliseconds, nil before the item is loaded.
    package let positionMs: Int64?
    /// What happened.
    package let event: EngineEvent

    /// Makes a report.
    package init(timeNs: Int64, positionMs: Int64?, event: EngineEvent) {
        self.timeNs = timeNs
        self.positionMs = positionMs
        self.event = event
    }
}
