internal import CPostgres
internal import MetricTables
internal import PluginKit

/// What the reporter is configured with.
struct PostgresConfiguration: DeclaredConfiguration {
    var connection = ""
    var password: SecretSource?
    var schema = "tally"
    /// What is kept.
    var tables = TableOptions()
    /// How long a statement may take, ms.
    var answer: Int64 = 20_000
    /// How long what cannot be written is kept waiting before it is dropped, ms.
    var patience: Int64 = 10_000

    static let keys =
        [
            Key(
                "connection",
                \.connection,
                address,
                "Server, database and user, as libpq takes them: `host=db.example.net dbname=tally user=tally` or an address "
                    + "`postgresql://tally@db.example.net/tally`. What it does not say is in the environment (`PGHOST` ...)."
            ),
            Key("password", .declared, "Where the user's password is.") { $1.password = $0 },
            Key("schema", \.schema, schemaName, "Schema of the tables and views. It is made when it is not there."),
        ] + TableOptions.keys.map { $0.moved(to: \.tables) } + [
            Key(
                "answer_ms",
                \.answer,
                .integer(100...600_000),
                "How long the server may take for one statement. After that the connection is given up, and made anew."
            ),
            Key(
                "patience_ms",
                \.patience,
                .integer(0...600_000),
                "How long outputs wait for a server that cannot be reached before they are dropped."
            ),
        ]

    /// A connection string without a password: what a message shows of it would show the password.
    private static let address = ConfigurationForm.text.checked { text, key throws(ConfigurationError) in
        guard let options = unsafe PQconninfoParse(text, nil) else {
            throw .unusable(
                key: key,
                value: "(not shown: it may have a password)",
                expected:
                    "a connection string or an address as libpq takes them, such as \"host=localhost dbname=tally\""
            )
        }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while unsafe option.pointee.keyword != nil {
            if unsafe String(cString: option.pointee.keyword) == "password", unsafe option.pointee.val != nil {
                throw .unusable(
                    key: key,
                    value: "a text with a password",
                    expected: "one without: say in \"password\" which variable or file has it"
                )
            }
            unsafe option += 1
        }
    }

    private static let schemaName = ConfigurationForm.text(bytes: 1...63).checked {
        text,
        key throws(ConfigurationError) in
        guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }), !text.hasPrefix("pg_")
        else {
            throw .unusable(
                key: key,
                value: "\"\(text)\"",
                expected: "letters, digits and _, and no name that begins with pg_"
            )
        }
    }
}
