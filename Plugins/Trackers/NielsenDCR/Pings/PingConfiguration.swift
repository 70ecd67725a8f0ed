package import PluginKit

/// What pings are made with; the defaults of the numbers are those of the vendor's published configurations.
package struct PingConfiguration: Sendable, Equatable {
    /// Where they go: scheme and host.
    package let origin: String
    /// `ci`.
    package let clientID: String
    /// The sub-brand of the App ID.
    package let vcid: String
    /// The device's hash.
    package let nuid: String
    /// Length of a segment, s.
    package let segmentSeconds: Int64
    /// Segments in a duration ping.
    package let segmentsPerPing: Int64
    /// Viewed seconds that make a segment count.
    package let creditSeconds: Int64
    /// A longer suspension makes a new stream, s.
    package let pauseTimeoutSeconds: Int64

    /// What holds without a configuration.
    package init() {
        origin = CollectionHost.standard
        clientID = ""
        vcid = ""
        nuid = "999"
        segmentSeconds = 60
        segmentsPerPing = 5
        creditSeconds = 30
        pauseTimeoutSeconds = 1800
    }

    /// Reads a configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        origin = try CollectionHost.origin(
            json.text("collectionHost", default: CollectionHost.standard),
            key: "collectionHost",
            allowInsecure: json.flag("allowInsecure", default: false)
        )
        clientID = try json.text("clientId", default: "")
        vcid = try json.text("vcid", default: "")
        nuid = try json.text("nuid", default: "999")
        segmentSeconds = try json.integer("segmentSeconds", in: 1...3600, default: 60)
        segmentsPerPing = try json.integer("segmentsPerPing", in: 1...60, default: 5)
        creditSeconds = try json.integer("creditSeconds", in: 1...3600, default: 30)
        pauseTimeoutSeconds = try json.integer("pauseTimeoutSeconds", in: 1...86_400, default: 1800)
    }
}
