internal import CSQLite
internal import Glibc
internal import TextEncoding

/// A SQLite database, used by one thread at a time.
@safe package final class Database {
    /// The file, or `:memory:`.
    package let path: String
    private let handle: OpaquePointer

    /// Opens a file, or makes it; `:memory:` keeps everything in memory.
    ///
    /// With `isPrivate` a file that is made, and those beside it, can be read by nobody but its owner. `isForeignLink`
    /// refuses the path as a symbolic link that somebody else may have put there.
    package init(path: String, isPrivate: Bool = false, isForeignLink: Bool = false) throws(DatabaseError) {
        if isForeignLink { throw DatabaseError(foreignLink: path) }
        self.path = path
        if isPrivate, path != ":memory:" {
            // SQLite gives the files beside it the same mode. What cannot be made it tells by itself.
            let made = unsafe open(UndecodedText.path(path), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
            if made >= 0 { close(made) }
        }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let status = unsafe sqlite3_open_v2(UndecodedText.path(path), &opened, flags, nil)
        guard status == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe DatabaseError(status, path, opened)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = unsafe opened
        unsafe sqlite3_busy_timeout(handle, 5_000)
        unsafe sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
        // Of a large database in memory the allocator would keep a quarter.
        malloc_trim(0)
    }

    /// Runs statements that give no rows.
    package func run(_ statements: String) throws(DatabaseError) {
        let status = unsafe sqlite3_exec(handle, statements, nil, nil, nil)
        guard status == SQLITE_OK else { throw error(status) }
    }

    /// Prepares a statement, to be used again and again.
    package func prepare(_ text: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement = unsafe statement else { throw error(status) }
        return unsafe Statement(statement, database: self)
    }

    /// The number that a query gives first, 0 when it gives none.
    package func number(_ query: String) throws(DatabaseError) -> Int64 {
        let statement = try prepare(query)
        return try statement.step() ? statement.int(0) : 0
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last statement changed.
    package var changes: Int { unsafe Int(sqlite3_changes(handle)) }

    /// The place of the row that was inserted last.
    package var lastPlace: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    func error(_ status: Int32) -> DatabaseError { unsafe DatabaseError(status, path, handle) }
}

/// Why a database could not do what it was asked for.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
    /// What kind of reason it is: what can be done about it depends on that.
    package enum Kind: Sendable {
        /// There is no room on the disk.
        case full
        /// The file is damaged, or is no database.
        case damaged
        /// Reading or writing failed.
        case device
        /// Another program has it open.
        case locked
        /// What is there is nothing that may be used here, and stays as it is.
        case refused
        /// Anything else.
        case other
    }

    /// What kind of reason it is.
    package let kind: Kind
    /// The file.
    package let path: String
    /// SQLite's extended code.
    package let code: Int32
    private let text: String

    /// A file that a check found damaged.
    package init(damaged path: String) { unsafe self.init(SQLITE_CORRUPT, path, nil) }

    /// A file that another program reads or writes.
    package init(locked path: String) { unsafe self.init(SQLITE_BUSY, path, nil) }

    /// A file that its user refuses, in the user's words.
    package init(refused text: String, _ path: String) {
        (kind, self.path, code) = (.refused, path, SQLITE_CANTOPEN)
        self.text = text
    }

    fileprivate init(foreignLink path: String) {
        (kind, self.path, code) = (.device, path, SQLITE_CANTOPEN)
        text = "it is a symbolic link in a folder that others can write"
    }

    init(_ code: Int32, _ path: String, _ handle: OpaquePointer?) {
        self.code = code
        self.path = path
        text = unsafe String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
        kind =
            switch code & 0xFF {
            case SQLITE_FULL: .full
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: .device
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            default: .other
            }
    }

    /// One line: which file, what is wrong, and what to do.
    package var description: String {
        if kind == .refused { return text }
        let advice =
            switch kind {
            case .full: "make room on that disk"
            case .damaged: "move the file away; what can be read of it is kept"
            case .device: "check that the folder is there and may be written"
            case .locked: "another program uses it: end that one, or give each a file of its own"
            case .refused, .other: "this is SQLite's code \(code)"
            }
        return "the database '\(path)': \(text); \(advice)"
    }
}
