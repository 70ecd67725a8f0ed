package import HTTPTransfer
internal import Metrics
package import PluginKit
package import Spooling

/// What the reporter is configured with.
package struct OTLPConfiguration: HTTPDeliveryConfiguration {
    /// How it keeps, tries again and gives up.
    package var spooling = SpoolOptions()
    /// How it sends.
    package var transfer = TransferOptions()
    var endpoint = "http://localhost:4318"
    var encoding = Encoding.protobuf
    var signals = Signal.allCases
    /// Whether player events go out as logs, besides records.
    var events = false
    /// Whether attributes that may tell who watches go out.
    var personal = false
    var compresses = true
    /// The name of the secret to add; empty for none.
    var credential = ""
    var serviceName = "tally"
    /// Further attributes of the resource.
    var resource: [(name: String, value: String)] = []
    /// By what the points of metrics are told apart.
    var metricAttributes = ["stream_type", "video_cdn", "country", "application_version"]
    /// The run time that a request holds at most, ms.
    var interval: Int64 = 5_000

    /// What is taken.
    var wants: OutputKinds {
        var wants: OutputKinds = [.events, .sessions, .runs, .gaps]
        if signals.contains(.logs) { wants.insert(.records) }
        // Without a spool on the disk it does not know what an earlier process has sent.
        if spooling.spool != nil { wants.insert(.recovered) }
        return wants
    }

    package init() {}

    package static let keys =
        [
            Key(
                "endpoint",
                \.endpoint,
                address,
                "Address of the collector, to which `/v1/logs`, `/v1/traces` and `/v1/metrics` are added."
            ),
            Key("encoding", \.encoding, .word, "Form of the requests."),
            Key(
                "signals",
                \.signals,
                .list(of: .word, least: 1, most: Signal.allCases.count).withoutShownDefault,
                "What is sent; all unless given."
            ),
            Key("events", \.events, .flag, "Send player events as logs, too, but for playhead samples."),
            Key("personal", \.personal, .flag, "Send attributes that may tell who watches."),
            Key("gzip", \.compresses, .flag, "Compress requests."),
            Key("credential", \.credential, .text.withoutShownDefault, "Secret to add, by its name in `credentials`."),
            Key("service_name", \.serviceName, .nonEmptyText("a name"), "The resource's `service.name`."),
            Key(
                "resource",
                .members(of: .text),
                "Further attributes of the resource, such as `\"deployment.environment.name\": \"production\"`."
            ) { $1.resource = $0 },
            Key(
                "metric_attributes",
                \.metricAttributes,
                .list(of: .text(bytes: 1...64), most: 16),
                "Attributes of the video, or `rendition`, that the points of metrics are told apart by."
            ),
            Key(
                "interval_ms",
                \.interval,
                .integer(100...600_000),
                "How much of a run's time a request holds at most. It ends with the session, too, and when it is large."
            ),
        ] + SpoolOptions.keys(of: .exports).map { $0.moved(to: \.spooling) }
        + TransferOptions.keys.map { $0.moved(to: \.transfer) }

    private static let address = ConfigurationForm.text.checked { text, key throws(ConfigurationError) in
        let expected = "an address such as http://localhost:4318"
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .unusable(key: key, value: "\"\(text)\"", expected: expected) }
        guard !text.contains("?"), !text.contains("#") else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: expected + ", without ? and #")
        }
        guard !text.contains("@") else {
            throw .unusable(key: key, value: "(not shown)", expected: expected + ", with secrets in \"credentials\"")
        }
    }

    /// A slash at the end is not doubled, and a secret that is asked for is there.
    package mutating func validate(at path: String) throws(ConfigurationError) {
        if !credential.isEmpty, !transfer.has(credential) {
            throw .unusable(key: "credential", value: "\"\(credential)\"", expected: "a name in \"credentials\"")
        }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        for (index, name) in metricAttributes.enumerated() where !personal && AttributeNames.isPersonal(name) {
            let expected = "an attribute that does not tell who watches, or set \"personal\""
            throw .unusable(key: "metric_attributes.\(index)", value: "\"\(name)\"", expected: expected)
        }
        for (name, _) in resource where ["service.name", "service.instance.id"].contains(name) {
            let expected = "nothing: \"service_name\" and the run say it"
            throw .unusable(key: "resource.\(name)", value: "a text", expected: expected)
        }
    }
}
