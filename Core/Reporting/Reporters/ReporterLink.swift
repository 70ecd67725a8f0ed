internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import System

/// What a reporter's plugin reaches the host through, and what the host knows of it.
///
/// Thread-safe.
@safe final class ReporterLink: @unchecked Sendable {
    let name: String
    let log: PluginLog
    /// The host structure that the plugin was given; as long-lived as this object.
    let host: UnsafeMutablePointer<tally_host>
    /// Wakes the loop when the plugin says that there is room again.
    let room = Condition(false)

    private struct State {
        var statistics = ReporterStatistics()
        var error = ""
        var lastToken: UInt64 = 0
        var waiting: [UInt64: Waiting] = [:]
        /// Outputs that the queue lost since the plugin was last asked to flush.
        var lost: UInt64 = 0
        var gone = false
    }

    /// Somebody who waits for the answer to a flush.
    private struct Waiting {
        let done: @Sendable (FlushAnswer) -> Void
        /// Outputs that the plugin never saw.
        var lost: UInt64 = 0
    }

    private let state = Lock(State())
    /// Whether outputs wait until there is room for them.
    private let waitsForRoom: Bool

    init(name: String, log: PluginLog, waitsForRoom: Bool) {
        self.name = name
        self.log = log
        self.waitsForRoom = waitsForRoom
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
                get_extension: { host, id in
                    guard unsafe String(cString: id) == TALLY_EXT_HOST_REPORTER else { return nil }
                    let waits = unsafe ReporterLink.from(host)?.waitsForRoom == true
                    return unsafe UnsafeRawPointer(waits ? ReporterLink.waiting : ReporterLink.going)
                }
            )
        )
        unsafe host.pointee.host_data = unsafe Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe host.deinitialize(count: 1)
        unsafe host.deallocate()
    }

    var statistics: ReporterStatistics { state.with { $0.statistics } }

    /// Counts what became of a batch; negative `taken` is an error that cost all of `offered`.
    func count(offered: Int, taken: Int64) {
        let error = removeError()
        let first = state.with { state -> Bool in
            guard taken < 0 else {
                state.statistics.taken += UInt64(taken)
                return false
            }
            state.statistics.dropped += UInt64(offered)
            state.statistics.errors += 1
            state.statistics.lastError = error
            return state.statistics.errors == 1
        }
        if first {
            log.write(name, TALLY_LOG_ERROR, "outputs are being lost: \(error)")
        }
    }

    /// Takes the text that the plugin set for the error it is returning.
    func removeError() -> String {
        state.with { state in
            defer { state.error = "" }
            return state.error
        }
    }

    /// Keeps what the plugin says at its end.
    func keep(totals: String) { state.with { $0.statistics.totals = totals } }

    /// Counts outputs that the queue lost.
    func lost(_ count: UInt64) { state.with { $0.lost += count } }

    /// Remembers whom to tell of a flush; nil when the plugin is gone and nobody will answer.
    func expect(_ done: @escaping @Sendable (FlushAnswer) -> Void) -> UInt64? {
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
            state.lost = 0
        }
    }

    /// Hands an answer on; an unknown or repeated token is left alone.
    func answer(_ token: UInt64, _ answer: FlushAnswer) {
        guard let waiting = state.with({ $0.waiting.removeValue(forKey: token) }) else { return }
        var answer = answer
        answer.dropped += waiting.lost
        waiting.done(answer)
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

    private static func from(_ host: UnsafePointer<tally_host>) -> ReporterLink? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<ReporterLink>.fromOpaque($0).takeUnretainedValue() }
    }

    nonisolated(unsafe) private static let waiting = unsafe table(flags: TALLY_HOST_WAITS_FOR_ROOM)
    nonisolated(unsafe) private static let going = unsafe table(flags: 0)

    private static func table(flags: UInt32) -> UnsafeMutablePointer<tally_host_reporter> {
        let table = UnsafeMutablePointer<tally_host_reporter>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_host_reporter(
                struct_size: UInt32(MemoryLayout<tally_host_reporter>.size),
                flags: flags,
                ready: { host in
                    guard let link = unsafe ReporterLink.from(host) else { return }
                    link.state.with { $0.statistics.signs += 1 }
                    link.room.change { $0 = true }
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

    /// What it says at its end of what became of what it took, as JSON text; empty when it does not say.
    public var totals = ""
    /// How many times it said that there is room again, or while it was ended, that it still works.
    public var signs: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
}
