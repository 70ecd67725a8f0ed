internal import PluginKit

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
