internal import Glibc
internal import PluginKit
internal import Threads
internal import Viewing

/// What is shown, between the thread that takes outputs and those that answer browsers: each holds it for a moment.
final class LiveModel: Sendable {
    /// Bytes of the data of the page of one session.
    private static let pageBytes = 1 << 20
    /// Bytes of those of all sessions that go on.
    private static let openBytes = 256 << 20
    /// Bytes of pages of ended sessions that are held unpacked.
    private static let unpackedBytes = 16 << 20
    /// Places of the content of one page.
    private static let samples = 300

    private struct State {
        let sessions: ViewedSessions
        /// Outputs that were taken.
        var taken: UInt64 = 0
        /// Outputs that were taken when somebody looked last.
        var seen: UInt64 = 0
        /// Rises whenever there is something new.
        var version: UInt64 = 1
        /// When it rose last, us since 1970.
        var changed: Int64 = 0
    }

    private let state: Guarded<State>
    private let personal: Bool

    init(_ configuration: DashboardConfiguration) {
        var limits = ViewedSessions.Limits()
        limits.pages = configuration.sessionPages
        limits.pageBytes = Self.pageBytes
        limits.unpackedBytes = Self.unpackedBytes
        limits.openBytes = Self.openBytes
        limits.samples = Self.samples
        limits.keep = configuration.keep
        limits.stores = !configuration.database.isEmpty
        personal = configuration.personal
        let sessions = ViewedSessions(limits: limits, personal: personal, grouping: []) { page in
            let packed = Gzip.packed(page)
            return { packed }
        }
        sessions.advance(to: Self.wallClock())
        state = Guarded(State(sessions: sessions))
    }

    /// Takes outputs, which are lent for the call.
    func add(_ outputs: OutputBatch) {
        state.with { state in
            for output in outputs { state.sessions.look(at: output) }
            state.taken += UInt64(outputs.count)
        }
    }

    /// Looks at the clock; gives the version, which is another one when there is something new.
    func advance() -> UInt64 {
        let now = Self.wallClock()
        return state.with { state in
            state.sessions.advance(to: now)
            // Without an output, too, minutes pass and sessions are over for too long.
            if state.taken != state.seen || now - state.changed >= 10_000_000 {
                state.version += 1
                (state.seen, state.changed) = (state.taken, now)
            }
            return state.version
        }
    }

    /// Forgets sessions that go on, whose end will not be heard of.
    func forgetOpenSessions() { state.with { $0.sessions.forgetOpenSessions() } }

    /// What is to be stored.
    func removeUnsaved() -> UnsavedSessions { state.with { $0.sessions.removeUnsaved() } }

    /// Takes over what was stored.
    func restore(_ stored: UnsavedSessions) { state.with { $0.sessions.restore(stored) } }

    /// How many sessions go on, and outputs were taken.
    var counts: (open: Int, taken: UInt64) { state.with { ($0.sessions.openCount, $0.taken) } }

    // MARK: - The model of the pages

    /// What the pages have of all sessions, as docs/report.md has it.
    func overview() -> [UInt8] {
        let buffer = ByteBuffer(capacity: 1 << 16)
        var writer = JSONWriter(buffer)
        writer.beginObject()
        writer.key("form")
        writer.int(1)
        writer.key("made_ms")
        writer.int(Self.wallClock() / 1000)
        writer.key("made_by")
        writer.string("tally dashboard \(DashboardReporter.descriptor.version)")
        writer.key("personal")
        writer.bool(personal)
        writer.key("command")
        writer.null()
        state.with { state in
            writer.key("now")
            writer.beginObject()
            state.sessions.writeOverview(to: &writer)
            writer.endObject()
            writer.key("live")
            writer.beginObject()
            state.sessions.writeLive(to: &writer)
            writer.endObject()
        }
        writer.endObject()
        return buffer.bytes
    }

    /// The list of sessions.
    func list() -> [UInt8] {
        let buffer = ByteBuffer(capacity: 1 << 16)
        var writer = JSONWriter(buffer)
        state.with { $0.sessions.writeSessions(to: &writer) }
        return buffer.bytes
    }

    /// What trackers said, as far as it came here, as a JSON array.
    func trackers() -> [UInt8] {
        let buffer = ByteBuffer(capacity: 4096)
        var writer = JSONWriter(buffer)
        state.with { $0.sessions.writeTrackers(to: &writer) }
        return buffer.bytes
    }

    /// The course of a session, and whether it is packed; nil when it has no page.
    func page(run: String, number: UInt32) -> (bytes: [UInt8], isPacked: Bool)? {
        state.with { $0.sessions.page(run: run, number: number) }
    }

    /// The wall clock, us since 1970.
    static func wallClock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
