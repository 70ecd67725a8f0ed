package import AdobeShared

/// Which version of the Video Heartbeat library the tracker behaves as.
package enum Compatibility: String, Sendable, CaseIterable {
    /// Version 1.4, API level 2.
    case v14 = "1.4"
    /// Version 1.3.1, API level 1.
    case v131 = "1.3.1"

    /// What `l:sp:hb_api_lvl` says.
    package var apiLevel: Int64 {
        self == .v14 ? 2 : 1
    }

    /// How trace lines look.
    package var traceStyle: TraceStyle {
        self == .v14 ? .leveled : .prefixed
    }

    /// What is added to a break's position, which players count from 1: 1.3.1 counts from 0.
    var breakPositionShift: Int64 {
        self == .v14 ? 0 : -1
    }
}
