internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import System

/// What a reporter's thread does: makes the instance, hands it outputs, ends it. [reporter]
@safe final class ReporterLoop {
    /// Outputs that are offered in one call at most.
    private static let batch = 1_024
    /// How long a plugin that is full is left alone unless it says that it is ready, us.
    private static let retryMicroseconds: Int64 = 100_000
    /// How long an instance that is disabled may take for what it still has, ms.
    private static let lastBudget: Int64 = 1_000

    let link: ReporterLink
    private let queue: OutputQueue
    private let make: ReporterMaker
    /// The plugin's instance.
    private(set) var made: any DrivenReporter
    private(set) var isEnabled = false
    /// What it has not got since it was given up, by source: told when it is enabled again.
    private var missed: [QueueGap] = []

    /// Makes and initialises the instance; with `resuming` it takes up its output where that mark says.
    init(
        link: ReporterLink,
        queue: OutputQueue,
        entry: PluginCatalog.Entry,
        configuration: String,
        make: @escaping ReporterMaker,
        resuming mark: String? = nil
    ) throws(PluginError) {
        self.link = link
        self.queue = queue
        self.make = make
        made = try make(entry, configuration, link)
        link.accountsByItself(made.commands.contains { $0.name == ReporterInstance.totalsCommand })
        guard let mark else { return }
        let answer = made.run(command: ReporterInstance.resumeCommand, arguments: mark)
        if case .failure(let error) = answer {
            made.destroy()
            throw error
        }
    }

    /// Enables the instance; one that refuses is destroyed.
    func begin() throws(PluginError) {
        if let error = made.enable() {
            made.destroy()
            throw error
        }
        isEnabled = true
    }

    /// Hands outputs over until the queue is closed and empty, then ends the instance.
    func run() {
        while let taken = queue.waitForOutputs() {
            deliver(taken)
        }
        end()
    }

    /// Hands over what waits and returns: for an instance that has no thread of its own.
    func deliverWaiting() {
        if let taken = queue.removeWaiting() {
            deliver(taken)
        }
    }

    /// Ends the instance.
    func end() {
        disable()
        let command = ReporterInstance.totalsCommand
        if made.commands.contains(where: { $0.name == command }),
            case .success(let totals) = made.run(command: command, arguments: "{}")
        {
            link.keep(totals: totals)
        }
        made.destroy()
        link.answerAll()
    }

    private func deliver(_ taken: OutputQueue.Taken) {
        for gap in taken.gaps { deliver(gap) }
        for segment in taken.segments {
            deliver(segment)
            queue.recycle(segment)
        }
        for job in taken.jobs {
            job.run(self)
        }
    }

    // MARK: - Control

    /// Enables the instance again; returns what went wrong.
    func enable() -> PluginError? {
        guard !isEnabled else { return nil }
        if let error = made.enable() { return error }
        isEnabled = true
        for gap in missed { deliver(gap) }
        missed = []
        return nil
    }

    /// Disables the instance; what comes while it is disabled is not for it.
    func disable() {
        missed = []
        guard isEnabled else { return }
        if link.failure.isEmpty { flushLast() }
        isEnabled = false
        made.disable()
    }

    /// Has the instance bring away what it took since it was last asked to: it hears of no session's end behind this.
    private func flushLast() {
        guard let token = link.expect({ _ in }) else { return }
        link.asked(token)
        made.flush(SessionFlush(token: token, runID: "", session: 0, budget: Self.lastBudget))
    }

    /// Begins the instance's next process when it has one of its own that has ended.
    func goOn() {
        made.goOn()
        leaveIfGivenUp()
    }

    /// An instance that has been given up is enabled no more.
    private func leaveIfGivenUp() {
        if !link.failure.isEmpty { isEnabled = false }
    }

    /// Puts an instance of another library into the old one's place; on any failure that one goes on.
    ///
    /// Both may want the same file or connection, so the old one is disabled before the new one is enabled, and enabled
    /// again when that fails.
    func replace(_ entry: PluginCatalog.Entry, configuration: String) -> PluginError? {
        let next: any DrivenReporter
        do throws(PluginError) {
            next = try make(entry, configuration, link)
        } catch {
            return error
        }
        let wasEnabled = isEnabled
        disable()
        if wasEnabled, let error = next.enable() {
            next.destroy()
            if let second = enable() {
                link.log.write(link.name, TALLY_LOG_ERROR, "cannot go on after a failed replacement: \(second.reason)")
            }
            return error
        }
        made.destroy()
        made = next
        link.accountsByItself(made.commands.contains { $0.name == ReporterInstance.totalsCommand })
        isEnabled = wasEnabled
        return nil
    }

    // MARK: - Outputs

    private func deliver(_ segment: OutputSegment) {
        var position = 0
        for (until, request) in segment.flushes {
            offer(segment, position..<until)
            position = until
            link.asked(request.token)
            if isEnabled { made.flush(request) } else { link.answer(request.token, FlushAnswer()) }
        }
        unsafe offer(segment, position..<segment.outputs.count)
    }

    private func offer(_ segment: OutputSegment, _ range: Range<Int>) {
        var position = range.lowerBound
        while isEnabled, position < range.upperBound {
            let count = min(Self.batch, range.upperBound - position)
            link.room.with { $0 = false }
            let outcome = unsafe segment.outputs.withUnsafeBufferPointer { outputs in
                unsafe made.take(UnsafeBufferPointer(rebasing: outputs[position..<position + count]))
            }
            link.count(outcome)
            let lost = position + outcome.taken..<position + outcome.taken + outcome.lost
            position = lost.upperBound
            leaveIfGivenUp()
            if outcome.isToldOfLost {
                for gap in unsafe QueueShares.gaps(of: segment.outputs[lost]) { deliver(gap) }
            } else if outcome.lost == 0, outcome.taken < count {
                let deadline = SystemTime.monotonic() + Self.retryMicroseconds
                _ = link.room.wait(until: deadline) { $0 ? true : nil }
            }
        }
        miss(segment, position..<range.upperBound)
    }

    /// Counts as lost what comes for an instance that has been given up; for one that was disabled nothing comes.
    private func miss(_ segment: OutputSegment, _ range: Range<Int>) {
        let reason = link.failure
        guard !range.isEmpty, !reason.isEmpty else { return }
        var outcome = TakeOutcome()
        (outcome.lost, outcome.error) = (range.count, reason)
        link.count(outcome)
        for gap in unsafe QueueShares.gaps(of: segment.outputs[range]) { miss(gap) }
    }

    private func miss(_ gap: QueueGap) {
        if let place = missed.firstIndex(where: { $0.isOfSource(of: gap) }) {
            missed[place].lost += gap.lost
        } else {
            missed.append(gap)
        }
    }

    private func deliver(_ gap: QueueGap) {
        guard isEnabled else {
            if !link.failure.isEmpty { miss(gap) }
            return
        }
        link.lost(gap.lost)
        guard made.wanted & (1 << TALLY_OUTPUT_GAP) != 0 else { return }
        let segment = OutputSegment()
        var lost = gap.lost
        unsafe withUnsafePointer(to: &lost) { lost in
            _ = unsafe segment.append(
                Output(
                    what: TALLY_OUTPUT_GAP,
                    identity: gap.source,
                    session: 0,
                    ordinal: 0,
                    time: 0,
                    item: UnsafeRawPointer(lost)
                )
            )
        }
        offer(segment, 0..<1)
    }
}
