internal import Database

/// Why a file cannot be used as the reporter's database.
enum OpeningError: Error, CustomStringConvertible {
    /// SQLite could not open, read or write it.
    case database(DatabaseError)
    /// It is no database at all.
    case notDatabase(path: String)
    /// It is the database of something else.
    case foreign(path: String)
    /// A later version made it.
    case newer(path: String, version: Int64)

    init(_ error: DatabaseError) {
        // SQLITE_NOTADB: what is there is not damaged, it is something else.
        self = error.code & 0xFF == 26 ? .notDatabase(path: error.path) : .database(error)
    }

    /// One line: what, where, what to do.
    var description: String {
        switch self {
        case .database(let error): error.description
        case .notDatabase(let path):
            "'\(path)' is no SQLite database and was left as it is; set \"path\" to another file"
        case .foreign(let path):
            "'\(path)' is a database with other tables and was left as it is; set \"path\" to another file"
        case .newer(let path, let version):
            "'\(path)' has tables of version \(version), and this reporter knows them up to \(Schema.version); "
                + "use a later Tally, or set \"path\" to another file"
        }
    }
}
