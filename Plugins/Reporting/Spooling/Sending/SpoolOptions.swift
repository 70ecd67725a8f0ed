package import PluginKit

/// How a reporter keeps, tries again and gives up, as configured.
package struct SpoolOptions: DeclaredConfiguration {
    /// When a session counts as settled, so that the player hears of its end.
    package enum Settled: String, Sendable, CaseIterable {
        /// What was taken of it was answered, or given up.
        case sent
        /// What was taken of it is committed to the spool.
        case committed
    }

    private var path = ""
    /// What the spool is of.
    package private(set) var kind = SpoolKind.requests
    /// Times in ms.
    package var commitInterval: Int64 = 500
    package var drain: Int64 = 5_000
    package var patience: Int64 = 60_000
    /// The largest spool, bytes.
    package var largest: Int64 = 256 << 20
    package var retry = RetryPolicy()
    package var settled = Settled.sent
    package var quiet = false
    /// Reasons for which a beacon may be given up without being lost.
    package var tolerated: [DropReason] = []

    /// The spool's file; nil keeps what waits in memory.
    package var spool: String? { path.isEmpty ? nil : path }

    /// What holds without configuration.
    package init() {}

    /// What can be configured.
    package static let keys: [ConfigurationKey<SpoolOptions>] = keys(of: .requests)

    /// The same for a spool of one kind, which the schema says, so that a host finds out whose a file is.
    package static func keys(of kind: SpoolKind) -> [ConfigurationKey<SpoolOptions>] {
        let file = ConfigurationForm.nonEmptyText("a file's path")
            .checked(["x-application-id": .int(kind.applicationID)])
        let spool = Key(
            "spool",
            file,
            "File that keeps what was taken until it is answered. Without it everything is in memory and gone with the "
                + "program."
        ) { ($1.path, $1.kind) = ($0, kind) }
        return [spool] + others
    }

    private static let others: [ConfigurationKey<SpoolOptions>] = [
        Key("commit_ms", \.commitInterval, .integer(1...500), "How long what was taken may wait for its commit."),
        Key(
            "drain_ms",
            \.drain,
            .integer(0...600_000),
            "How long the end of the program goes on sending. What is under way then is waited for for 1 s more; the "
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
            "Largest spool. When it is full a replay waits for room; in a live run the oldest make way."
        ),
        Key(
            "tolerated",
            \.tolerated,
            .list(of: .word, most: DropReason.allCases.count),
            "Reasons for which something may be given up without the program ending with 74, such as `offline`."
        ),
        Key(
            "settled",
            \.settled,
            .word,
            "When a session counts as settled, so that the player hears `videoUnloaded`: when what was taken of it was "
                + "answered or given up, or when it is committed to the spool."
        ),
        Key("quiet", \.quiet, .flag, "Take everything, and keep and send nothing."),
        Key("retry", \.retry, .declared, "Waits after failures, and when something is given up."),
    ]
}
