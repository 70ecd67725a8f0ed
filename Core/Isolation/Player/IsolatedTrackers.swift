package import Coordinator
package import EventModel
internal import Glibc
package import PluginABI
package import PluginLoading
internal import Synchronization
internal import System

/// The trackers of a run that have processes of their own, as the run's coordinator sees them.
///
/// What the run is told is written once, into memory that all of the processes read; nobody waits for one. What they
/// say comes on a thread of the player's, ``IsolationThread``. [core]
@safe package final class IsolatedTrackers: RunFollower, @unchecked Sendable {
    /// What such trackers need of the player.
    package struct Options: Sendable {
        /// The program that runs one.
        package var program: String
        /// Bytes of address space that it may have.
        package var memoryBytes = 512 * 1024 * 1024
        /// How long one may not get on while it has something to do, ms.
        package var limit: Int64 = 2_000
        /// How long what others say waits for one that is behind, ms.
        package var hold: Int64 = 500
        /// After how many ends of its processes within ten minutes a tracker is left out.
        package var mostEnds = 3

        /// Uses a program.
        package init(program: String) { self.program = program }
    }

    let run: RunDescription
    let ring: EventRing
    let shared: IsolationState
    private let thread: IsolationThread
    let recorder: (any RunRecorder)?
    private let turns: OutputTurns
    /// The trackers, and the memory that each shares with the player; nil while it has none.
    var trackers: [(tracker: IsolatedTracker, page: TrackerPage?)] = [] {
        didSet {
            unsafe signals = unsafe trackers.compactMap { unsafe $0.page?.signals }
            room = 0
        }
    }
    /// What is looked at for each event; the pages that have it are those of the trackers.
    private var signals: [UnsafeMutablePointer<TrackerPage.Signals>] = unsafe []
    /// Up to which position of the ring all trackers are known to have left room.
    private var room: UInt64 = 0
    /// Whether the run has said something since it last said that this is all.
    private var hasSaid = false
    var places: [String: Int] = [:]
    var lastSpeaker: (identity: UnsafeMutableRawPointer?, place: Int) = (nil, 0)
    /// The number of the last message; what the run says as it begins counts as one.
    var number: UInt64 = 1
    /// Up to which time timers were told to fire.
    private var told: Int64 = -1
    /// Where a process begins once the run is over.
    private var last: (number: UInt64, position: UInt64, history: (descriptor: Int32, bytes: Int)?)?

    /// Begins the processes of those setups that are elsewhere, and waits until each has made its tracker.
    ///
    /// Throws what one refuses; one whose process ends instead is left out, as ``report(of:)`` says. With a past they
    /// are told that first, and nothing is heard of them.
    package init(
        _ setups: [TrackerSetup],
        run: RunDescription,
        consumers: [any OutputConsumer],
        recorder: (any RunRecorder)?,
        options: Options,
        log: PluginLog,
        past: Past? = nil
    ) throws(PluginError) {
        self.recorder = recorder
        self.run = run
        do throws(SystemFailure) {
            ring = EventRing(
                try SharedMemory("tally-run", bytes: EventRing.headBytes + EventRing.bytes, isReadOnly: true)
            )
            shared = try IsolationState()
        } catch {
            throw .refusedElsewhere(instance: setups.first { $0.isElsewhere }?.name ?? "", reason: error.description)
        }
        turns = OutputTurns(consumers: consumers, run: run)
        for (index, setup) in setups.enumerated() {
            places[setup.name] = index + 1
            if setup.isElsewhere {
                let unheard = past.map { _ in TakenPlace(event: .max, goesOn: true, isEnabled: true) }
                let tracker = IsolatedTracker(
                    setup,
                    place: index + 1,
                    isBegun: past?.isBegun ?? true,
                    taking: unheard,
                    run: run
                )
                trackers.append((tracker, nil))
            }
        }
        let settings = IsolationSettings(
            program: options.program,
            memoryBytes: options.memoryBytes,
            limit: options.limit * 1000,
            hold: options.hold * 1000,
            mostEnds: options.mostEnds,
            ring: ring.memory.descriptor,
            call: shared.call
        )
        thread = IsolationThread(trackers.map(\.tracker), shared, turns, settings, log: log)
        for index in trackers.indices {
            trackers[index].page = begin(trackers[index].tracker, behind: 1, at: 0, past?.lines())
        }
        thread.restart = { [weak self] in self?.restartAtEnd($0) }
        thread.begin()
        do throws(PluginError) {
            use(try thread.waitUntilReady())
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
        if let history = last?.history { Glibc.close(history.descriptor) }
    }

    /// Goes on with what each tracker shares with the player.
    ///
    /// Not in `init`, where no change of `trackers` is seen.
    private func use(_ pages: [TrackerPage?]) {
        for (index, page) in pages.enumerated() { trackers[index].page = page }
    }

    /// Ends all processes; what they have not said is not said.
    package func close() { thread.close() }

    /// Who is told of what the trackers say beside their outputs; from the player's thread for processes.
    package func listen(_ listener: IsolationListener) { shared.listener.with { $0 = listener } }

    /// Has something done on the run's own thread, at an event boundary; false when the run is over.
    package func schedule(_ perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
        let ask: @Sendable () -> Void = { [weak self] in _ = perform { [weak self] in self?.makeChanges() } }
        shared.boundary.with { $0 = ask }
        // A process may have ended before anybody could be asked.
        if shared.changes.with({ $0?.isEmpty == false }) { ask() }
    }

    // MARK: - What the run is told

    package var nextDeadline: Int64? {
        var next = Int64.max
        for place in unsafe signals.indices {
            let deadline = unsafe signals[place].pointee.deadline.load(ordering: .acquiring)
            if deadline > told, deadline < next { next = deadline }
        }
        return next == .max ? nil : next
    }

    package func isDue(by time: Int64) -> Bool {
        trackers.contains { $0.page.map { $0.deadline <= time && $0.deadline > told || $0.done < number } ?? false }
    }

    package func follow(_ event: EventView, report: UnsafePointer<tally_state>) {
        // It makes what is due before it fire. A process that is told what was says first what was due then.
        told = max(told, event.time - 1)
        let size = unsafe Int(event.raw.pointee.size)
        unsafe append(.event, time: event.time, size) { place in
            unsafe memcpy(place, event.raw, size)
            let state = unsafe Int(event.raw.pointee.state_off)
            unsafe memcpy(place + state, report, MemoryLayout<tally_state>.size)
        }
    }

    package func advance(to time: Int64) {
        told = max(told, time)
        unsafe append(.advance, time: time) { _ in }
    }

    package func end(at time: Int64) {
        last = (number, ring.written, recorder?.readable())
        // Before it is told: a process that has ended by then has ended as it should.
        shared.endNumber.store(number + 1, ordering: .sequentiallyConsistent)
        unsafe append(.end, time: time) { _ in }
        // No boundary comes any more.
        makeChanges(isOver: true)
    }

    package func finish() {
        shared.completed.store(number, ordering: .sequentiallyConsistent)
        // Who was faster than the run has called for nothing: what it said waits for what the run says.
        if shared.waitsForRun.load(ordering: .sequentiallyConsistent) { shared.callIfAsleep() }
        guard hasSaid else { return }
        hasSaid = false
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for entry in trackers { entry.page?.listenForProgress() }
        if trackers.allSatisfy({ $0.page.map { $0.done >= number } ?? true }) { shared.callIfAsleep() }
    }

    package func ask(_ tracker: String, _ command: String, arguments: String, at time: Int64) -> (any LaterAnswer)? {
        guard trackers.contains(where: { $0.tracker.name == tracker }) else { return nil }
        let bytes = TextList.bytes([tracker, command, arguments])
        unsafe append(.query, time: time, bytes.count) { place in
            unsafe bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyMemory(from: $0)
            }
        }
        let answer = answer(of: tracker)
        finish()
        return answer
    }

    package func answer(of tracker: String) -> (any LaterAnswer)? {
        guard trackers.contains(where: { $0.tracker.name == tracker }) else { return nil }
        let answer = TrackerAnswer(tracker: tracker)
        if let refusal = refusal(of: tracker) {
            answer.give(.failure(refusal))
        } else {
            shared.answers.with { $0[TrackerAnswer.Key(tracker: tracker, number: number)] = answer }
        }
        return answer
    }

    /// Adds a message.
    ///
    /// One whose process has left no room is not waited for: it begins anew.
    private func append(
        _ kind: EventRing.Kind,
        time: Int64,
        _ count: Int = 0,
        fill: (UnsafeMutableRawPointer) -> Void
    ) {
        let end = ring.written + UInt64(ring.needed(count))
        if end > room { findRoom(upTo: end) }
        number += 1
        unsafe ring.append(kind, number: number, time: time, count, fill: fill)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for place in unsafe signals.indices { unsafe TrackerPage.wakeIfAsleep(signals[place]) }
    }

    /// Sees how far the trackers have read, and leaves those that are too far behind.
    private func findRoom(upTo end: UInt64) {
        var read = end
        for index in trackers.indices {
            guard let page = trackers[index].page else { continue }
            let position = min(page.read, end)
            guard end - position > UInt64(ring.capacity) else {
                read = min(read, position)
                continue
            }
            trackers[index].page = nil
            shared.late.with { $0.append(trackers[index].tracker.name) }
            shared.callIfAsleep()
        }
        room = read + UInt64(ring.capacity)
    }

    // MARK: - Processes

    /// Does what the thread for processes has asked for; what it asks for when the run is over it does itself.
    private func makeChanges(isOver: Bool = false) {
        let changes = shared.changes.with { changes in
            defer { changes = isOver ? nil : changes.map { _ in [] } }
            return changes ?? []
        }
        for change in changes { restart(change) }
    }

    /// Lets the next process of a tracker begin where the run stands.
    private func restart(_ change: IsolationState.Change) {
        guard let index = trackers.firstIndex(where: { $0.tracker === change.tracker }) else { return }
        trackers[index].page = nil
        if last != nil { return restartAtEnd(change) }
        if change.isOut { return }
        trackers[index].page = begin(change.tracker, behind: number, at: ring.written, recorder?.readable())
        // What was told to fire and did not is told again.
        if told >= 0 { unsafe append(.advance, time: told) { _ in } }
        finish()
    }

    /// Lets the next process of a tracker begin where the run ended; on the thread for processes, or as the run ends.
    private func restartAtEnd(_ change: IsolationState.Change) {
        guard !change.isOut, let last else { return }
        let history = last.history.map { (dup($0.descriptor), $0.bytes) }
        let page = begin(change.tracker, behind: last.number, at: last.position, history)
        shared.known.with { $0[change.tracker.name, default: .init()].lastPage = page }
    }

    /// Lets a tracker's process begin behind a message, with the lines before; what it shares with the player, nil when
    /// there is none.
    func begin(
        _ tracker: IsolatedTracker,
        behind number: UInt64,
        at position: UInt64,
        _ history: (descriptor: Int32, bytes: Int)?
    ) -> TrackerPage? {
        guard number == 1 || history != nil, let page = try? TrackerPage(readFrom: position) else {
            shared.lost.with { $0.append(tracker.name) }
            return nil
        }
        // It is told what the one before was asked, and answers nobody.
        shared.refuseAnswers(of: tracker.name, upTo: number, "its process ended before it answered")
        tracker.begin(at: IsolatedTracker.StartPoint(page: page, number: number, history: history))
        shared.callIfAsleep()
        return page
    }

    // MARK: - Outputs

    package func hold(_ output: Output, at moment: OutputMoment) {
        guard turns.isWanted(output.what) else { return }
        turns.hold(output, at: moment, place: place(of: output), number: number)
        hasSaid = true
    }

    private func place(of output: Output) -> Int {
        let identity = unsafe Unmanaged.passUnretained(output.identity).toOpaque()
        if unsafe lastSpeaker.identity != identity {
            unsafe lastSpeaker = unsafe (
                identity, places[output.instanceName] ?? (output.instanceName.isEmpty ? 0 : 1 << 20)
            )
        }
        return unsafe lastSpeaker.place
    }

    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        at moment: OutputMoment,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        let flush = OutputTurns.Flush(
            runID: runID,
            session: session,
            budget: budget,
            deadline: SystemTime.monotonic() + budget * 1000,
            number: number,
            done: done
        )
        turns.add(.flush(flush), at: moment, number: number)
        shared.callIfAsleep()
    }

    package func deliver(to consumers: [any OutputConsumer], from time: Int64, at moment: OutputMoment) {
        turns.add(.deliver(consumers, from: time), at: moment, number: number)
        shared.callIfAsleep()
    }

    package func report(of tracker: String, isEnabled: Bool) -> TrackerReport? {
        guard let entry = trackers.first(where: { $0.tracker.name == tracker }) else { return nil }
        let known = known(of: tracker)
        var statistics = (known.lastPage ?? entry.page)?.statistics ?? known.statistics
        if known.isOut { statistics.errors += 1 }
        return TrackerReport(
            name: tracker,
            plugin: entry.tracker.setup.entry.description,
            isEnabled: isEnabled && known.failure.isEmpty,
            failure: known.failure,
            advice: known.advice,
            stuckIn: known.stuckIn,
            process: known.process,
            statistics: statistics,
            commands: known.commands
        )
    }
}
