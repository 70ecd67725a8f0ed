internal import CPostgres
internal import Glibc
internal import PluginKit

/// A connection to PostgreSQL, used by one thread at a time.
///
/// No call takes longer than its limit: a server that does not answer is as good as none.
@safe final class PostgresConnection {
    private let handle: OpaquePointer
    /// How long an answer may take, ms.
    private let limit: Int64

    /// Connects, within 5 s.
    ///
    /// - Parameters:
    ///   - address: a connection string or an address, as libpq takes them.
    ///   - password: the user's password; nil leaves it to libpq.
    ///   - limit: how long each answer may take, ms.
    /// - Throws: that the server cannot be reached, or why it refuses.
    init(_ address: String, password: String?, limit: Int64) throws(PostgresError) {
        var settings = [
            ("dbname", address), ("application_name", "tally"), ("client_encoding", "UTF8"), ("keepalives_idle", "10"),
            ("options", "-c statement_timeout=\(limit) -c client_min_messages=warning"),
        ]
        if let password { settings.append(("password", password)) }
        let names = unsafe settings.map { unsafe strdup($0.0) }
        let values = unsafe settings.map { unsafe strdup($0.1) }
        defer {
            for index in unsafe names.indices {
                unsafe free(names[index])
                unsafe free(values[index])
            }
        }
        let begun = unsafe PQconnectStartParams(
            names.map { unsafe UnsafePointer($0) } + [nil],
            values.map { unsafe UnsafePointer($0) } + [nil],
            1
        )
        guard let begun = unsafe begun else { throw .unreachable("there is no memory for it") }
        unsafe handle = begun
        self.limit = limit
        // Of a connection that does not come about the code is in the message alone.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        let end = Self.now() + 5_000
        var state = unsafe PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw unsafe Self.failure(PQerrorMessage(handle)) }
            guard awaitServer(until: end, writing: state == PGRES_POLLING_WRITING) else {
                throw .unreachable("it does not answer")
            }
            state = unsafe PQconnectPoll(handle)
        }
        // The details of an error may have what is personal: the values of a row.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_TERSE)
        unsafe PQsetnonblocking(handle, 1)
    }

    /// Why no connection came about: a server that answers says so with a code.
    private static func failure(_ message: UnsafePointer<CChar>?) -> PostgresError {
        let text = unsafe line(message)
        guard let code = text.firstMatch(of: #/[A-Z]+: +([0-9A-Z]{5}): /#) else { return .unreachable(text) }
        return .refused(code: String(code.output.1), text.replacing(#/ *[A-Z]+: +[0-9A-Z]{5}: /#, with: " "))
    }

    deinit { unsafe PQfinish(handle) }

    /// Runs statements without parameters.
    func run(_ statements: String) throws(PostgresError) {
        guard unsafe PQsendQuery(handle, statements) == 1 else { throw lost() }
        _ = try answer()
    }

    /// Runs a statement with parameters; a result's rows are texts, or nil for NULL.
    @discardableResult
    func run(_ statement: String, _ parameters: [String?]) throws(PostgresError) -> [[String?]] {
        let texts = unsafe parameters.map { text in unsafe text.map { unsafe strdup($0) } ?? nil }
        defer {
            for index in unsafe texts.indices { unsafe free(texts[index]) }
        }
        let sent = unsafe PQsendQueryParams(
            handle,
            statement,
            Int32(texts.count),
            nil,
            texts.map { unsafe UnsafePointer($0) },
            nil,
            nil,
            0
        )
        guard sent == 1 else { throw lost() }
        return try answer()
    }

    /// Fills a table from rows in COPY's text form.
    func copy(_ rows: ByteBuffer, into table: String, _ columns: [String]) throws(PostgresError) {
        guard unsafe PQsendQuery(handle, "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN") == 1 else {
            throw lost()
        }
        _ = try answer(until: PGRES_COPY_IN)
        let end = Self.now() + limit
        let sent: PostgresError? = unsafe rows.withBytes { bytes in
            let text = UnsafeRawBufferPointer(bytes)
            guard let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            while true {
                switch unsafe PQputCopyData(handle, start, Int32(text.count)) {
                case 1: return nil
                case 0: if !wait(end, writing: true) { return lost() }
                default: return lost()
                }
            }
        }
        if let sent { throw sent }
        while true {
            let ended = unsafe PQputCopyEnd(handle, nil)
            if ended == 1 { break }
            guard ended == 0, wait(end, writing: true) else { throw lost() }
        }
        _ = try answer()
    }

    // MARK: - Answers

    /// The rows of the last result, once there are no more, or once there is one of a kind.
    private func answer(until kind: ExecStatusType? = nil) throws(PostgresError) -> [[String?]] {
        let end = Self.now() + limit
        var rows: [[String?]] = []
        var failure: PostgresError?
        while let result = try unsafe next(end) {
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK: rows = unsafe Self.rows(result)
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: unsafe failure = failure ?? error(result)
            case let found where found == kind: return rows
            default: break
            }
        }
        if let failure { throw failure }
        return rows
    }

    /// The next result; nil when there are no more.
    private func next(_ end: Int64) throws(PostgresError) -> OpaquePointer? {
        while true {
            let flushed = unsafe PQflush(handle)
            guard flushed >= 0 else { throw lost() }
            if flushed == 0, unsafe PQisBusy(handle) == 0 { return unsafe PQgetResult(handle) }
            guard wait(end, writing: flushed == 1) else { throw lost() }
        }
    }

    /// Waits for the server and reads what it says; false when the connection broke, or when it is too late.
    private func wait(_ end: Int64, writing: Bool) -> Bool {
        guard awaitServer(until: end, writing: writing) else { return false }
        return unsafe PQconsumeInput(handle) == 1
    }

    /// Waits until the server says something or, with `writing`, takes something; false when it is too late.
    private func awaitServer(until end: Int64, writing: Bool) -> Bool {
        let socket = unsafe PQsocket(handle)
        let left = end - Self.now()
        guard socket >= 0, left > 0 else { return false }
        var state = pollfd(fd: socket, events: Int16(writing ? POLLIN | POLLOUT : POLLIN), revents: 0)
        let found = unsafe poll(&state, 1, Int32(clamping: left))
        return found > 0 || found < 0 && errno == EINTR
    }

    private static func rows(_ result: OpaquePointer) -> [[String?]] {
        let columns = unsafe PQnfields(result)
        return unsafe (0..<PQntuples(result)).map { row in
            (0..<columns).map { column in
                guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
                return unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
    }

    private func error(_ result: OpaquePointer) -> PostgresError {
        let code = unsafe PQresultErrorField(result, Int32(UnicodeScalar("C").value)).map { unsafe String(cString: $0) }
        let message = unsafe Self.line(PQresultErrorMessage(result))
        guard let code, unsafe PQstatus(handle) == CONNECTION_OK else { return .lost(message) }
        return .refused(code: code, message)
    }

    private func lost() -> PostgresError {
        let reason = unsafe Self.line(PQerrorMessage(handle))
        return .lost(reason.isEmpty ? "no answer in \(limit) ms" : reason)
    }

    /// A message of libpq's, which may have several lines, as one.
    private static func line(_ message: UnsafePointer<CChar>?) -> String {
        guard let message = unsafe message else { return "" }
        let text = unsafe String(cString: message)
        return text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
            .map { String($0.drop { $0 == " " || $0 == "\t" }) }.joined(separator: "; ")
    }

    /// Milliseconds of a clock that is never set.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
