internal import CSQLite

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
    package init(damaged path: String) {
        unsafe self.init(SQLITE_CORRUPT, path, nil)
    }

    /// A file that another program reads or writes.
    package init(locked path: String) {
        unsafe self.init(SQLITE_BUSY, path, nil)
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
        let advice =
            switch kind {
            case .full: "make room on that disk"
            case .damaged: "move the file away; what can be read of it is kept"
            case .device: "check that the folder is there and may be written"
            case .locked: "another program uses it: end that one, or give each a file of its own"
            case .other: "this is SQLite's code \(code)"
            }
        return "the database '\(path)': \(text); \(advice)"
    }
}
