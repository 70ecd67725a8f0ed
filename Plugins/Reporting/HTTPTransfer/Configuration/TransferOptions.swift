package import PluginKit

/// How requests are sent, as configured.
package struct TransferOptions: DeclaredConfiguration {
    var concurrency = 4
    /// Times in ms.
    var timeout = 30_000
    var connectTimeout = 10_000
    /// The header that carries a beacon's identity; empty for none.
    var idempotencyHeader = ""
    /// `http://proxy:3128`; empty for the environment's.
    var proxy = ""
    /// A file of certificates to trust in place of the system's; empty for the system's.
    var authority = ""
    private var credentials: [String: CredentialSource] = [:]

    /// What holds without configuration.
    package init() {}

    /// What can be configured.
    package static let keys = [
        Key(
            "concurrency",
            \.concurrency,
            .integer(1...64),
            "Requests at the same time to one destination. All destinations together have 64."
        ),
        Key("timeout_ms", \.timeout, .integer(100...600_000), "How long a request may take."),
        Key(
            "connect_timeout_ms",
            \.connectTimeout,
            .integer(100...600_000),
            "How long a connection may take to come about."
        ),
        Key(
            "idempotency_header",
            \.idempotencyHeader,
            .headerName.withoutShownDefault,
            "Header that carries `run/instance/number` of the beacon, for servers that tell repeated requests by one."
        ),
        Key(
            "proxy",
            \.proxy,
            proxyAddress,
            "Proxy in place of the environment's (`http_proxy`, `https_proxy`, `no_proxy`)."
        ),
        Key(
            "authority",
            \.authority,
            .text,
            "File of certificates to trust in place of the system's. Certificates are always verified."
        ),
        Key("credentials", .members(of: .declared), "Secrets by the name that beacons call them.") {
            (sources: [(name: String, value: CredentialSource)], configuration) in
            for source in sources {
                configuration.credentials[source.name] = source.value
                configuration.credentials[source.name]?.name = source.name
            }
        },
    ]

    private static let proxyAddress = ConfigurationForm.text.checked { proxy, key throws(ConfigurationError) in
        guard proxy.contains("@") else { return }
        throw .unusable(
            key: key,
            value: "(not shown)",
            expected: "an address without a password, which belongs into the environment: https_proxy"
        )
    }

    /// Whether a secret is configured under a name.
    package func has(_ credential: String) -> Bool { credentials[credential] != nil }

    /// Secrets that were read, by name.
    package typealias Secrets = [String: Secret]

    /// Reads the secrets.
    ///
    /// - Throws: which of them cannot be had, and why; never a secret.
    package func secrets() throws(ReporterFault) -> Secrets {
        var secrets: Secrets = [:]
        for (name, source) in credentials {
            secrets[name] = Secret(carrier: source.carrier, text: try source.secret())
        }
        return secrets
    }

    /// A secret that was read, with what carries it.
    package struct Secret: Sendable {
        let carrier: CredentialSource.Carrier
        let text: String
    }
}
