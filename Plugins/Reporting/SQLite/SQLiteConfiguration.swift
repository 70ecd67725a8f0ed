internal import MetricTables
internal import PluginKit

/// What the reporter is configured with.
struct SQLiteConfiguration: DeclaredConfiguration {
    /// When a commit waits for the disk.
    enum Synchronous: String, CaseIterable {
        /// When SQLite moves its log into the file.
        case normal
        /// Each time.
        case full
    }

    var path = ""
    /// What is kept.
    var tables = TableOptions()
    var synchronous = Synchronous.normal
    /// The largest size of the file, MiB; 0 for any.
    var largest: Int64 = 0
    /// How long what cannot be written is kept waiting before it is dropped, ms.
    var patience: Int64 = 10_000

    static let keys =
        [
            Key(
                "path",
                \.path,
                file,
                required: true,
                "File of the database. It is made when it is not there; its folder is not."
            )
        ] + TableOptions.keys.map { $0.moved(to: \.tables) } + [
            Key(
                "synchronous",
                \.synchronous,
                .word,
                "`full` waits for the disk at each commit; `normal` only when SQLite moves its log into the file."
            ),
            Key(
                "largest_mib",
                \.largest,
                .integer(0...1_048_576),
                "Largest size of the file, 0 for any. A file of that size is treated like a full disk."
            ),
            Key(
                "patience_ms",
                \.patience,
                .integer(0...600_000),
                "How long outputs that cannot be written wait before they are dropped."
            ),
        ]

    private static let file = ConfigurationForm.nonEmptyText("a file's path").checked {
        path,
        key throws(ConfigurationError) in
        if path == ":memory:" { throw .unusable(key: key, value: "\"\(path)\"", expected: "a file's path") }
    }
}
