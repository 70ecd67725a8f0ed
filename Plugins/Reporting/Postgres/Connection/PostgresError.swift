/// Why PostgreSQL did not do what it was asked for.
enum PostgresError: Error, CustomStringConvertible {
    /// No connection comes about.
    case unreachable(String)
    /// The connection broke, or no answer came in time.
    case lost(String)
    /// The server refused something, with its code (SQLSTATE).
    case refused(code: String, String)
    /// The schema has other tables.
    case foreign(schema: String)
    /// The tables are a later version's.
    case newer(schema: String, version: Int64, known: Int64)

    /// Whether trying again later may help, with another connection if need be.
    var mayPass: Bool {
        switch self {
        case .unreachable, .lost: true
        case .foreign, .newer: false
        case .refused(let code, _):
            // No room or no connection left, a server that stops or only reads, a conflict with another writer, the
            // system's own errors, a statement that was ended.
            ["08", "40", "53", "58"].contains(String(code.prefix(2)))
                || ["57P01", "57P02", "57P03", "57P05", "57014", "55P03", "25006"].contains(code)
        }
    }

    /// One line: what, where, what to do.
    var description: String {
        switch self {
        case .unreachable(let reason): "the database cannot be reached: \(reason)"
        case .lost(let reason): "the connection to the database is lost: \(reason)"
        case .refused(let code, let reason): "the database refuses it (\(code)): \(reason)\(Self.advice(code))"
        case .foreign(let schema):
            "the schema \"\(schema)\" has tables of something else and was left as it is; set \"schema\" to another one"
        case .newer(let schema, let version, let known):
            "the schema \"\(schema)\" has tables of version \(version), and this reporter knows them up to \(known); use a "
                + "later Tally, or set \"schema\" to another one"
        }
    }

    /// What to do about what a person has to change; empty for what is no matter of the configuration.
    private static func advice(_ code: String) -> String {
        switch code {
        case "3D000": "; make it (createdb), or name another one in \"connection\""
        case "28000", "28P01": "; see the user in \"connection\", where \"password\" is, and the server's pg_hba.conf"
        case "42501": "; let the user do it (GRANT), or name another one in \"connection\""
        default: ""
        }
    }
}
