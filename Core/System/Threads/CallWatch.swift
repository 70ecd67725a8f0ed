internal import CLinux

/// Sees calls into plugins that do not come back, and lets the threads' work go on without them.
///
/// One thread of the process looks at all that call plugins, a few times a second. It counts the time in which the
/// process runs: neither a sleep of the machine nor a stop of the process makes a call long.
package final class CallWatch: Sendable {
    /// The watch of the process.
    package static let shared = CallWatch()

    /// A call that takes long, or was given up.
    @safe package struct LongCall: Sendable {
        /// What is called, by the function's name in the plugin's table.
        package let name: String
        /// The plugin's instance and file, as far as they are known.
        package let plugin: String?
        /// How long it takes so far, ms of the time in which the process ran.
        package let milliseconds: Int64
        /// Whether the thread's work goes on without it.
        package let isGivenUp: Bool
    }

    /// How long a call may take until it is told, ms.
    package static let longMilliseconds: Int64 = 2000
    /// The time between two looks, ms, while a call was seen that goes on.
    private static let interval: Int64 = 200
    /// The same while none was: a look costs a player more than all else that is done for it in that time.
    private static let idleInterval: Int64 = 500

    private struct Watched {
        let start: Thread.Start
        var number: UInt64 = 0
        var insideMs: Int64 = 0
        var isTold = false
        /// Whether a call was seen, which may still go on.
        var isInside = false
    }

    private struct State {
        var watched: [Watched] = []
        /// Whether a thread looks; it ends when there is nothing to look at.
        var isLooking = false
    }

    private let state = Condition(State())
    private let listener = Lock<(@Sendable (LongCall) -> Void)?>(nil)

    private init() {}

    /// Hears of each call that takes longer than ``longMilliseconds``, once, and of each that is given up, on the
    /// watch's own thread.
    package func listen(_ body: @escaping @Sendable (LongCall) -> Void) { listener.with { $0 = body } }

    func add(_ start: Thread.Start) {
        let begins = state.with { state in
            state.watched.append(Watched(start: start))
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard begins, tally_can_give_up_calls() else { return }
        _ = Thread(name: "tally-calls") { [self] in
            var lastMs = SystemTime.monotonic() / 1000
            var interval = Self.interval
            while !isDone(at: lastMs + interval) {
                let nowMs = SystemTime.monotonic() / 1000
                let isInside = look(after: min(nowMs - lastMs, 2 * interval))
                interval = isInside ? Self.interval : Self.idleInterval
                lastMs = nowMs
            }
        }
    }

    func remove(_ start: Thread.Start) {
        let isLast = state.with { state in
            state.watched.removeAll { $0.start === start }
            return state.watched.isEmpty
        }
        if isLast { state.wakeAll() }
    }

    /// Waits until it is time for the next look; whether there is nothing to look at any more.
    private func isDone(at timeMs: Int64) -> Bool {
        state.wait(until: timeMs * 1000) { state in
            guard state.watched.isEmpty else { return nil }
            state.isLooking = false
            return true
        } ?? false
    }

    /// Looks at all calls; whether one goes on.
    private func look(after milliseconds: Int64) -> Bool {
        let (told, left, isInside) = state.with { state -> ([LongCall], [Thread.Start], Bool) in
            var (told, left): ([LongCall], [Thread.Start]) = ([], [])
            var isInside = false
            for place in state.watched.indices {
                let call = Self.follow(&state.watched[place], milliseconds)
                isInside = isInside || state.watched[place].isInside
                guard let call else { continue }
                told.append(call)
                if call.isGivenUp { left.append(state.watched[place].start) }
            }
            return (told, left, isInside)
        }
        for start in left { Thread.goOn(with: start) }
        if let listener = listener.with({ $0 }) { for call in told { listener(call) } }
        return isInside
    }

    /// What there is to tell of a thread; its call is given up when it takes too long.
    private static func follow(_ watched: inout Watched, _ milliseconds: Int64) -> LongCall? {
        guard let work = unsafe watched.start.work else { return nil }
        let seen = unsafe tally_work_look(work)
        guard seen.inside, seen.number == watched.number else {
            watched = Watched(start: watched.start, number: seen.number, isInside: seen.inside)
            return nil
        }
        watched.insideMs += milliseconds
        let limit = Int64(seen.limit)
        let isTooLong = limit > 0 && watched.insideMs >= limit
        let isLong = watched.insideMs >= longMilliseconds && !watched.isTold
        guard isTooLong || isLong else { return nil }
        watched.isTold = true
        let call = unsafe LongCall(
            name: String(cString: tally_call_name(seen.call & 0xFF)),
            plugin: Self.plugin(of: seen.call),
            milliseconds: watched.insideMs,
            isGivenUp: isTooLong && tally_work_give_up(work, seen.number)
        )
        return isLong || call.isGivenUp ? call : nil
    }

    private static func plugin(of call: UInt32) -> String? {
        guard var identity = unsafe tally_identity_of(call)?.pointee else { return nil }
        func text<Field>(_ field: inout Field) -> String {
            unsafe withUnsafeBytes(of: &field) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return "\(text(&identity.instance)) (\(text(&identity.file)))"
    }
}
