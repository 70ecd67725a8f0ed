package import AdobeShared
package import PluginKit

/// What can be configured (Adobe VHL 1.4, "Instantiation and configuration").
package struct HeartbeatConfiguration: DeclaredConfiguration, Equatable {
    /// Which version of the library the tracker behaves as.
    package var compatibility = Compatibility.v14
    /// Host of the heartbeat end-point, without a protocol.
    package var trackingServer = ""
    /// Processing job identifier.
    package var jobID = ""
    /// Name of the content publisher.
    package var publisher = ""
    /// Name of the distribution channel.
    package var channel = ""
    /// Name of the online video platform.
    package var ovp = "unknown"
    /// Version of the player application.
    package var sdk = "unknown"
    /// Whether trace lines are written.
    package var debugLogging = false
    /// Whether nothing is sent.
    package var quietMode = false
    /// Seconds of a quantum; the remote settings' trackingInterval.
    package var trackingInterval: Int64 = 10
    /// Whether application errors are sent; the remote settings' trackExternalErrors.
    package var trackExternalErrors = true
    /// Analytics visitor id; empty when there is none.
    package var analyticsID = ""
    /// Marketing cloud visitor id; empty when there is none.
    package var marketingCloudID = ""
    /// The Analytics settings, nil when the host handed none over.
    package var settings: SettingsBlock?

    /// What holds without a configuration; it is not valid.
    package init() {}

    /// What it wants beside it is checked where all plugins are known: set-up begins with the Analytics settings, then
    /// comes the Analytics tracker (Adobe VHL 1.4, "Video Heartbeat Plug-ins"), which 1.3.1 cannot do without, as it
    /// opens the Analytics session.
    ///
    /// So is what is mandatory: without it the tracker is in its error state.
    package static let remarks: JSONObject = [
        "x-needs": [
            ["key": "trackingServer"], ["key": "jobId"], ["key": "publisher"],
            ["key": .string(SettingsBlock.key), "when": ["compatibility": "1.3.1"]],
            ["plugin": "com.adobe.analytics", "when": ["compatibility": "1.3.1"]],
        ],
        "x-after": ["com.adobe.analytics"],
    ]

    /// What can be configured.
    ///
    /// A mandatory value that is missing or empty is no reason to refuse it: it leads to the error state.
    package static let keys = [
        Key("compatibility", \.compatibility, .word, "Which version of the library the tracker behaves as."),
        Key(
            "trackingServer",
            \.trackingServer,
            server,
            "Mandatory. Host that heartbeat calls are sent to, with a port and a path if needed; a protocol before it "
                + "is dropped."
        ),
        Key("jobId", \.jobID, .text.withoutShownDefault, "Mandatory. Processing job identifier."),
        Key("publisher", \.publisher, .text.withoutShownDefault, "Mandatory. Name of the content publisher."),
        Key("channel", \.channel, .text, "Name of the distribution channel."),
        Key("ovp", \.ovp, .text, "Name of the online video platform."),
        Key("sdk", \.sdk, .text, "Version of the player application."),
        Key("debugLogging", \.debugLogging, .flag, "Writes trace lines into the host's log; off in production."),
        Key("quietMode", \.quietMode, .flag, "Nothing is sent."),
        Key(
            "trackingInterval",
            \.trackingInterval,
            .integer(1...600),
            "Seconds of a quantum; in the library this comes from a file on the server."
        ),
        Key("trackExternalErrors", \.trackExternalErrors, .flag, "Sends application errors; from the same file."),
        Key("aid", \.analyticsID, .text, "Analytics visitor id."),
        Key("mid", \.marketingCloudID, .text, "Marketing cloud visitor id."),
        Key(
            SettingsBlock.key,
            \.settings,
            SettingsBlock.form,
            "Not set here: the programs put in what `\(SettingsBlock.path)` beside the configuration file holds; rsids, "
                + "server and ssl of it go into each request, and ssl decides between http and https."
        ),
    ]

    private static let server = ConfigurationForm.text.map({ HostName.withoutProtocol($0) }, back: { _ in nil })

    /// Why nothing can be tracked with it; nil when all is well.
    ///
    /// The conditions are those of the guides: mandatory parameters, an invalid end-point, and in 1.3.1 the absence of
    /// the report suite (Adobe VHL 1.3.1, "Monitor the Error State").
    package var problem: String? {
        if trackingServer.isEmpty { return "trackingServer is missing or empty" }
        if !HostName.isUsable(trackingServer) {
            return "trackingServer \"\(trackingServer)\" is no host with an optional port and path"
        }
        if jobID.isEmpty { return "jobId is missing or empty" }
        if publisher.isEmpty { return "publisher is missing or empty" }
        guard compatibility == .v131 else { return nil }
        guard let settings, !settings.reportSuites.isEmpty else {
            return "1.3.1 needs analytics.rsids in \(SettingsBlock.fileName)"
        }
        guard !settings.server.isEmpty, HostName.isUsable(settings.server) else {
            return "1.3.1 needs a host as analytics.server in \(SettingsBlock.fileName)"
        }
        return nil
    }
}

/// Which version of the Video Heartbeat library the tracker behaves as.
package enum Compatibility: String, Sendable, CaseIterable {
    /// Version 1.4, API level 2.
    case v14 = "1.4"
    /// Version 1.3.1, API level 1.
    case v131 = "1.3.1"

    /// What `l:sp:hb_api_lvl` says.
    package var apiLevel: Int64 { self == .v14 ? 2 : 1 }

    /// How trace lines look.
    package var traceStyle: TraceStyle { self == .v14 ? .leveled : .prefixed }

    /// What is added to a break's position, which players count from 1: 1.3.1 counts from 0.
    var breakPositionShift: Int64 { self == .v14 ? 0 : -1 }
}
