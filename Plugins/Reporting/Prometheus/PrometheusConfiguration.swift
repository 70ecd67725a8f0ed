internal import PluginKit

/// What the reporter is configured with.
struct PrometheusConfiguration: DeclaredConfiguration {
    var listen = "127.0.0.1"
    var port = 9478
    var token: SecretSource?
    var allowedHosts: [String] = []
    /// The attributes of the video that become labels.
    var labels = ["stream_type", "video_cdn", "country"]
    var mostValues = 50
    var mostSeries = 200
    var exemplars = true
    /// How long a connection may be silent, s.
    var timeout = 30

    static let keys = [
        Key(
            "listen",
            \.listen,
            .nonEmptyText("an address of this machine"),
            "Address that Prometheus connects to: of this machine alone, or of others too, such as `0.0.0.0`. What is asked "
                + "and answered is not encrypted: others need a TLS proxy in front."
        ),
        Key("port", \.port, .integer(0...65_535), "Port that it connects to; 0 takes any that is free."),
        Key(
            "token",
            .declared,
            "Where the token is that Prometheus shows (`authorization`); without it nobody needs one."
        ) { $1.token = $0 },
        Key(
            "allowed_hosts",
            \.allowedHosts,
            .list(of: .nonEmptyText("a host's name"), most: 64),
            "Further names by which this server may be called, without ports, such as the one that a `scrape_config` has."
        ),
        Key(
            "labels",
            \.labels,
            .list(of: labelName, most: 8),
            "Attributes of the video that become labels: of few values, and none that says who watches."
        ),
        Key(
            "most_values",
            \.mostValues,
            .integer(1...1_000),
            "How many values of a label are told apart; sessions with others count for `other`."
        ),
        Key(
            "most_series",
            \.mostSeries,
            .integer(1...2_000),
            "How many combinations of labels are told apart; others count for `other` in every label."
        ),
        Key("exemplars", \.exemplars, .flag, "Name a run with each bucket of a histogram."),
        Key("timeout_s", \.timeout, .integer(1...600), "How long a connection may be silent until it is closed."),
    ]

    /// The name of a label: what Prometheus takes, and none of its own.
    private static let labelName = ConfigurationForm.nonEmptyText("an attribute's name").checked {
        text,
        key throws(ConfigurationError) in
        let isName = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        let begin = text.utf8.first ?? 0
        guard isName, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= begin), !text.hasPrefix("__"), text != "le" else {
            throw .unusable(
                key: key,
                value: "\"\(text)\"",
                expected: "letters, digits and _, not first a digit, and neither \"le\" nor what begins with __"
            )
        }
        guard !AttributeNames.isPersonal(text) else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: "an attribute that does not tell who watches")
        }
    }

    func validate(at _: String) throws(ConfigurationError) {
        for (index, label) in labels.enumerated() where labels[..<index].contains(label) {
            throw .unusable(key: "labels.\(index)", value: "\"\(label)\"", expected: "each label once")
        }
    }
}
