internal import PluginKit

/// How the reporter sends, keeps and gives up, as configured.
struct HTTPConfiguration: Sendable {
    /// When a session counts as settled, so that the player hears of its end.
    enum Settled: String, Sendable, CaseIterable {
        /// Its beacons were answered, or given up.
        case sent
        /// Its beacons are committed to the spool.
        case committed
    }

    /// The spool's file; nil keeps what waits in memory.
    var spool: String?
    /// Requests at the same time to one destination.
    var concurrency = 4
    /// How long a request may take, and how long a connection may take to come about, ms.
    var timeout = 30_000
    var connectTimeout = 10_000
    /// How long what was taken may wait for its commit, ms.
    var commitInterval: Int64 = 500
    /// How long the end of the program waits for answers, ms.
    var drain: Int64 = 5_000
    /// How long a spool that cannot be written may hold up what comes, ms.
    var patience: Int64 = 60_000
    /// The largest spool, bytes.
    var largest: Int64 = 256 << 20
    var retry = RetryPolicy()
    var settled = Settled.sent
    /// Nothing is sent or kept.
    var quiet = false
    /// The header that carries a beacon's identity; empty for none.
    var idempotencyHeader = ""
    /// `http://proxy:3128`; empty for the environment's.
    var proxy = ""
    /// A file of certificates to trust in place of the system's; empty for the system's.
    var authority = ""
    var credentials: [String: CredentialSource] = [:]

    /// Reads a configuration that fits the schema.
    init(_ json: JSONValue) throws(ConfigurationError) {
        let path = try json.text("spool", default: "")
        spool = path.isEmpty ? nil : path
        concurrency = Int(try json.integer("concurrency", in: 1...64, default: 4))
        timeout = Int(try json.integer("timeout_ms", in: 100...600_000, default: 30_000))
        connectTimeout = Int(try json.integer("connect_timeout_ms", in: 100...600_000, default: 10_000))
        commitInterval = try json.integer("commit_ms", in: 1...500, default: 500)
        drain = try json.integer("drain_ms", in: 0...600_000, default: 5_000)
        patience = try json.integer("patience_ms", in: 0...86_400_000, default: 60_000)
        largest = try json.integer("largest_mib", in: 1...1 << 20, default: 256) << 20
        settled = Settled(rawValue: try json.choice("settled", of: ["sent", "committed"], default: "sent")) ?? .sent
        quiet = try json.flag("quiet", default: false)
        idempotencyHeader = try json.text("idempotency_header", default: "")
        proxy = try json.text("proxy", default: "")
        guard !proxy.contains("@") else {
            throw .unusable(
                key: "proxy",
                value: "(not shown)",
                expected: "an address without a password, which belongs into the environment: https_proxy"
            )
        }
        authority = try json.text("authority", default: "")
        retry = try RetryPolicy(json["retry"] ?? .object([:]))
        for member in json["credentials"]?.object ?? [:] {
            credentials[member.key] = try CredentialSource(member.value, name: member.key)
        }
    }

    static let schema = #"""
        {"type":"object","additionalProperties":false,"properties":{
        "spool":{"type":"string","description":"file that keeps what was taken until it is answered; without it, memory"},
        "concurrency":{"type":"integer","minimum":1,"maximum":64,"default":4,
        "description":"requests at the same time to one destination"},
        "timeout_ms":{"type":"integer","minimum":100,"maximum":600000,"default":30000,
        "description":"how long a request may take"},
        "connect_timeout_ms":{"type":"integer","minimum":100,"maximum":600000,"default":10000,
        "description":"how long a connection may take to come about"},
        "commit_ms":{"type":"integer","minimum":1,"maximum":500,"default":500,
        "description":"how long what was taken may wait for its commit"},
        "drain_ms":{"type":"integer","minimum":0,"maximum":600000,"default":5000,
        "description":"how long the end of the program waits for answers"},
        "patience_ms":{"type":"integer","minimum":0,"maximum":86400000,"default":60000,
        "description":"how long a spool that cannot be written may hold up what comes"},
        "largest_mib":{"type":"integer","minimum":1,"maximum":1048576,"default":256,
        "description":"largest spool; the oldest beacons make way"},
        "settled":{"type":"string","enum":["sent","committed"],"default":"sent",
        "description":"when a session counts as settled"},
        "quiet":{"type":"boolean","default":false,"description":"keep and send nothing"},
        "idempotency_header":{"type":"string","default":"",
        "description":"header that carries run, instance and number of a beacon"},
        "proxy":{"type":"string","default":"","description":"proxy to use in place of the environment's"},
        "authority":{"type":"string","default":"","description":"file of certificates to trust in place of the system's"},
        "retry":{"type":"object","additionalProperties":false,"properties":{
        "first_ms":{"type":"integer","minimum":1,"maximum":3600000,"default":500,"description":"wait after the first failure"},
        "longest_ms":{"type":"integer","minimum":1,"maximum":3600000,"default":300000,"description":"longest wait"},
        "attempts":{"type":"integer","minimum":1,"maximum":1000000,"default":100,"description":"tries before giving up"},
        "age_s":{"type":"integer","minimum":1,"maximum":31536000,"default":43200,"description":"age at which to give up"}}},
        "credentials":{"type":"object","description":"secrets by name","additionalProperties":{
        "type":"object","additionalProperties":false,"properties":{
        "header":{"type":"string","minLength":1,"description":"header that carries it"},
        "query":{"type":"string","minLength":1,"description":"parameter of the address that carries it"},
        "prefix":{"type":"string","default":"","description":"text before it, such as Bearer and a space"},
        "environment":{"type":"string","minLength":1,"description":"environment variable that holds it"},
        "file":{"type":"string","minLength":1,"description":"file of mode 0600 that holds it"}}}}}}
        """#
}

/// How long to wait after a failure, and when to give up.
package struct RetryPolicy: Sendable, Equatable {
    /// The wait after the first failure, and the longest, ms.
    var first: Int64 = 500
    var longest: Int64 = 300_000
    /// Tries before a beacon is given up.
    var attempts: Int64 = 100
    /// Age at which a beacon is given up, ms.
    var age: Int64 = 43_200_000

    /// The waits and limits that hold without configuration.
    package init() {}

    init(_ json: JSONValue) throws(ConfigurationError) {
        first = try json.integer("first_ms", in: 1...3_600_000, default: first)
        longest = try json.integer("longest_ms", in: 1...3_600_000, default: longest)
        attempts = try json.integer("attempts", in: 1...1_000_000, default: attempts)
        age = try json.integer("age_s", in: 1...31_536_000, default: age / 1000) * 1000
        guard first <= longest else {
            throw .unusable(key: "retry.first_ms", value: "\(first)", expected: "at most retry.longest_ms, \(longest)")
        }
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
