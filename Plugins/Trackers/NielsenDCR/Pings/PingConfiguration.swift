/// What pings are made with; the defaults of the numbers are those of the vendor's published configurations.
package struct PingConfiguration: Sendable, Equatable {
    /// Where they go: scheme and host.
    package internal(set) var origin = CollectionHost.standard
    /// `ci`.
    package internal(set) var clientID = ""
    /// The sub-brand of the App ID.
    package internal(set) var vcid = ""
    /// The device's hash.
    package internal(set) var nuid = "999"
    /// Length of a segment, s.
    package internal(set) var segmentSeconds: Int64 = 60
    /// Segments in a duration ping.
    package internal(set) var segmentsPerPing: Int64 = 5
    /// Viewed seconds that make a segment count.
    package internal(set) var creditSeconds: Int64 = 30
    /// A longer suspension makes a new stream, s.
    package internal(set) var pauseTimeoutSeconds: Int64 = 1800
}
