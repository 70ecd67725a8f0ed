package import AdobeShared
package import PluginKit

/// What can be configured: the vendor's settings file, and what the application adds to it.
package struct AnalyticsConfiguration: Sendable, Equatable {
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

    /// JSON Schema of the configuration.
    package static let schema = """
        {
          "type": "object",
          "additionalProperties": false,
          "x-needs": [{ "key": "ADBMobileConfig" }],
          "properties": {
            "ADBMobileConfig": {
              "type": "object",
              "description": "Mandatory. The content of ADBMobileConfig.json, as the host hands it over."
            },
            "channel": {
              "type": "string",
              "default": "",
              "description": "Name of the distribution channel."
            },
            "aid": {
              "type": "string",
              "default": "",
              "description": "Analytics visitor id."
            },
            "mid": {
              "type": "string",
              "default": "",
              "description": "Marketing cloud visitor id."
            },
            "debugLogging": {
              "type": "boolean",
              "default": false,
              "description": "Writes trace lines into the host's log."
            },
            "quietMode": {
              "type": "boolean",
              "default": false,
              "description": "Nothing is sent."
            }
          }
        }
        """

    /// What holds without a configuration; nothing can be sent with it.
    package init() {}

    /// Reads a configuration; the report suite and the server are required (Adobe VHL 1.3.1, "Initialize / Configure").
    ///
    /// `kept` are the settings of a tracker that is configured anew, which stay when none are given.
    package init(_ json: JSONValue, keeping kept: SettingsBlock? = nil) throws(ConfigurationError) {
        guard let settings = try SettingsBlock(configuration: json) ?? kept else {
            throw .missing(key: SettingsBlock.key, expected: "the content of \(SettingsBlock.fileName)")
        }
        guard !settings.reportSuites.isEmpty else {
            throw .missing(
                key: "\(SettingsBlock.fileName): analytics.rsids",
                expected: "the report suites, separated by commas: the guides' account"
            )
        }
        guard !settings.server.isEmpty else {
            throw .missing(
                key: "\(SettingsBlock.fileName): analytics.server",
                expected: "the host of the Analytics end-point: the guides' trackingServer"
            )
        }
        guard HostName.isUsable(settings.server) else {
            throw .unusable(
                key: "\(SettingsBlock.fileName): analytics.server",
                value: "\"\(settings.server)\"",
                expected: "a host with an optional port and path"
            )
        }
        self.settings = settings
        channel = try json.text("channel", default: "")
        analyticsID = try json.text("aid", default: "")
        marketingCloudID = try json.text("mid", default: "")
        debugLogging = try json.flag("debugLogging", default: false)
        quietMode = try json.flag("quietMode", default: false)
    }
}
