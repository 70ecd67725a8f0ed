package import PluginKit

/// How long to wait after a failure, and when to give up.
package struct RetryPolicy: DeclaredConfiguration, Equatable {
    /// The wait after the first failure, and the longest, ms.
    package var first: Int64 = 500
    package var longest: Int64 = 300_000
    /// Tries before a beacon is given up.
    package var attempts: Int64 = 100
    /// Age at which a beacon is given up, ms.
    package var age: Int64 = 43_200_000

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
}
