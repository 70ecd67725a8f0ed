internal import CLinux
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Synchronization
internal import System

// What becomes of trackers whose processes end, and of those that take a place.
extension IsolationThread {
    /// Sees whether a process has ended, or does not get on.
    func watch(_ tracker: IsolatedTracker) {
        guard let errors = tracker.errors, let page = tracker.page else { return }
        var ready: UInt8 = 0
        var descriptor = errors
        if unsafe tally_wait_any(&descriptor, &ready, 1, 0) > 0, ready & 2 != 0 {
            // What it said before it ended counts, all of it.
            repeat { _ = read(tracker) } while tracker.processID != nil && tracker.hasWord
            guard tracker.processID != nil else { return }
            keep(page.statistics, of: tracker)
            let isOver = tracker.done >= shared.endNumber.load(ordering: .sequentiallyConsistent)
            let (words, status) = tracker.end(isEnding: true)
            if isOver, status == 0 { return tracker.leave("") }
            // Somebody else's signals say nothing of its file: it can send none to itself that leaves no words.
            let isKilled = [SIGKILL, SIGTERM].contains(status & 0x7F)
            return ended(tracker, Self.reason(words, status), isHang: false, isItsFault: !isKilled)
        }
        let completed = shared.completed.load(ordering: .sequentiallyConsistent)
        if page.progress != tracker.progress.value { tracker.progress = (page.progress, now) }
        let isBusy = !tracker.isReady || tracker.done < completed
        if !isBusy { tracker.progress.at = now }
        // A process that has not said anything yet is not the plugin's.
        let limit = page.progress == 0 ? max(settings.limit, Self.startLimit) : settings.limit
        guard now - tracker.progress.at > limit else {
            return
        }
        keep(page.statistics, of: tracker)
        _ = tracker.end()
        ended(tracker, "its process did not come back within \(settings.limit / 1000) ms", isHang: true)
    }

    private func keep(_ statistics: TrackerStatistics, of tracker: IsolatedTracker) {
        shared.known.with {
            $0[tracker.name, default: .init()].statistics = statistics
            $0[tracker.name, default: .init()].process = nil
        }
    }

    /// What a process said as it died, or its status says.
    private static func reason(_ words: String, _ status: Int32) -> String {
        let line = words.split(separator: "\n").last { $0.contains(": error: ") }
        // NAME: error: tracker INSTANCE (FILE) WHAT; what to do
        if let line, let what = line.split(separator: ";").first, let end = what.ranges(of: ") ").first?.upperBound {
            return String(what[end...])
        }
        let signal = status & 0x7F
        guard signal != 0 else { return "its process ended with code \(status >> 8 & 0xFF)" }
        let known = [SIGKILL: "SIGKILL", SIGTERM: "SIGTERM"]
        let name = unsafe tally_signal_name(signal).map { unsafe String(cString: $0) } ?? known[signal]
        return "its process was ended by \(name ?? "signal \(signal)")"
    }

    /// Begins the next process, or leaves the tracker out when there were too many.
    func ended(_ tracker: IsolatedTracker, _ reason: String, isHang: Bool, isItsFault: Bool = true) {
        tracker.ends = tracker.ends.filter { now - $0 < Self.period } + [now]
        tracker.progress = (.max, now)
        let file = tracker.setup.entry.library.path
        guard !isHang || hasBegun else {
            // Whoever starts the run waits for this one.
            return leave(tracker, IsolatedEnd(reason: reason, isItsFault: true, isHang: true))
        }
        guard tracker.ends.count < settings.mostEnds else {
            let text = settings.mostEnds == 1 ? reason : "\(reason), for the third time in ten minutes"
            return leave(tracker, IsolatedEnd(reason: text, isItsFault: isItsFault, isHang: isHang))
        }
        log.write(
            tracker.name,
            TALLY_LOG_WARN,
            "\(file): \(reason): a new process is told the run from its beginning"
        )
        if !hasBegun {
            // Nothing was told yet: the run's thread waits for this one.
            guard let page = try? TrackerPage(readFrom: 0) else {
                return leave(tracker, IsolatedEnd(reason: "no memory is left", isItsFault: false, isHang: false))
            }
            return leaveOrBegin(tracker, page)
        }
        change(tracker, isOut: false)
    }

    /// Has the run's thread go on with another process of a tracker, or without it.
    ///
    /// It comes to that when it can be asked, and at the latest as the run ends; after that this thread does it.
    private func change(_ tracker: IsolatedTracker, isOut: Bool) {
        guard hasBegun else { return }
        let change = IsolationState.Change(tracker: tracker, isOut: isOut)
        let isOver = shared.changes.with { changes in
            changes?.append(change)
            return changes == nil
        }
        if isOver { restart?(change) } else { shared.boundary.with { $0 }?() }
    }

    private func leaveOrBegin(_ tracker: IsolatedTracker, _ page: TrackerPage) {
        tracker.begin(at: IsolatedTracker.StartPoint(page: page, number: 1, history: nil))
    }

    // MARK: - Places

    /// Lets who takes a tracker's place begin when the one before has made room, or is out.
    func succeed(_ tracker: IsolatedTracker) {
        var isOut = false
        if case .out = tracker.condition { isOut = true }
        guard let successor = tracker.successor, tracker.hasLeft || isOut else { return }
        tracker.succeed(by: successor)
        shared.known.with {
            $0[tracker.name] = .init()
            if successor.hasFailed { $0[tracker.name]?.advice = TrackerReport.advice(for: tracker.name) }
        }
        change(tracker, isOut: false)
    }

    /// A tracker has taken its place.
    func welcome(_ tracker: IsolatedTracker) {
        let plugin = tracker.setup.entry.description
        log.write(tracker.name, TALLY_LOG_INFO, "\(plugin.id) \(plugin.version) goes on in the run")
        let advice = shared.known.with { $0[tracker.name]?.advice ?? "" }
        if !advice.isEmpty { log.write(tracker.name, TALLY_LOG_WARN, advice) }
        tracker.arrive(.success(""))
    }

    func refuse(_ tracker: IsolatedTracker, _ reason: String, _ kind: Refusal) {
        // As in the player's own process: a start fails for a configuration that is refused, and for what is required.
        if !hasBegun, refusal == nil, kind == .configuration {
            let name = tracker.name
            refusal = .failed(instance: name, call: "init", status: TALLY_ERR_CONFIG, reason: reason)
            return tracker.leave(reason)
        }
        leave(tracker, IsolatedEnd(reason: reason, isItsFault: false, isHang: false))
    }

    func leave(_ tracker: IsolatedTracker, _ end: IsolatedEnd) {
        tracker.leave(end.reason)
        let name = tracker.name
        if !hasBegun, refusal == nil, tracker.setup.isRequired, !end.isHang {
            refusal = .refusedElsewhere(instance: name, reason: end.reason)
        }
        let file = tracker.setup.entry.library.path
        if tracker.successor != nil {
            log.write(name, TALLY_LOG_ERROR, "\(file): \(end.reason), as another file was to take its place")
            return succeed(tracker)
        }
        let listener = shared.listener.with { $0 }
        // Before anybody can see that it is out: who enables it then would hear that it is enabled already.
        listener.onDisabled?(name)
        shared.known.with {
            $0[name, default: .init()].failure = end.reason
            $0[name, default: .init()].stuckIn = end.isHang ? "its process" : nil
            $0[name, default: .init()].isOut = true
        }
        listener.onOut?(name, tracker.setup.entry.description, end)
        log.write(name, TALLY_LOG_ERROR, "\(file): \(end.reason): the run goes on without it")
        shared.refuseAnswers(of: name, end.reason)
        tracker.arrive(.failure(.refusedElsewhere(instance: name, reason: end.reason)))
        change(tracker, isOut: true)
    }
}
