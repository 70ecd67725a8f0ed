// The names and what is said of them are the header's: the compiler holds each function against it.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CTally
internal import Glibc
internal import Tally
internal import TallyEmbedding
internal import TextEncoding

private let versionText = CText(TallyVersion.core)

@c @implementation public func tally_version() -> UnsafePointer<CChar>! { unsafe versionText.pointer }

@c @implementation public func tally_library_abi() -> UInt32 { UInt32(TALLY_LIBRARY_ABI) }

@c @implementation public func tally_open(
    _ options: UnsafePointer<tally_options>!,
    _ error: UnsafeMutablePointer<tally_error>!
) -> OpaquePointer! {
    ProcessEnd.acceptCopy()
    return unsafe CError.filling(error, else: nil) { () throws(EmbeddingError) in
        var said = unsafe tally_options()
        if let options = unsafe options {
            guard unsafe options.pointee.size > 0 else {
                throw EmbeddingError(
                    code: Int32(TALLY_ERROR_ARGUMENT),
                    "tally_open: the options have no size: make them with tally_options_default"
                )
            }
            unsafe SizedStructure.read(options, into: &said)
        }
        let reports = ReportQueue()
        let handle = try TallyHandle(unsafe EmbeddingOptions(said, reports), reports: reports)
        return unsafe OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
    }
}

@c @implementation public func tally_close(_ telemetry: OpaquePointer!, _ limitMs: Int64) -> Int32 {
    guard let telemetry = unsafe telemetry, !ProcessEnd.isOver else { return 0 }
    let handle = unsafe Unmanaged<TallyHandle>.fromOpaque(UnsafeRawPointer(telemetry))
    let open = unsafe handle.takeUnretainedValue().close(limit: max(0, limitMs))
    unsafe handle.release()
    return open
}

@c @implementation public func tally_perform(
    _ telemetry: OpaquePointer!,
    _ command: UnsafePointer<CChar>!,
    _ error: UnsafeMutablePointer<tally_error>!
) -> UnsafeMutablePointer<CChar>! {
    unsafe CError.filling(error, else: nil) { () throws(EmbeddingError) in
        let handle = try unsafe TallyHandle.open(telemetry, "tally_perform")
        guard let line = unsafe String(orNil: command) else {
            throw EmbeddingError(code: Int32(TALLY_ERROR_ARGUMENT), "tally_perform: the command is NULL")
        }
        return unsafe strdup(try handle.tally.perform(line).canonicalText)
    }
}

@c @implementation public func tally_recover(
    _ telemetry: OpaquePointer!,
    _ archives: UnsafePointer<CChar>!,
    _ error: UnsafeMutablePointer<tally_error>!
) -> Int64 {
    unsafe CError.filling(error, else: -1) { () throws(EmbeddingError) in
        let handle = try unsafe TallyHandle.open(telemetry, "tally_recover")
        guard let path = unsafe String(orNil: archives) else {
            throw EmbeddingError(code: Int32(TALLY_ERROR_ARGUMENT), "tally_recover: the path is NULL")
        }
        guard unsafe access(path, R_OK) == 0 else {
            throw EmbeddingError(
                code: Int32(TALLY_ERROR_INPUT),
                "tally_recover: \(path): there is no such file or folder, or it may not be read"
            )
        }
        return Int64(handle.tally.telemetry.recover(archives: path).count)
    }
}

@c @implementation public func tally_next_report(
    _ telemetry: OpaquePointer!,
    _ report: UnsafeMutablePointer<tally_report>!
) -> Bool {
    guard let handle = unsafe TallyHandle.behind(telemetry), let report = unsafe report, !ProcessEnd.isOver else {
        return false
    }
    return unsafe handle.reports.fetch(report)
}

@c @implementation public func tally_report_descriptor(_ telemetry: OpaquePointer!) -> Int32 {
    guard !ProcessEnd.isOver else { return -1 }
    return unsafe TallyHandle.behind(telemetry)?.reports.descriptor ?? -1
}

@c @implementation public func tally_free(_ memory: UnsafeMutableRawPointer!) { unsafe free(memory) }

extension TallyHandle {
    /// The object behind a pointer that C holds; nil for NULL.
    static func behind(_ pointer: OpaquePointer?) -> TallyHandle? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<TallyHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// The same, which a function needs.
    static func open(_ pointer: OpaquePointer?, _ function: StaticString) throws(EmbeddingError) -> TallyHandle {
        if let handle = unsafe behind(pointer) { return handle }
        throw EmbeddingError(code: Int32(TALLY_ERROR_ARGUMENT), "\(function): the telemetry is NULL: was it opened?")
    }
}

/// Errors as C takes them.
enum CError {
    /// Does something that may fail; in a process that is over it fails at once.
    static func filling<Value>(
        _ target: UnsafeMutablePointer<tally_error>?,
        else failed: Value,
        _ body: () throws(EmbeddingError) -> Value
    ) -> Value {
        do throws(EmbeddingError) {
            guard !ProcessEnd.isOver else {
                throw EmbeddingError(
                    code: EmbeddingError.ended,
                    "the process is about to end, or is a copy that fork() made: nothing is tracked in it"
                )
            }
            let value = try body()
            if let target = unsafe target { unsafe SizedStructure.copy(tally_error(), to: target) }
            return value
        } catch {
            if let target = unsafe target { unsafe write(error, to: target) }
            return failed
        }
    }

    private static func write(_ error: EmbeddingError, to target: UnsafeMutablePointer<tally_error>) {
        var filled = tally_error()
        filled.code = error.code
        unsafe withUnsafeMutableBytes(of: &filled.message) { room in
            // Cut between characters; the last byte stays zero.
            var text = error.message[...]
            while text.utf8.count >= room.count { text = text.dropLast() }
            unsafe room.copyBytes(from: text.utf8)
        }
        unsafe SizedStructure.copy(filled, to: target)
    }
}

extension EmbeddingOptions {
    /// What C says, with where log lines go.
    fileprivate init(_ said: tally_options, _ reports: ReportQueue) {
        self.init()
        unsafe configuration = String(orNil: said.configuration)
        unsafe plugins = String(orNil: said.plugins)
        unsafe pluginFolders = Self.list(said.plugin_folders, said.plugin_folder_count)
        unsafe settings = Self.list(said.settings, said.setting_count)
        unsafe archive = String(orNil: said.archive)
        unsafe store = String(orNil: said.store)
        unsafe control = String(orNil: said.control)
        unsafe claim = String(orNil: said.claim)
        unsafe program = String(orNil: said.program) ?? program
        let flags = unsafe Int(said.flags)
        recovers = flags & TALLY_OPEN_NO_RECOVERY == 0
        watchesCrashes = flags & TALLY_OPEN_WATCH_CRASHES != 0
        if flags & TALLY_OPEN_VERBOSE != 0 { lowestLevel = .debug }
        if let function = unsafe said.log {
            let sink = unsafe CLog(function: function, context: said.log_context)
            log = { sink.write($0) }
        } else if flags & TALLY_OPEN_LOG_REPORTS != 0 {
            let last = Self.warningsOnStandardError(of: program)
            log = { if !reports.add($0) { last($0) } }
        }
        if log != nil, flags & TALLY_OPEN_VERBOSE == 0 { lowestLevel = .info }
    }

    private static func list(_ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String] {
        guard let texts = unsafe texts else { return [] }
        return (0..<count).compactMap { unsafe String(orNil: texts[$0]) }
    }
}

/// The caller's function for log lines.
@safe private struct CLog: @unchecked Sendable {
    let function: tally_log_function
    let context: UnsafeMutableRawPointer?

    func write(_ line: LogLine) {
        unsafe line.instance.withCString { instance in
            unsafe line.message.withCString { unsafe function(context, line.level.rawValue, instance, $0) }
        }
    }
}
