internal import Database
internal import Glibc
internal import PluginKit

/// What a spool is opened for.
enum SpoolUse {
    /// To keep what is taken: it is made when it is not there.
    case keeping
    /// To change what a spool has.
    case changing
    /// To be asked: nothing of it is changed.
    case reading
}

/// What a spool is of: what one reporter keeps, another one could not bring.
package enum SpoolKind: Int64, Sendable {
    /// Requests of the reporter `http`.
    case requests = 0x5461_6C53
    /// Messages of the reporter `kafka`.
    case messages = 0x5461_6C4B
    /// Export requests of the reporter `otlp`.
    case exports = 0x5461_6C4F
    /// Bodies of the reporter `cmcd`.
    case reports = 0x5461_6C52

    /// What the header of a spool's file has as SQLite's `application_id`.
    package var applicationID: Int64 { rawValue }
}

/// What lies at the path of a spool, as its first bytes say: SQLite changes a file as soon as it uses it.
enum SpoolFile {
    /// No file.
    case absent
    /// Nothing, or a database without tables: so much is left of a program that was killed while it made a spool.
    case empty
    /// A spool, whole or damaged.
    case spool
    /// Something else: why it is no spool.
    case foreign(String)

    /// Reads the first bytes of a file.
    init(at path: String, _ kind: SpoolKind) {
        let descriptor = unsafe Glibc.open(OutputPlace.name(of: path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // Why a file cannot be opened, SQLite says.
            self = errno == ENOENT ? .absent : .spool
            return
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            self = .foreign("it is no regular file")
            return
        }
        var header = [UInt8](repeating: 0, count: 108)
        let count = unsafe pread(descriptor, &header, header.count, 0)
        guard count > 0 else {
            self = .empty
            return
        }
        let identity = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
        let isDatabase = header.starts(with: "SQLite format 3\0".utf8)
        // The first page is a leaf without a cell while there are no tables.
        let isWithoutTables = identity == 0 && header[100] == 0x0D && header[103] == 0 && header[104] == 0
        if isDatabase, identity == kind.applicationID {
            self = .spool
        } else if isDatabase && isWithoutTables || Self.isHalfMade(path) {
            self = .empty
        } else {
            let isOther = isDatabase && SpoolKind(rawValue: identity) != nil
            self = .foreign(isOther ? Self.otherSpool : isDatabase ? Self.otherDatabase : Self.noDatabase)
        }
    }

    /// Refuses what is no spool, or not there, as far as a use needs one.
    func check(_ path: String, for use: SpoolUse) throws(DatabaseError) {
        switch self {
        case .spool: return
        case .foreign(let reason): throw Self.refusal(path, reason)
        case .absent where use != .keeping: throw DatabaseError(refused: "'\(path)' is not there", path)
        case .empty where use != .keeping: throw Self.refusal(path, "it is empty")
        case .absent, .empty: return
        }
    }

    /// Checks what SQLite has of a file that it opened, and gives whether there is anything yet.
    static func hasTables(_ database: Database, _ kind: SpoolKind) throws(DatabaseError) -> Bool {
        if try database.number("PRAGMA application_id") == kind.applicationID { return true }
        guard try database.number("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw refusal(database.path, otherDatabase)
        }
        return false
    }

    /// The error of a path at which no spool is.
    static func refusal(_ path: String, _ reason: String) -> DatabaseError {
        DatabaseError(
            refused: "'\(path)' is no spool (\(reason)) and was left as it is; name the file of a spool, or a new one",
            path
        )
    }

    static let noDatabase = "it is no SQLite database"
    private static let otherSpool = "it is one of another reporter"
    private static let otherDatabase = "it is a database of something else"

    /// Whether a journal lies beside it with which SQLite takes back what a program began to write.
    private static func isHalfMade(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(OutputPlace.name(of: path + "-journal"), &status) == 0 && status.st_size > 0
    }
}
