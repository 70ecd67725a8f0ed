internal import KafkaClient
internal import PluginKit
internal import Spooling

/// What the reporter is configured with.
struct KafkaConfiguration: DeclaredConfiguration {
    /// How it keeps, tries again and gives up.
    var spooling = SpoolOptions()
    var brokers = ""
    var topic = TopicName("tally")
    /// The topic of archive lines; nil sends none.
    var archive: TopicName?
    var events = false
    var records = true
    var beacons = true
    /// Whether a beacon's body that is JSON is written as JSON.
    var jsonBodies = false
    /// librdkafka's properties, by name.
    var options: [(name: String, value: String)] = []
    /// Properties whose values are secrets, by name.
    var secrets: [(name: String, value: SecretSource)] = []

    /// What is taken.
    var wants: OutputKinds {
        var wants: OutputKinds = .gaps
        if events { wants.insert(.events) }
        if records { wants.insert(.records) }
        if beacons { wants.insert(.beacons) }
        if archive != nil { wants.insert(.lines) }
        // Without a spool on the disk it does not know what an earlier process has sent.
        if spooling.spool != nil { wants.insert(.recovered) }
        return wants
    }

    static let keys =
        [
            Key(
                "brokers",
                \.brokers,
                .nonEmptyText("addresses of brokers, such as localhost:9092").withoutShownDefault,
                "Some of the cluster's brokers, as `host:port` separated by commas."
            ),
            Key(
                "topic",
                \.topic,
                TopicName.form,
                "Topic of events, records and beacons. `{kind}`, `{plugin}`, `{instance}`, `{name}` and "
                    + "`{attribute:NAME}` in it are what the output says."
            ),
            Key(
                "archive",
                \.archive,
                TopicName.form,
                "Topic of the lines of all runs' archives, which then is an archive. Without it they are not sent."
            ),
            Key("events", \.events, .flag, "Write player events."),
            Key("records", \.records, .flag, "Write records."),
            Key("beacons", \.beacons, .flag, "Write beacons."),
            Key("json_bodies", \.jsonBodies, .flag, "Write a beacon's body that is JSON as JSON."),
            Key(
                "options",
                .members(of: propertyValue),
                "Properties of librdkafka by their names, such as `\"compression.codec\": \"zstd\"`."
            ) { $1.options = $0 },
            Key(
                "secrets",
                .members(of: .declared),
                "Properties whose values are secrets, such as `sasl.password`, and where each is."
            ) { $1.secrets = $0 },
        ] + SpoolOptions.keys(of: .messages).map { $0.moved(to: \.spooling) }

    /// A property's value: librdkafka takes texts.
    private static let propertyValue = ConfigurationForm<String>(
        ["type": ["string", "number", "boolean"]],
        expected: "a string, a number or a boolean"
    ) { value, key throws(ConfigurationError) in
        if let text = value.string { return text }
        if let number = value.int { return "\(number)" }
        if let number = value.double { return "\(number)" }
        if let truth = value.bool { return "\(truth)" }
        throw .wrongKind(key: key, found: value.kind, expected: "a string, a number or a boolean")
    }

    /// What goes before the properties that are configured: they have the last word.
    private var defaults: [(String, String)] {
        [
            ("client.id", "tally"), ("enable.idempotence", "true"), ("acks", "all"),
            // More waits in the spool, or in the host's queue.
            ("queue.buffering.max.kbytes", "\(Self.queuedBytes >> 10)"),
            ("message.timeout.ms", "\(min(spooling.retry.age, Int64(Int32.max)))"),
        ]
    }

    /// Properties that name brokers in the place of ``brokers``; the last has librdkafka make some.
    private static let naming = ["bootstrap.servers", "metadata.broker.list", "test.mock.num.brokers"]

    /// Bytes that may wait in librdkafka.
    static let queuedBytes = 16 << 20

    /// Whether the value of a property of librdkafka's is a secret by its name.
    private static func isSecret(_ name: String) -> Bool {
        ["password", "secret", "ssl.key.pem"].contains { name.hasSuffix($0) }
    }

    /// Each property is one that librdkafka knows, with a value that it takes.
    mutating func validate(at path: String) throws(ConfigurationError) {
        var settings = KafkaSettings()
        for (name, value) in options {
            guard name != "transactional.id" else {
                throw .unusable(key: "options.\(name)", value: "\"\(value)\"", expected: "no value: it sends without")
            }
            guard !Self.isSecret(name) else {
                throw .unusable(key: "options.\(name)", value: "(not shown)", expected: "its place in \"secrets\"")
            }
            do throws(KafkaFailure) {
                try settings.set(name, value)
            } catch {
                let expected = "what librdkafka takes: \(error)"
                throw .unusable(key: "options.\(name)", value: "\"\(value)\"", expected: expected)
            }
        }
    }

    /// All properties of a producer, with the secrets, which are read now.
    func settings() throws(ReporterFault) -> KafkaSettings {
        guard !brokers.isEmpty || options.contains(where: { Self.naming.contains($0.name) }) else {
            throw ReporterFault("no broker is named; set \"brokers\", such as to localhost:9092")
        }
        var settings = KafkaSettings()
        do throws(KafkaFailure) {
            if !brokers.isEmpty { try settings.set("bootstrap.servers", brokers) }
            for (name, value) in defaults + options { try settings.set(name, value) }
        } catch {
            throw ReporterFault("librdkafka refuses the configuration: \(error)")
        }
        for (name, source) in secrets {
            let secret: String
            do throws(SecretPlace.Failure) {
                secret = try source.read(name)
            } catch {
                throw ReporterFault(error.description)
            }
            // What librdkafka says of it might have it in it.
            guard (try? settings.set(name, secret)) != nil else {
                throw ReporterFault("librdkafka does not take \"secrets.\(name)\": check the property's name")
            }
        }
        return settings
    }
}
