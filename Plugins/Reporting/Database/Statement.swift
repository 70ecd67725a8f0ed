internal import CSQLite

/// A prepared statement; values are bound by place from 1, columns are read by place from 0.
@safe package final class Statement {
    private let statement: OpaquePointer
    private let database: Database

    init(_ statement: OpaquePointer, database: Database) {
        unsafe self.statement = unsafe statement
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Sets a parameter to a number.
    package func bind(_ place: Int32, _ number: Int64) {
        unsafe sqlite3_bind_int64(statement, place, number)
    }

    /// Sets a parameter to a number with a fraction.
    package func bind(_ place: Int32, _ number: Double) {
        unsafe sqlite3_bind_double(statement, place, number)
    }

    /// Sets a parameter to text; copied.
    package func bind(_ place: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_bind_text(statement, place, characters.baseAddress, Int32(characters.count), Self.copied)
            }
        }
    }

    /// Sets a parameter to text that is given as UTF-8; copied.
    package func bind(_ place: Int32, text utf8: UnsafeRawBufferPointer) {
        // A null pointer would be NULL and not an empty text.
        guard let start = utf8.baseAddress, unsafe !utf8.isEmpty else { return bind(place, "") }
        let characters = unsafe start.assumingMemoryBound(to: CChar.self)
        unsafe sqlite3_bind_text(statement, place, characters, Int32(utf8.count), Self.copied)
    }

    /// Sets a parameter to bytes; copied.
    package func bind(_ place: Int32, _ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { bytes in
            // A null pointer would be NULL and not an empty value.
            unsafe bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, place, 0)
                : sqlite3_bind_blob(statement, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
        }
    }

    /// Sets a parameter to bytes that are not copied: they stay as they are until the statement has run.
    package func lend(_ place: Int32, _ bytes: UnsafeRawBufferPointer) {
        // A null pointer would be NULL and not an empty value.
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
            unsafe sqlite3_bind_zeroblob(statement, place, 0)
            return
        }
        unsafe sqlite3_bind_blob(statement, place, start, Int32(bytes.count), nil)
    }

    /// Sets a parameter to NULL.
    package func bindNull(_ place: Int32) { unsafe sqlite3_bind_null(statement, place) }

    /// Runs a statement that gives no rows with the values of another one's row, column by column.
    package func run(copying row: Statement, columns: Int32) throws(DatabaseError) {
        for column in 0..<columns {
            unsafe sqlite3_bind_value(statement, column + 1, sqlite3_column_value(row.statement, column))
        }
        try run()
    }

    /// Sets the first parameters; nil leaves one as it is, which is NULL at first.
    package func bind(_ values: [(any ParameterValue)?]) {
        for (index, value) in values.enumerated() { value?.bind(Int32(index + 1), of: self) }
    }

    /// Runs a statement that gives no rows, and makes it ready to be used again.
    package func run(_ values: [(any ParameterValue)?] = []) throws(DatabaseError) {
        defer { reset() }
        bind(values)
        _ = try step()
    }

    /// Reads all rows, and makes it ready to be used again.
    package func rows<Row>(
        _ values: [(any ParameterValue)?] = [],
        _ read: (Statement) -> Row
    ) throws(DatabaseError) -> [Row] {
        defer { reset() }
        bind(values)
        var rows: [Row] = []
        while try step() { rows.append(read(self)) }
        return rows
    }

    /// Whether there is another row to be read.
    package func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let status: throw database.error(status)
        }
    }

    /// Makes it ready to be used again; parameters are kept until they are set anew.
    package func reset() { unsafe sqlite3_reset(statement) }

    /// A column's number.
    package func int(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// A column's number with its fraction.
    package func double(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(statement, column)
    }

    /// Whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// A column's text, empty for NULL.
    package func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column's bytes, none for NULL.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Tells SQLite to copy what it is handed.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A value that a parameter of a statement can be set to.
package protocol ParameterValue {
    /// Sets the parameter at a place from 1.
    func bind(_ place: Int32, of statement: Statement)
}

extension Int64: ParameterValue {
    package func bind(_ place: Int32, of statement: Statement) { statement.bind(place, self) }
}

extension String: ParameterValue {
    package func bind(_ place: Int32, of statement: Statement) { statement.bind(place, self) }
}

extension [UInt8]: ParameterValue {
    package func bind(_ place: Int32, of statement: Statement) { statement.bind(place, self) }
}
