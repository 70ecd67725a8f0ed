internal import Archive
internal import CLinux
internal import Coordinator
internal import EventModel
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import System
internal import TextEncoding

/// The process of one tracker: a coordinator that is told the run from its beginning, and tells the player what its
/// tracker says.
///
/// It has one thread and no plugin's file: all that it uses is open when it begins, at descriptors that follow each
/// other.
@safe package final class TrackerProcess {
    /// What it is given open, in this order from 3 on.
    enum Descriptor: Int32, CaseIterable {
        case page = 3
        case ring
        case library
        case orders
        case call
        case history
    }

    private let orders: TrackerOrders
    private let page: TrackerPage
    private let ring: EventRing
    private let voice: TrackerVoice
    private var coordinator: Coordinator?
    private var entry: PluginCatalog.Entry?
    private let block = BlockBuffer()
    /// How far the ring was read, and the number of the last message.
    private var position: UInt64
    private var number: UInt64
    private var isOver = false
    /// Why the tracker did not join where an event said so.
    private var unresolved: PluginError?

    /// How long it lets messages lie where they come as soon as that one after another, us: to be woken for each costs
    /// the player more than to write it.
    private static let nap: Int64 = 2_000
    /// How often it naps in vain before it sleeps.
    private static let mostNaps = 6

    /// Does what the process was started for, and ends it.
    package static func run(_ confinement: ProcessConfinement) -> Never {
        guard let process = TrackerProcess() else { _exit(64) }
        do throws(ProcessConfinement.Failure) {
            try process.begin(confinement)
        } catch {
            process.voice.refuse(error.reason, error.kind)
            process.callPlayer()
            _exit(0)
        }
        process.loop()
        _exit(0)
    }

    private init?() {
        guard let text = try? WholeFile.read("/proc/self/fd/\(Descriptor.orders.rawValue)"),
            let orders = TrackerOrders(text),
            let page = try? TrackerPage(descriptor: Descriptor.page.rawValue),
            let memory = try? SharedMemory(descriptor: Descriptor.ring.rawValue, isReadOnly: true)
        else { return nil }
        self.orders = orders
        self.page = page
        ring = EventRing(memory)
        voice = TrackerVoice(page, call: Descriptor.call.rawValue)
        position = page.read
        number = orders.number
    }

    // MARK: - Beginning

    /// Gives up what a tracker does not need, loads its file and makes it.
    private func begin(_ confinement: ProcessConfinement) throws(ProcessConfinement.Failure) {
        page.catchUp()
        tally_watch_crashes()
        let entry = try confinement.load(
            orders.plugin,
            PluginCandidate(path: orders.path, descriptor: Descriptor.library.rawValue),
            within: ProcessAllowance(memoryBytes: orders.memoryBytes),
            parent: orders.player,
            progress: page.catchUp
        )
        do throws(PluginError) {
            try begin(entry)
        } catch {
            throw ProcessConfinement.Failure(error)
        }
    }

    private func begin(_ entry: PluginCatalog.Entry) throws(PluginError) {
        let setup = setup(of: entry)
        let (voice, instance) = (voice, orders.instance)
        // One that joins in another's place knows nothing of what was before.
        let isJoining = orders.place?.goesOn == false
        voice.isMuted = orders.place != nil
        let coordinator = try Coordinator(
            run: orders.run,
            trackers: orders.isBegun && !isJoining ? [setup] : [],
            consumers: [voice],
            recorder: nil,
            log: PluginLog { name, level, text in if name == instance { voice.log(level, text) } }
        )
        (self.coordinator, self.entry) = (coordinator, entry)
        voice.coordinator = coordinator
        coordinator.onStore = { voice.say(.store, $1, $2) }
        coordinator.onFault = { voice.say(.fault, $1, $2, $3) }
        coordinator.onDisabled = { [weak coordinator] _ in
            voice.say(.disabled, coordinator?.reports.first?.failure ?? "")
        }
        coordinator.resolve = { plugin throws(PluginError) in
            guard plugin.instance == instance, !isJoining else {
                throw .noInstance(name: plugin.instance, known: [instance])
            }
            return entry
        }
        coordinator.isRehearsal = orders.place != nil
        let begun = coordinator.numbered(by: instance)
        coordinator.onUnresolved = { [weak self] error in
            // Others that join are none of this process's.
            if case .noInstance = error { return }
            self?.unresolved = error
        }
        let unheard = voice.isSilent
        voice.isSilent = true
        try tellHistory(to: coordinator, entry)
        voice.isSilent = unheard
        guard !isOver else { return }
        publish()
        let standing = coordinator.standing(of: instance) ?? TrackerStanding()
        voice.say(
            .ready,
            PluginCommand.text(of: coordinator.reports.first?.commands ?? []),
            standing.said,
            standing.configuration,
            standing.isHeld ? "held" : "",
            begun.records + begun.beacons > 0 ? "spoke" : ""
        )
        callPlayer()
    }

    private func setup(of entry: PluginCatalog.Entry) -> TrackerSetup {
        var setup = TrackerSetup(
            name: orders.instance,
            entry: entry,
            configuration: orders.configuration,
            enabled: orders.isEnabled
        )
        setup.stored = orders.stored
        return setup
    }

    /// Tells the run's lines that there were before this process.
    private func tellHistory(to coordinator: Coordinator, _ entry: PluginCatalog.Entry) throws(PluginError) {
        guard orders.historyBytes > 0 else { return }
        let lines = ArchiveFileReading(
            path: "the run's lines",
            descriptor: Descriptor.history.rawValue,
            bytes: orders.historyBytes
        )
        let reader = ArchiveReader(lines)
        while let line = try? reader.next(damaged: { _ in }) {
            switch line {
            case .header, .end: break
            case .event(let event):
                let block = unsafe UnsafeMutablePointer(mutating: event.raw)
                if isOfPlace(event) {
                    unsafe try follow(block, of: entry, coordinator)
                    if isOver { return }
                } else {
                    unsafe coordinator.replay(block)
                }
            case .mark(let time):
                coordinator.advance(before: time)
                coordinator.reach(time)
            }
            page.catchUp()
        }
    }

    // MARK: - Places

    /// Whether an event has a tracker take this one's place, or had this one take another's.
    private func isOfPlace(_ event: EventView) -> Bool {
        event.type == .pluginReplaced && event.attributes[.plugin]?.string?.string == orders.instance
    }

    /// Does what such an event comes to here: this one is heard from there on, or ends there.
    ///
    /// What was before it is as in a rehearsal; behind its end another process goes on.
    private func follow(
        _ event: UnsafeMutablePointer<tally_event>,
        of entry: PluginCatalog.Entry,
        _ coordinator: Coordinator
    ) throws(PluginError) {
        let number = coordinator.moment.event + 1
        guard let place = orders.place, number <= place.event else {
            coordinator.makesRoom = true
            unsafe coordinator.replay(event)
            let last = coordinator.numbered(by: orders.instance)
            voice.say(.left, "\(last.records)", "\(last.beacons)")
            isOver = true
            return callPlayer()
        }
        if number == place.event {
            var setup = setup(of: entry)
            if let configuration = unsafe EventView(event).attributes[.configuration]?.string?.string {
                setup.configuration = configuration
            }
            try unsafe coordinator.ready(setup, for: place, at: event.pointee.time_us)
            voice.isMuted = false
        }
        unsafe coordinator.replay(event)
    }

    // MARK: - Going on

    private func loop() {
        var naps = 0
        var lastWork = Int64.min / 2
        while !isOver {
            var count = 0
            while let (header, content, end) = unsafe ring.message(at: position) {
                unsafe handle(header, content)
                (position, number) = (end, header.number)
                publish()
                count += 1
                if isOver { break }
            }
            if count > 0 {
                page.publish(coordinator?.reports.first?.statistics ?? TrackerStatistics())
                callPlayer()
                let now = SystemTime.monotonic()
                if count >= 2 || now - lastWork <= Self.nap * 2 { naps = Self.mostNaps }
                lastWork = now
            }
            if naps > 0, !isOver {
                naps -= 1
                usleep(UInt32(Self.nap))
            } else if !isOver {
                page.sleep(microseconds: 1_000_000) { ring.written == position }
            }
        }
    }

    private func handle(_ header: EventRing.Header, _ content: UnsafeRawBufferPointer) {
        guard let coordinator else { return }
        voice.number = header.number
        switch EventRing.Kind(rawValue: header.kind) {
        case .event: unsafe replay(content, header.number, coordinator)
        case .advance: coordinator.advance(to: header.time)
        case .end:
            coordinator.end(at: header.time, reason: .drained, dropped: 0)
            isOver = true
        case .query:
            let texts = unsafe TextList.texts(content, count: 3)
            guard texts[0] == orders.instance else { return }
            let answer = coordinator.query(texts[0], texts[1], arguments: texts[2], at: header.time)
            voice.answer(answer.value(limit: 0))
        case nil: break
        }
    }

    private func replay(_ content: UnsafeRawBufferPointer, _ number: UInt64, _ coordinator: Coordinator) {
        guard content.count >= MemoryLayout<tally_event>.size, content.count <= Limits.eventBytes,
            let from = content.baseAddress
        else { return }
        unsafe memcpy(block.base, from, content.count)
        let event = unsafe block.base.assumingMemoryBound(to: tally_event.self)
        // The numbers of types that are not in the vocabulary are each process's own.
        if unsafe event.pointee.type >= EventType.firstUnknown {
            unsafe event.pointee.type = EventTypeNames.type(named: EventView(event).typeName).rawValue
        }
        let view = unsafe EventView(event)
        guard view.type.isControl else { return unsafe coordinator.replay(event) }
        if isOfPlace(view), let entry {
            // Where it takes a place lies before its process: here it ends.
            return unsafe (try? follow(event, of: entry, coordinator)) ?? ()
        }
        let isMine = view.attributes[.plugin]?.string?.string == orders.instance
        let answer = unsafe coordinator.answer(toReplayed: event)
        guard isMine else { return }
        let error = answer.error ?? unresolved
        if let unresolved { voice.refuse(unresolved.reason, Refusal(unresolved)) }
        unresolved = nil
        voice.answer(error.map(Result.failure) ?? .success(answer.text))
    }

    private func publish() {
        if page.publish(read: position, done: number, deadline: coordinator?.nextDeadline ?? .max) {
            voice.hasWord = true
        }
    }

    private func callPlayer() { voice.callPlayer() }
}
