package import PluginKit

/// How the reporter sends, keeps and gives up, as configured.
struct HTTPConfiguration: DeclaredConfiguration {
    /// When a session counts as settled, so that the player hears of its end.
    enum Settled: String, Sendable, CaseIterable {
        /// Its beacons were answered, or given up.
        case sent
        /// Its beacons are committed to the spool.
        case committed
    }

    /// The spool's file; empty keeps what waits in memory.
    var spoolPath = ""
    var concurrency = 4
    /// Times in ms.
    var timeout = 30_000
    var connectTimeout = 10_000
    var commitInterval: Int64 = 500
    var drain: Int64 = 5_000
    var patience: Int64 = 60_000
    /// The largest spool, bytes.
    var largest: Int64 = 256 << 20
    var retry = RetryPolicy()
    var settled = Settled.sent
    var quiet = false
    /// Reasons for which a beacon may be given up without being lost.
    var tolerated: [DropReason] = []
    /// The header that carries a beacon's identity; empty for none.
    var idempotencyHeader = ""
    /// `http://proxy:3128`; empty for the environment's.
    var proxy = ""
    /// A file of certificates to trust in place of the system's; empty for the system's.
    var authority = ""
    var credentials: [String: CredentialSource] = [:]

    /// The spool's file; nil keeps what waits in memory.
    var spool: String? { spoolPath.isEmpty ? nil : spoolPath }

    static let keys = [
        Key(
            "spool",
            \.spoolPath,
            .text.withoutShownDefault,
            "File that keeps what was taken until it is answered. Without it everything is in memory and gone with the "
                + "program."
        ),
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
        Key("commit_ms", \.commitInterval, .integer(1...500), "How long what was taken may wait for its commit."),
        Key(
            "drain_ms",
            \.drain,
            .integer(0...600_000),
            "How long the end of the program goes on sending. Requests under way then are waited for for 1 s more; the "
                + "rest waits for the next start."
        ),
        Key(
            "patience_ms",
            \.patience,
            .integer(0...86_400_000),
            "How long a spool that cannot be written may hold up what comes. After that it is refused."
        ),
        Key(
            "largest_mib",
            \.largest,
            .integer(1...1 << 20).scaled(by: 1 << 20),
            "Largest spool. When it is full a replay waits for room; in a live run the oldest beacons make way."
        ),
        Key(
            "tolerated",
            \.tolerated,
            .list(of: .word, most: DropReason.allCases.count),
            "Reasons for which beacons may be given up without the program ending with 74, such as `offline`."
        ),
        Key(
            "settled",
            \.settled,
            .word,
            "When a session counts as settled, so that the player hears `videoUnloaded`: when its beacons were "
                + "answered or given up, or when they are committed to the spool."
        ),
        Key("quiet", \.quiet, .flag, "Take everything, and keep and send nothing."),
        Key(
            "idempotency_header",
            \.idempotencyHeader,
            .text,
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
        Key("retry", \.retry, .declared, "Waits after failures, and when a beacon is given up."),
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
}

/// How long to wait after a failure, and when to give up.
package struct RetryPolicy: DeclaredConfiguration, Equatable {
    /// The wait after the first failure, and the longest, ms.
    var first: Int64 = 500
    var longest: Int64 = 300_000
    /// Tries before a beacon is given up.
    var attempts: Int64 = 100
    /// Age at which a beacon is given up, ms.
    var age: Int64 = 43_200_000

    /// The waits and limits that hold without configuration.
    package init() {}

    /// What can be configured.
    package static let keys = [
        Key("first_ms", \.first, .integer(1...3_600_000), "Wait after the first failure."),
        Key("longest_ms", \.longest, .integer(1...3_600_000), "Longest wait after failures."),
        Key(
            "attempts",
            \.attempts,
            .integer(1...1_000_000),
            "Tries that may have reached a server before a beacon is given up."
        ),
        Key(
            "age_s",
            \.age,
            .integer(1...31_536_000).scaled(by: 1000),
            "Age at which it is given up; 43200 is 12 hours. It holds for beacons that are taken from then on; a beacon's own, shorter limit goes first."
        ),
    ]

    /// The first wait is none that is longer than the longest.
    package func validate(at path: String) throws(ConfigurationError) {
        guard first > longest else { return }
        throw .unusable(key: "\(path).first_ms", value: "\(first)", expected: "at most \(path).longest_ms, \(longest)")
    }

    /// How long to wait after so many failures, ms: twice as long each time, and of that a random part of at least
    /// half, so that many players do not come back at once.
    package func delay(failures: Int64, random: UInt64) -> Int64 {
        let doublings = min(max(failures, 1) - 1, 40)
        let whole = min(
            longest,
            first.multipliedReportingOverflow(by: 1 << doublings).overflow ? longest : first << doublings
        )
        return whole / 2 + Int64(random % UInt64(whole / 2 + 1))
    }

    /// Whether the same request may do better another time: RFC 9110's temporary states.
    package static func mayRetry(status: Int) -> Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505: false
        default: status >= 500
        }
    }
}
