package import AdobeShared
package import PluginKit

/// What can be configured: the vendor's settings file, and what the application adds to it.
package struct AnalyticsConfiguration: DeclaredConfiguration, Equatable {
    /// The settings file's content.
    package var settings = SettingsBlock()
    /// `a.media.channel`.
    package var channel = ""
    /// Analytics visitor id; empty when there is none.
    package var analyticsID = ""
    /// Marketing cloud visitor id; empty when there is none.
    package var marketingCloudID = ""
    /// Whether trace lines are written.
    package var debugLogging = false
    /// Whether nothing is sent.
    package var quietMode = false

    /// What holds without a configuration; nothing can be sent with it.
    package init() {}

    /// The settings file is needed: without it nothing is sent.
    package static let remarks: JSONObject = ["x-needs": [["key": .string(SettingsBlock.key)]]]

    /// What can be configured.
    package static let keys = [
        Key(
            SettingsBlock.key,
            SettingsBlock.form,
            "Mandatory, and not set here: the programs put in what `\(SettingsBlock.path)` beside the configuration file "
                + "holds."
        ) { $1.settings = $0 },
        Key("channel", \.channel, .text, "Name of the distribution channel: `a.media.channel`."),
        Key("aid", \.analyticsID, .text, "Analytics visitor id."),
        Key("mid", \.marketingCloudID, .text, "Marketing cloud visitor id."),
        Key("debugLogging", \.debugLogging, .flag, "Writes trace lines into the host's log; off in production."),
        Key("quietMode", \.quietMode, .flag, "Nothing is sent."),
    ]

    /// Reads a configuration; the report suite and the server are required (Adobe VHL 1.3.1, "Initialize / Configure").
    ///
    /// `kept` are the settings of a tracker that is configured anew, which stay when none are given.
    package init(_ json: JSONValue, keeping kept: SettingsBlock? = nil) throws(ConfigurationError) {
        let given = json[SettingsBlock.key] ?? .null
        guard kept != nil || !given.isNull else {
            throw .missing(
                key: SettingsBlock.key,
                expected: "the content of \(SettingsBlock.fileName), which the programs read from "
                    + "\(SettingsBlock.path) beside the configuration file, and from nowhere else"
            )
        }
        settings = kept ?? settings
        try read(json)
    }

    /// Checks what cannot be done without.
    package func validate(at _: String) throws(ConfigurationError) {
        guard !settings.reportSuites.isEmpty else {
            let expected = "the report suites, separated by commas: the guides' account"
            throw .missing(key: "\(SettingsBlock.fileName): analytics.rsids", expected: expected)
        }
        guard !settings.server.isEmpty else {
            let expected = "the host of the Analytics end-point: the guides' trackingServer"
            throw .missing(key: "\(SettingsBlock.fileName): analytics.server", expected: expected)
        }
        guard HostName.isUsable(settings.server) else {
            throw .unusable(
                key: "\(SettingsBlock.fileName): analytics.server",
                value: "\"\(settings.server)\"",
                expected: "a host with an optional port and path"
            )
        }
    }
}
