package import Coordinator
internal import PluginABI
package import PluginLoading
internal import System

/// What a reporter's plugin reaches the host through, and what the host knows of it.
///
/// Thread-safe.
@safe package final class ReporterLink: @unchecked Sendable {
    /// The configured name.
    package let name: String
    /// Takes the lines of the log.
    package let log: PluginLog
    /// The host structure that the plugin was given; as long-lived as this object.
    let host: UnsafeMutablePointer<tally_host>
    /// Wakes the loop when the plugin says that there is room again.
    let room = Condition(false)
    /// Called when the plugin says that there is room again, from any thread; set before there is a plugin.
    package var onReady: (@Sendable () -> Void)?
    /// Has the loop look after an instance whose process may have ended, from any thread; set before there is one.
    package var onEnded: (@Sendable () -> Void)?
    /// Called when the reporter has been given up, on the loop's thread.
    let onFailure = Lock<(@Sendable () -> Void)?>(nil)

    private struct State {
        var statistics = ReporterStatistics()
        var error = ""
        var lastToken: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
        /// Outputs that the queue lost since the plugin was last asked to flush.
        var lost: UInt64 = 0
        var gone = false
        /// Outputs that it said it lost as it was asked to bring them away.
        var lostInFlushes: UInt64 = 0
        /// Whether it says at its end what became of what it took, so that nobody else has to count.
        var accountsByItself = false
        /// Why the reporter has been given up; empty while it has not.
        var failure = ""
    }

    /// Somebody who waits for the answer to a flush.
    private struct Waiting {
        let done: @Sendable (FlushAnswer) -> Void
        /// Outputs that the plugin never saw.
        var lost: UInt64 = 0
        /// Whether the plugin was asked.
        var isAsked = false
    }

    private let state = Lock(State())
    /// What it offers to reporters; as long-lived as this object.
    private let table: UnsafeMutablePointer<tally_host_reporter>

    /// What it says of the host when a reporter asks; nil where the host does not say.
    private let status: (@Sendable () -> String?)?

    /// Makes what an instance reaches its host through.
    ///
    /// - Parameters:
    ///   - name: the configured name.
    ///   - log: takes the lines of the log.
    ///   - flags: bits `TALLY_HOST_...`.
    ///   - status: what the host's plugins are and did, JSON text; called from any thread, and waits for none. Nil
    ///     where the host does not say.
    package init(name: String, log: PluginLog, flags: UInt32, status: (@Sendable () -> String?)? = nil) {
        self.name = name
        self.log = log
        self.status = status
        unsafe table = Self.table(flags: flags)
        unsafe host = .allocate(capacity: 1)
        unsafe host.initialize(
            to: tally_host(
                struct_size: UInt32(MemoryLayout<tally_host>.size),
                abi_minor: TALLY_ABI_MINOR,
                host_data: nil,
                log: { host, level, message in
                    guard let link = unsafe ReporterLink.from(host) else { return }
                    unsafe link.log.write(link.name, level, message.text)
                },
                set_error: { host, _, text in
                    guard let link = unsafe ReporterLink.from(host) else { return }
                    let text = unsafe text.text
                    link.state.with { $0.error = text }
                },
                get_extension: { host, id in unsafe ReporterLink.from(host)?.table(of: String(cString: id)) }
            )
        )
        unsafe host.pointee.host_data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe host.deinitialize(count: 1)
        unsafe host.deallocate()
        unsafe table.deallocate()
    }

    var statistics: ReporterStatistics { state.with { $0.statistics } }

    /// Counts what became of outputs.
    func count(_ outcome: TakeOutcome) {
        let first = state.with { state -> Bool in
            state.statistics.taken += UInt64(outcome.taken)
            guard outcome.lost > 0 else { return false }
            state.statistics.dropped += UInt64(outcome.lost)
            state.statistics.errors += 1
            state.statistics.lastError = outcome.error
            return state.statistics.errors == 1
        }
        if first {
            log.write(name, TALLY_LOG_ERROR, "outputs are being lost: \(outcome.error)")
        }
    }

    /// Takes the text that the plugin set for the error it is returning.
    package func removeError() -> String {
        state.with { state in
            defer { state.error = "" }
            return state.error
        }
    }

    /// Keeps what the plugin says at its end.
    func keep(totals: String) { state.with { $0.statistics.totals = totals } }

    /// Counts outputs that the queue lost.
    func lost(_ count: UInt64) { state.with { $0.lost += count } }

    /// Why the reporter has been given up; empty while it has not.
    var failure: String { state.with { $0.failure } }

    /// The reporter has been given up, with the reason, or with an empty one is at work again.
    package func fail(_ reason: String) {
        state.with { $0.failure = reason }
        if !reason.isEmpty { onFailure.with { $0 }?() }
    }

    /// There is room again.
    package func ready() {
        state.with { $0.statistics.signs += 1 }
        room.change { $0 = true }
        onReady?()
    }

    /// Remembers whom to tell of a flush; nil when the plugin is gone and nobody will answer.
    package func expect(_ done: @escaping @Sendable (FlushAnswer) -> Void) -> UInt64? {
        state.with { state in
            guard !state.gone else { return nil }
            state.lastToken += 1
            state.waiting[state.lastToken] = Waiting(done: done)
            return state.lastToken
        }
    }

    /// The plugin is about to be asked to flush: what was lost up to here belongs to that flush.
    func asked(_ token: UInt64) {
        state.with { state in
            state.waiting[token]?.lost = state.lost
            state.waiting[token]?.isAsked = true
            state.lost = 0
        }
    }

    /// Whether the instance says at its end what became of what it took.
    func accountsByItself(_ truth: Bool) { state.with { $0.accountsByItself = truth } }

    /// Hands an answer on, and counts what it says is lost; an unknown or repeated token is left alone.
    package func answer(_ token: UInt64, _ answer: FlushAnswer) {
        guard let waiting = state.with({ $0.waiting.removeValue(forKey: token) }) else { return }
        count(lostInFlush: answer.dropped)
        var answer = answer
        answer.dropped += waiting.lost
        waiting.done(answer)
    }

    /// Counts what an instance that does not account for it itself says it lost since it was asked before.
    ///
    /// What it has told in `take` it may tell here again; and who lost more than it ever took is not to be believed.
    private func count(lostInFlush lost: UInt64) {
        let reason = state.with { state -> String? in
            guard lost > 0, !state.accountsByItself else { return nil }
            state.lostInFlushes = state.lostInFlushes.addingReportingOverflow(lost).partialValue
            guard state.lostInFlushes <= state.statistics.taken else { return nil }
            guard state.lostInFlushes > state.statistics.dropped else { return nil }
            let isFirst = state.statistics.errors == 0
            state.statistics.dropped = state.lostInFlushes
            state.statistics.errors += 1
            state.statistics.lastError =
                state.error.isEmpty ? "they could not be brought away when it was asked to" : state.error
            state.error = ""
            return isFirst ? state.statistics.lastError : nil
        }
        if let reason { log.write(name, TALLY_LOG_ERROR, "outputs are being lost: \(reason)") }
    }

    /// Answers what the plugin was asked and has not answered: its process has ended.
    package func answerAsked() {
        for token in state.with({ $0.waiting.filter(\.value.isAsked).keys }) { answer(token, FlushAnswer()) }
    }

    /// Answers all that is still open: the plugin is gone.
    func answerAll() {
        let open = state.with { state in
            defer { state.waiting.removeAll() }
            state.gone = true
            return Array(state.waiting.values)
        }
        for waiting in open {
            waiting.done(FlushAnswer(dropped: waiting.lost))
        }
    }

    private func table(of id: String) -> UnsafeRawPointer? {
        switch id {
        case TALLY_EXT_HOST_REPORTER: unsafe UnsafeRawPointer(table)
        case TALLY_EXT_STATUS where status != nil: unsafe UnsafeRawPointer(Self.statusTable)
        default: nil
        }
    }

    private func write(to sink: UnsafePointer<tally_sink>) -> tally_status {
        guard var text = status?() else { return TALLY_ERR_UNSUPPORTED }
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return TALLY_ERR_UNSUPPORTED }
            return unsafe sink.pointee.write(sink, start, bytes.count)
        }
    }

    private nonisolated(unsafe) static let statusTable: UnsafeMutablePointer<tally_host_status> = {
        let table = UnsafeMutablePointer<tally_host_status>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_host_status(
                struct_size: UInt32(MemoryLayout<tally_host_status>.size),
                reserved0: 0,
                write: { host, sink in unsafe ReporterLink.from(host)?.write(to: sink) ?? TALLY_ERR_INTERNAL }
            )
        )
        return unsafe table
    }()

    private static func from(_ host: UnsafePointer<tally_host>) -> ReporterLink? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<ReporterLink>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func table(flags: UInt32) -> UnsafeMutablePointer<tally_host_reporter> {
        let table = UnsafeMutablePointer<tally_host_reporter>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_host_reporter(
                struct_size: UInt32(MemoryLayout<tally_host_reporter>.size),
                flags: flags,
                ready: { host in
                    unsafe ReporterLink.from(host)?.ready()
                },
                flushed: { host, token, delivered, kept, dropped in
                    unsafe ReporterLink.from(host)?.answer(
                        token,
                        FlushAnswer(delivered: delivered, kept: kept, dropped: dropped)
                    )
                }
            )
        )
        return unsafe table
    }
}

/// What a reporter did so far.
public struct ReporterStatistics: Sendable, Equatable {
    /// Outputs that it took.
    public var taken: UInt64 = 0
    /// Outputs lost: to a full queue, or because the plugin failed on them.
    public var dropped: UInt64 = 0
    /// Outputs that a full queue cost, by the instance that had most in it; the core's have no name.
    public var lostOf: [String: UInt64] = [:]
    /// Errors that it returned.
    public var errors: UInt64 = 0
    /// The text of the last error, empty when there was none.
    public var lastError = ""

    /// Bytes of outputs that wait for it.
    public var queuedBytes = 0
    /// What it says at its end of what became of what it took, as JSON text; empty when it does not say.
    public var totals = ""
    /// How many times it said that there is room again, or while it was ended, that it still works.
    public var signs: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
}
