internal import CLinux
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Synchronization
internal import System
internal import TextEncoding

/// One tracker in a process of its own, as the player's thread for such processes has it.
///
/// The run's thread uses ``isFollowing`` and what ``start(_:)`` is given.
@safe final class IsolatedTracker: @unchecked Sendable {
    /// Where a process begins: what it is told first, and where the run's ring goes on.
    struct StartPoint: Sendable {
        let page: TrackerPage
        /// The number of the last message before.
        let number: UInt64
        /// The run's lines; nil at its beginning.
        let history: (descriptor: Int32, bytes: Int)?
    }

    /// How far it has come.
    enum Condition: Equatable {
        /// A process is on its way.
        case starting
        /// It follows the run.
        case running
        /// Its process has ended, and the next one waits for the run's thread to say where it begins.
        case waiting
        /// The run goes on without it.
        case out(String)
    }

    private struct Process {
        let id: Int32
        let point: StartPoint
        let errors: Int32
        /// How far its messages were read.
        var position: UInt64 = 0
        /// How many of its outputs are still to come that an earlier process has said.
        var known: UInt64
    }

    /// One that takes its place, where an event of the run says so.
    struct Successor: Sendable {
        let setup: TrackerSetup
        let place: TakenPlace
        /// Whether the run went on without the one before.
        let hasFailed: Bool
        /// Whether it has.
        let answer: TrackerAnswer
    }

    let name: String
    /// What it is now: the run's thread reads it too.
    var setup: TrackerSetup { current.with { $0 } }
    private let current: Lock<TrackerSetup>
    /// Its place among the run's trackers, from 1.
    let place: Int
    /// Whether it is there when the run begins.
    let isBegun: Bool
    private(set) var condition = Condition.waiting
    /// Whether its tracker said that it is made.
    private(set) var isReady = false
    /// When processes of it ended, us of the thread's time.
    var ends: [Int64] = []
    /// The message that it was not done with when it was looked at, and since when, us.
    var behind: (number: UInt64, since: Int64)?
    /// When it got on last, us, and how far it was then.
    var progress: (value: UInt64, at: Int64) = (0, 0)
    /// What its commands are.
    private(set) var commands: [PluginCommand] = []
    /// Where it stood when its process was ready.
    private(set) var standing = TrackerStanding()
    /// Whether it spoke before it was told anything.
    private(set) var hasSpokenFirst = false
    /// Who takes its place.
    var successor: Successor?
    /// The numbers of its last record and its last beacon, where it has made room for another one.
    private var last: (records: UInt64, beacons: UInt64)?
    /// Where it has taken the place of another.
    private var taken: TakenPlace?
    /// Who waits for it to have taken its place.
    private(set) var arrival: TrackerAnswer?
    private let start = Lock<StartPoint?>(nil)
    private var process: Process?
    /// How many outputs of it were taken.
    private var said: UInt64 = 0
    /// The numbers of the last record and the last beacon that was taken.
    private var numbered: (records: UInt64, beacons: UInt64) = (0, 0)
    private var identity: OriginIdentity
    private let run: RunDescription

    init(_ setup: TrackerSetup, place: Int, isBegun: Bool, taking taken: TakenPlace? = nil, run: RunDescription) {
        self.taken = taken
        name = setup.name
        current = Lock(setup)
        self.place = place
        self.isBegun = isBegun
        self.run = run
        identity = Self.identity(setup, run, video: "")
    }

    private static func identity(_ setup: TrackerSetup, _ run: RunDescription, video: String) -> OriginIdentity {
        OriginIdentity(
            runID: run.id,
            pluginID: setup.entry.description.id,
            version: setup.entry.description.version,
            instance: setup.name,
            videoID: video,
            epoch: run.epoch
        )
    }

    // MARK: - Processes

    /// Its process, nil when there is none.
    var processID: Int32? { process?.id }
    /// What can be read when its process has ended; nil when there is none.
    var errors: Int32? { process?.errors }
    /// What its process and the player share; nil when there is none.
    var page: TrackerPage? { process?.point.page }
    /// The number of the last message of which all was read that it says.
    private(set) var heard: UInt64 = 0
    /// The number of the last message that it is done with.
    var done: UInt64 { isReady ? process.map { max($0.point.page.done, $0.point.number) } ?? 0 : 0 }

    /// The next process begins there.
    func begin(at point: StartPoint) { start.with { $0 = point } }

    /// Begins the next process if it is known where.
    ///
    /// - Throws: why there is none.
    func startIfDue(_ settings: IsolationSettings) throws(SystemFailure) {
        guard condition == .waiting,
            let point = start.with({ point in
                defer { point = nil }
                return point
            })
        else { return }
        condition = .starting
        isReady = false
        defer { if let history = point.history { close(history.descriptor) } }
        var ends: [Int32] = [-1, -1]
        guard unsafe tally_pipe(&ends) == 0 else { throw SystemFailure() }
        defer { close(ends[1]) }
        let id = try spawn(point, settings, errors: ends[1])
        guard id > 0 else {
            let failure = SystemFailure()
            close(ends[0])
            throw failure
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        process = Process(id: id, point: point, errors: ends[0], known: said)
    }

    /// Whether it has made room for who takes its place.
    var hasLeft: Bool { last != nil }

    /// Lets who takes its place be this one from now on: the process that is begun next is that one's.
    func succeed(by successor: Successor) {
        var place = successor.place
        (place.records, place.beacons) = last ?? numbered
        let before = setup
        var next = TrackerSetup(
            name: name,
            entry: successor.setup.entry,
            configuration: before.configuration,
            enabled: before.enabled
        )
        (next.stored, next.isElsewhere, next.isRequired) = (before.stored, true, before.isRequired)
        let setup = next
        current.with { $0 = setup }
        identity = Self.identity(setup, run, video: "")
        (taken, last, said, ends, self.successor) = (place, nil, 0, [], nil)
        arrival = successor.answer
        condition = .waiting
        behind = nil
        progress.value = .max
    }

    /// Answers who waits for it to have taken its place.
    func arrive(_ outcome: Result<String, PluginError>) {
        arrival?.give(outcome)
        arrival = nil
    }

    private func spawn(
        _ point: StartPoint,
        _ settings: IsolationSettings,
        errors: Int32
    ) throws(SystemFailure) -> Int32 {
        let orders = TrackerOrders(
            run: run,
            instance: name,
            plugin: setup.entry.description.id,
            path: setup.entry.library.path,
            configuration: setup.configuration,
            isEnabled: setup.enabled,
            stored: setup.stored,
            isBegun: isBegun,
            place: taken,
            historyBytes: point.history?.bytes ?? 0,
            number: point.number,
            memoryBytes: settings.memoryBytes,
            player: Int(getpid())
        )
        let text = Array(orders.text.utf8)
        let memory = try SharedMemory("tally-orders", bytes: text.count, isReadOnly: true)
        unsafe text.withUnsafeBytes {
            unsafe memory.start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory.start), byteCount: $0.count)
        }
        guard let library = setup.entry.library.copyDescriptor else { throw SystemFailure(number: ENOENT) }
        let descriptors = [
            point.page.memory.descriptor, settings.ring, library, memory.descriptor, settings.call,
            point.history?.descriptor ?? memory.descriptor,
        ]
        return unsafe tally_spawn_isolated(settings.program, name, descriptors, -1, errors, nil)
    }

    /// Ends its process, and gives what it wrote on standard error last and how it ended.
    ///
    /// With `isEnding` it is about to end by itself, and gets a moment for it: how it does so is its own word.
    func end(isEnding: Bool = false) -> (words: String, status: Int32) {
        guard let process else { return ("", 0) }
        var status: Int32 = 0
        for _ in 0..<(isEnding ? 50 : 0) {
            if unsafe waitpid(process.id, &status, WNOHANG) == process.id { return forget(process, status) }
            usleep(2_000)
        }
        kill(process.id, SIGKILL)
        while unsafe waitpid(process.id, &status, 0) < 0, errno == EINTR {}
        return forget(process, status)
    }

    private func forget(_ process: Process, _ status: Int32) -> (words: String, status: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe (try? FileDescriptor(process.errors).read(into: $0)) ?? 0
        }
        close(process.errors)
        self.process = nil
        heard = 0
        condition = .waiting
        return (String(decoding: bytes[..<count], as: UTF8.self), status)
    }

    /// The run goes on without it.
    func leave(_ reason: String) { condition = .out(reason) }

    /// Whether something of it waits: a word, or its next process.
    var hasWord: Bool {
        if start.with({ $0 != nil }) { return true }
        guard let process else { return false }
        if case .nothing = process.point.page.message(at: process.position) { return false }
        return true
    }

    // MARK: - What it says

    /// What its process says beside its outputs.
    enum Word {
        case log(Int32, String)
        case store(String, String)
        case fault([String])
        case disabled(String)
        case answer(number: UInt64, Result<String, PluginError>)
        case refused(String, Refusal)
    }

    /// Reads what its process has said, at most so many bytes.
    ///
    /// - Returns: how many messages that were; nil when one makes no sense.
    func read(atMost limit: Int, into turns: OutputTurns, _ body: (Word) -> Void) -> Int? {
        guard var process else { return 0 }
        var count = 0
        // Before what it says is read: it goes on meanwhile.
        let done = done
        defer { if self.process != nil { self.process = process } }
        let page = process.point.page
        var rest = limit
        while rest > 0 {
            switch page.message(at: process.position) {
            case .nothing:
                heard = done
                return count
            case .damaged: return nil
            case .message(let bytes, let end):
                guard bytes.count >= TrackerMessage.headBytes else { return nil }
                let head = unsafe bytes.load(as: TrackerMessage.self)
                let content = bytes.count - TrackerMessage.headBytes
                guard let kind = TrackerMessage.Kind(rawValue: head.kind), head.count <= UInt64(content) else {
                    return nil
                }
                let range = TrackerMessage.headBytes..<TrackerMessage.headBytes + Int(head.count)
                let copy = unsafe OutputBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
                process.position = end
                count += 1
                rest -= bytes.count
                page.giveBack(upTo: end)
                if kind.isOutput {
                    if process.known > 0 {
                        process.known -= 1
                        continue
                    }
                    said += 1
                }
                guard add(kind, head, copy, behind: process.point, to: turns, body) else { return nil }
            }
        }
        return count
    }

    private func add(
        _ kind: TrackerMessage.Kind,
        _ head: TrackerMessage,
        _ copy: OutputBytes,
        behind point: StartPoint,
        to turns: OutputTurns,
        _ body: (Word) -> Void
    ) -> Bool {
        switch kind {
        case .record:
            guard let record = unsafe copy.record() else { return false }
            numbered.records = max(numbered.records, head.ordinal)
            unsafe add(TALLY_OUTPUT_RECORD, UnsafeRawPointer(record), head, copy, point, turns)
        case .beacon:
            guard let beacon = unsafe copy.beacon(base: head.base) else { return false }
            numbered.beacons = max(numbered.beacons, head.ordinal)
            unsafe add(TALLY_OUTPUT_BEACON, UnsafeRawPointer(beacon), head, copy, point, turns)
        case .video: identity = Self.identity(setup, run, video: copy.texts(1)[0])
        case .ready:
            condition = .running
            isReady = true
            let texts = copy.texts(5)
            commands = PluginCommand.list(texts[0])
            (standing.said, standing.configuration, standing.isHeld) = (texts[1], texts[2], !texts[3].isEmpty)
            hasSpokenFirst = !texts[4].isEmpty
        case .left:
            let texts = copy.texts(2)
            last = (UInt64(texts[0]) ?? 0, UInt64(texts[1]) ?? 0)
        case .refused: body(.refused(copy.texts(1)[0], Refusal(rawValue: head.ordinal) ?? .other))
        case .store:
            let texts = copy.texts(2)
            body(.store(texts[0], texts[1]))
        case .fault: body(.fault(copy.texts(3)))
        case .disabled: body(.disabled(copy.texts(1)[0]))
        case .log: body(.log(Int32(truncatingIfNeeded: head.ordinal), copy.texts(1)[0]))
        case .answer:
            let text = copy.texts(1)[0]
            let error = PluginError.refusedElsewhere(instance: name, reason: text)
            body(.answer(number: head.number, head.ordinal == 0 ? .success(text) : .failure(error)))
        }
        return true
    }

    private func add(
        _ what: UInt32,
        _ item: UnsafeRawPointer,
        _ head: TrackerMessage,
        _ owner: OutputBytes,
        _ point: StartPoint,
        _ turns: OutputTurns
    ) {
        let output = unsafe Output(
            what: what,
            identity: identity,
            session: head.session,
            ordinal: head.ordinal,
            time: head.time,
            item: item
        )
        turns.add(output, identity, owner, head, behind: point.number, place: place)
    }
}

extension OutputBytes {
    /// So many texts of it.
    fileprivate func texts(_ number: Int) -> [String] {
        unsafe TextList.texts(UnsafeRawBufferPointer(start: start, count: count), count: number)
    }
}
