internal import CLinux
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Reporting
internal import System

/// A reporter's process: what it is asked, and a thread that hears what it says.
///
/// Made, asked and ended by the reporter's thread. What comes back may be anything, and is copied, then checked.
@safe final class ReporterChild: @unchecked Sendable {
    /// What it answers.
    struct Answer {
        /// Why it refuses; nil when it does not.
        let refusal: Refusal?
        let text: String
        /// How many outputs it took.
        let taken: Int
        /// What it wants, as a mask.
        let wanted: UInt32
    }

    /// What asking comes to.
    enum Outcome {
        case answer(Answer)
        /// It has ended, or speaks no sense.
        case over(End)
        /// It does not answer.
        case late
    }

    /// How the channel came to its end.
    struct End {
        /// Whether the process has read all that it was asked.
        var hasHeard = true
        /// Whether what it said made sense.
        var hasSense = true
    }

    private struct State {
        var answer: Answer?
        var isOver = false
        var end = End()
        /// How often it said that it still works.
        var signs: UInt64 = 0
    }

    /// How often the player looks how long it has waited, us: what a halt of the player lasts does not count.
    private static let look: Int64 = 1_000_000

    /// The process.
    let id: Int32
    /// Where outputs and texts for it lie.
    let memory: SharedMemory
    private let socket: Int32
    private let state = Condition(State())
    private let thread: Thread

    /// Begins a process.
    init(
        _ orders: ReporterOrders,
        program: String,
        library: Int32,
        variables: [String],
        link: ReporterLink
    ) throws(SystemFailure) {
        let text = Array(orders.text.utf8)
        let paper = try SharedMemory("tally-orders", bytes: text.count, isReadOnly: true)
        unsafe text.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            unsafe paper.start.copyMemory(from: from, byteCount: bytes.count)
        }
        memory = try SharedMemory("tally-outputs", bytes: OutputParcel.bytes, isReadOnly: true)
        var ends: [Int32] = [-1, -1]
        guard unsafe tally_socket_pair(&ends) == 0 else { throw SystemFailure() }
        defer { close(ends[1]) }
        let paperPlace = paper.descriptor
        // What it does not need is its orders once more.
        let descriptors = [ends[1], memory.descriptor, library, paperPlace, paperPlace, paperPlace]
        let streams = orders.allowance.hasStreams ? (STDOUT_FILENO, STDERR_FILENO) : (-1, -1)
        // A few texts, once for each process.
        var list = unsafe (variables.prefix(60).map { unsafe UnsafePointer(strdup($0)) }) + [nil]
        defer { for index in unsafe list.indices { unsafe free(UnsafeMutablePointer(mutating: list[index])) } }
        id = unsafe tally_spawn_isolated(program, orders.instance, descriptors, streams.0, streams.1, &list)
        guard id > 0 else {
            let failure = SystemFailure()
            close(ends[0])
            throw failure
        }
        socket = ends[0]
        let (socket, state) = (ends[0], state)
        thread = Thread(name: "r-\(link.name)") { Self.listen(to: FileDescriptor(socket), state, link) }
    }

    /// How the channel came to its end; nil while the process speaks.
    var channelEnd: End? { state.with { $0.isOver ? $0.end : nil } }

    // MARK: - Asking

    /// Puts texts where the process finds them; nil when there is no room for them.
    func put(_ texts: [String]) -> UInt64? {
        let bytes = TextList.bytes(texts)
        guard bytes.count <= memory.count else { return nil }
        unsafe bytes.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            unsafe memory.start.copyMemory(from: from, byteCount: bytes.count)
        }
        return UInt64(bytes.count)
    }

    /// Asks it something; what it says is ``answer(within:signsCount:)``.
    func ask(_ call: ReporterCall) {
        var call = call
        call.base = unsafe UInt64(UInt(bitPattern: memory.start))
        // One call at a time always fits what the system keeps for the channel.
        let sent = unsafe withUnsafeBytes(of: call) { bytes in
            unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if sent < 0 { state.with { $0.end.hasHeard = false } }
    }

    /// Waits for its answer while the player runs, at most so long, us; with `signsCount` since it gave a sign last.
    func answer(within limit: Int64, signsCount: Bool) -> Outcome {
        var (left, clock) = (limit, SystemTime.monotonic())
        var signs = state.with { $0.signs }
        while left > 0 {
            let outcome = state.wait(until: clock + min(left, Self.look)) { state -> Outcome? in
                if let answer = state.answer {
                    state.answer = nil
                    return .answer(answer)
                }
                return state.isOver ? .over(state.end) : nil
            }
            if let outcome { return outcome }
            let now = SystemTime.monotonic()
            left -= min(now - clock, Self.look)
            clock = now
            let given = state.with { $0.signs }
            if signsCount, given != signs { left = limit }
            signs = given
        }
        return .late
    }

    /// Ends the process, and gives how it ended.
    ///
    /// With `isEnding` it is about to end by itself, and gets a moment for it: how it does so is its own word.
    func end(isEnding: Bool) -> Int32 {
        var status: Int32 = 0
        var hasEnded = false
        for _ in 0..<(isEnding ? 50 : 0) where !hasEnded {
            hasEnded = unsafe waitpid(id, &status, WNOHANG) == id
            if !hasEnded { usleep(2_000) }
        }
        if !hasEnded {
            kill(id, SIGKILL)
            while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        }
        // Nobody else has the other end.
        shutdown(socket, Int32(SHUT_RDWR))
        thread.join()
        close(socket)
        return status
    }

    // MARK: - Hearing

    private static func listen(to channel: FileDescriptor, _ state: Condition<State>, _ link: ReporterLink) {
        do throws(SystemFailure) {
            while true {
                let word = try channel.receive(ReporterWord(.answer))
                guard let kind = ReporterWord.Kind(rawValue: word.kind), word.count <= UInt64(ReporterWord.longest)
                else {
                    state.with { $0.end.hasSense = false }
                    break
                }
                let text = String(decoding: try channel.receive(bytes: Int(word.count)), as: UTF8.self)
                hear(kind, word, text, state, link)
            }
        } catch {
            // So the system says that the other end was closed before it had read everything.
            if error.number == ECONNRESET { state.with { $0.end.hasHeard = false } }
        }
        state.change { $0.isOver = true }
        link.onEnded?()
    }

    private static func hear(
        _ kind: ReporterWord.Kind,
        _ word: ReporterWord,
        _ text: String,
        _ state: Condition<State>,
        _ link: ReporterLink
    ) {
        switch kind {
        case .answer:
            let refusal = word.flag == 0 ? nil : Refusal(rawValue: UInt64(word.flag) - 1) ?? .other
            let taken = Int(clamping: word.number)
            let wanted = UInt32(truncatingIfNeeded: word.token)
            state.change { $0.answer = Answer(refusal: refusal, text: text, taken: taken, wanted: wanted) }
        case .ready:
            state.with { $0.signs &+= 1 }
            link.ready()
        case .flushed:
            let answer = FlushAnswer(delivered: word.delivered, kept: word.kept, dropped: word.dropped)
            link.answer(word.token, answer)
        case .log: link.log.write(link.name, Int32(bitPattern: word.flag), text)
        }
    }
}
