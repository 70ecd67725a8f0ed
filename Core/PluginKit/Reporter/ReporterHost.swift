internal import PluginABI
internal import TextEncoding

/// What a reporter may ask of its host; every call is allowed from any thread while the reporter is enabled.
@safe public final class ReporterHost: @unchecked Sendable {
    let port: HostPort
    // Written once, before the reporter can have threads.
    private var functions = ReporterFunctions()
    private var statusFunctions = StatusFunctions()

    init(_ port: HostPort) {
        self.port = port
    }

    /// Looks up the extension; gives its name when the host does not offer it.
    func connect() -> String? {
        guard let functions = port.table(TALLY_EXT_HOST_REPORTER, into: ReporterFunctions()),
            unsafe functions.flushed != nil
        else { return TALLY_EXT_HOST_REPORTER }
        self.functions = functions
        statusFunctions = port.table(TALLY_EXT_STATUS, into: StatusFunctions()) ?? StatusFunctions()
        return nil
    }

    /// Whether the host waits until there is room, however long, and drops nothing, as a replay does.
    ///
    /// Others go on, and drop the oldest outputs of a queue that is full.
    public var waitsForRoom: Bool { functions.flags & TALLY_HOST_WAITS_FOR_ROOM != 0 }

    /// Whether this instance goes on for one whose process has ended without a word: what that one wrote stays.
    public var goesOn: Bool { functions.flags & TALLY_HOST_GOES_ON != 0 }

    /// What the host's plugins are and did, JSON text; nil where the host does not say (`tally.status/1`).
    ///
    /// The header `tally_reporter.h` says what is in it.
    /// It waits for no thread: what belongs to one is as that thread said last.
    public var status: String? {
        guard let write = unsafe statusFunctions.write else { return nil }
        let text = ByteBuffer(capacity: 4096)
        var sink = unsafe tally_sink(ctx: Unmanaged.passUnretained(text).toOpaque()) { sink, bytes, count in
            guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
            let text = unsafe Unmanaged<ByteBuffer>.fromOpaque(context).takeUnretainedValue()
            unsafe text.append(UnsafeRawBufferPointer(start: bytes, count: count))
            return TALLY_OK
        }
        let status = unsafe write(port.host, &sink)
        return withExtendedLifetime(text) { status < TALLY_OK ? nil : text.string }
    }

    /// Writes a line to the host's log.
    public func log(_ level: LogLevel, _ text: String) {
        port.log(level, text)
    }

    /// Says that there is room again after ``Reporter/deliver(_:)`` took fewer than all.
    ///
    /// In ``Reporter/disable()`` it says that the reporter still works: one that needs longer to deliver what is left
    /// says so each second, or a host may leave it behind.
    public func ready() {
        unsafe functions.ready?(port.host)
    }

    /// Answers a request to flush, once.
    ///
    /// - Parameters:
    ///   - request: what is answered.
    ///   - delivered: outputs that arrived since the answer before.
    ///   - kept: outputs that are safe and will be delivered later.
    ///   - dropped: outputs that are lost.
    public func answer(_ request: FlushRequest, delivered: UInt64, kept: UInt64, dropped: UInt64) {
        unsafe functions.flushed?(port.host, request.token, delivered, kept, dropped)
    }
}
