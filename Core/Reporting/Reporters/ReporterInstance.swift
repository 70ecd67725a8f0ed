package import Coordinator
internal import Glibc
internal import PluginABI
package import PluginLoading
internal import Synchronization
package import System

/// One configured reporter: its plugin instance, its queue and its thread.
@safe package final class ReporterInstance: OutputConsumer, @unchecked Sendable {
    /// The configured name.
    package let name: String

    private struct State {
        var plugin: PluginDescription
        var isEnabled = true
        /// Whether it has been given up: what comes for it meanwhile is counted as lost.
        var isGivenUp = false
        var wanted: UInt32
        var commands: [PluginCommand] = []

        mutating func giveUp() { (isEnabled, isGivenUp) = (false, true) }
    }

    private let state: Lock<State>
    /// What it wants to see, nothing while it is disabled: apart from the state, because each output asks.
    private let listensTo = Atomic<UInt32>(0)

    private let queue: OutputQueue
    private let link: ReporterLink
    /// Nil for an instance without a thread: then it is called in ``consume(_:)``, by whoever that calls.
    private let thread: Thread?
    private let inline: ReporterLoop?
    private let filter: DeliveryFilter?
    private let ended = Condition(false)
    private let made = Lock<(any DrivenReporter)?>(nil)

    /// Makes the instance on a thread of its own and waits until it is enabled.
    ///
    /// Without `ownThread` it lives on the caller's thread, which then has to be the only one that uses it. `mark` is
    /// what ``mark(limit:)`` gave in an earlier process, whose output it takes up; `status` says what the host's
    /// plugins are and did, from any thread.
    ///
    /// - Throws: ``PluginError`` when the plugin refuses; nothing is left behind.
    package init(
        name: String,
        entry: PluginCatalog.Entry,
        configuration: String,
        policy: QueuePolicy,
        filter: DeliveryFilter? = nil,
        log: PluginLog,
        ownThread: Bool = true,
        resuming mark: String? = nil,
        status: (@Sendable () -> String?)? = nil,
        making make: @escaping ReporterMaker = { entry, configuration, link throws(PluginError) in
            try LoadedReporter(entry, configuration, link)
        }
    ) throws(PluginError) {
        let flags = policy == .wait ? TALLY_HOST_WAITS_FOR_ROOM : 0
        let link = ReporterLink(name: name, log: log, flags: flags, status: status)
        let queue = OutputQueue(
            policy: policy,
            limit: entry.description.spills ? OutputQueue.spillingLimit : OutputQueue.limit
        )
        let started = Condition<Result<(wanted: UInt32, commands: [PluginCommand]), PluginError>?>(nil)
        let ended = self.ended
        link.onEnded = { _ = queue.append(AwaitedJob<ReporterLoop> { $0.goOn() }) }
        self.name = name
        self.queue = queue
        self.link = link
        self.filter = filter
        let made = self.made
        let makeLoop: @Sendable () throws(PluginError) -> ReporterLoop = { () throws(PluginError) in
            let loop = try ReporterLoop(
                link: link,
                queue: queue,
                entry: entry,
                configuration: configuration,
                make: make,
                resuming: mark
            )
            try loop.begin()
            if let error = Self.refusal(of: loop.made.wanted, filter, name) {
                loop.end()
                throw error
            }
            made.with { $0 = loop.made }
            return loop
        }
        guard ownThread else {
            let loop = try makeLoop()
            inline = loop
            thread = nil
            state = Lock(State(plugin: entry.description, wanted: loop.made.wanted, commands: loop.made.commands))
            listensTo.store(loop.made.wanted, ordering: .relaxed)
            return
        }
        inline = nil
        let thread = Thread(name: "r-\(name)", callingPlugins: true) {
            do throws(PluginError) {
                let loop = try makeLoop()
                let commands = loop.made.commands
                started.change { $0 = .success((loop.made.wanted, commands)) }
                loop.run()
            } catch {
                started.change { $0 = .failure(error) }
            }
            queue.close()
            ended.change { $0 = true }
        }
        self.thread = thread
        let result = started.wait(until: nil) { $0 }
        switch result {
        case .success(let made):
            state = Lock(State(plugin: entry.description, wanted: made.wanted, commands: made.commands))
            listensTo.store(made.wanted, ordering: .relaxed)
            link.onFailure.with { $0 = { [weak self] in self?.change { $0.giveUp() } } }
            if !link.failure.isEmpty { change { $0.giveUp() } }
        case .failure(let error):
            thread.join()
            throw error
        case nil: throw .createRefused(instance: name)
        }
    }

    /// What its plugin says of itself.
    package var plugin: PluginDescription { state.with { $0.plugin } }

    package var wanted: UInt32 { listensTo.load(ordering: .relaxed) }

    /// Whether it is enabled.
    package var isEnabled: Bool { state.with { $0.isEnabled } }

    /// The commands that it offers.
    package var commands: [PluginCommand] { state.with { $0.commands } }

    package func consume(_ output: Output) {
        var isMuch = false
        if let filter {
            filter.pass(output) { isMuch = queue.append($0) }
        } else {
            isMuch = queue.append(output)
        }
        if isMuch { inline?.deliverWaiting() }
    }

    /// Whether it can be handed whole segments: every output in them goes to it as it is.
    var takesSegments: Bool { filter == nil && thread != nil }

    /// Takes a segment with outputs that it wants, and waits until there is room for it.
    func consume(_ segment: OutputSegment) { queue.append(segment) }

    package func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        guard let token = link.expect(done) else {
            done(FlushAnswer())
            return
        }
        queue.append(SessionFlush(token: token, runID: runID, session: session, budget: budget))
    }

    /// Takes an output of a run that is being recovered, and waits until there is room for it.
    package func recover(_ output: Output) {
        guard let filter else {
            queue.append(output, waits: true)
            return
        }
        filter.pass(output) { queue.append($0, waits: true) }
    }

    // MARK: - Control

    /// Enables it again on its thread; what came meanwhile was not for it.
    package func enable(limit: Int64) throws(JobFailure) -> PluginError? {
        let error = try perform(limit: limit) { $0.enable() }
        if error == nil { change { ($0.isEnabled, $0.isGivenUp) = (true, false) } }
        return error
    }

    /// Disables it on its thread behind what it was given so far.
    package func disable(limit: Int64) throws(JobFailure) {
        change { ($0.isEnabled, $0.isGivenUp) = (false, false) }
        do throws(JobFailure) {
            try perform(limit: limit) { [weak self] loop in
                loop.disable()
                // Also when nobody waits for it any more.
                self?.change { $0.isEnabled = false }
            }
        } catch {
            change { $0.isEnabled = true }
            throw error
        }
    }

    /// Hands it a new configuration.
    package func configure(_ configuration: String, limit: Int64) throws(JobFailure) -> PluginError? {
        let outcome = try perform(limit: limit) { loop in
            (error: loop.made.configure(configuration), wanted: loop.made.wanted)
        }
        guard outcome.error == nil else { return outcome.error }
        change { $0.wanted = outcome.wanted }
        return Self.refusal(of: outcome.wanted, filter, name)
    }

    /// Why a reporter cannot have what it wants: what a rule of privacy takes out of outputs is in archive lines.
    private static func refusal(of wanted: UInt32, _ filter: DeliveryFilter?, _ name: String) -> PluginError? {
        guard wanted & (1 << TALLY_OUTPUT_LINE) != 0, filter?.takesOut == true else { return nil }
        return .failed(
            instance: name,
            call: "enable",
            status: TALLY_ERR_CONFIG,
            reason: "it is to get archive lines, which are whole, and a rule of \"delivery.privacy\" takes something "
                + "out of what it gets; give that rule a \"reporter\", or this reporter no archive lines"
        )
    }

    /// Gives it a command; the answer is JSON text.
    package func run(
        command: String,
        arguments: String,
        limit: Int64
    ) throws(JobFailure) -> Result<String, PluginError> {
        try perform(limit: limit) { $0.made.run(command: command, arguments: arguments) }
    }

    /// Puts the plugin of a newer file into its place; on any failure the old one goes on.
    package func replace(
        _ entry: PluginCatalog.Entry,
        configuration: String,
        limit: Int64
    ) throws(JobFailure) -> PluginError? {
        let outcome = try perform(limit: limit) { [made] loop in
            let error = loop.replace(entry, configuration: configuration)
            made.with { $0 = loop.made }
            return (error: error, commands: loop.made.commands, wanted: loop.made.wanted)
        }
        if outcome.error == nil {
            change { state in
                state.plugin = entry.description
                state.commands = outcome.commands
                state.wanted = outcome.wanted
            }
        }
        return outcome.error
    }

    private func change(_ body: (inout State) -> Void) {
        let wanted = state.with { state in
            body(&state)
            return state.isEnabled || state.isGivenUp ? state.wanted : 0
        }
        listensTo.store(wanted, ordering: .relaxed)
    }

    private func perform<Answer>(
        limit: Int64,
        _ body: @escaping (ReporterLoop) -> Answer
    ) throws(JobFailure) -> Answer {
        if let inline {
            inline.deliverWaiting()
            return body(inline)
        }
        guard thread?.isCurrent == false else { throw .onOwnThread }
        let answer = Condition<Answer?>(nil)
        let job = AwaitedJob<ReporterLoop> { loop in
            let made = body(loop)
            answer.change { $0 = made }
        }
        guard queue.append(job) else { throw .ended }
        return try job.value(answer, limit: limit)
    }

    /// Has an instance answer a command that is made for it alone: it is not enabled, and so brings nothing away.
    package static func ask(
        _ command: String,
        arguments: String,
        name: String,
        entry: PluginCatalog.Entry,
        configuration: String,
        log: PluginLog,
        making make: ReporterMaker
    ) throws(PluginError) -> String {
        let link = ReporterLink(name: name, log: log, flags: TALLY_HOST_WAITS_FOR_ROOM)
        let made = try make(entry, configuration, link)
        defer { made.destroy() }
        return try made.run(command: command, arguments: arguments).get()
    }

    // MARK: - Taking up after a kill

    /// The command of a reporter that writes all it took where a kill cannot lose it, and answers with a mark of the
    /// place.
    static let markCommand = "checkpoint"
    /// The command that takes up output at a mark, before the reporter is enabled.
    static let resumeCommand = "resume"

    /// A mark of the place up to which its output is safe, as JSON text; to be called when nothing is put in.
    package func mark(limit: Int64) throws(JobFailure) -> Result<String, PluginError> {
        try run(command: Self.markCommand, arguments: "{}", limit: limit)
    }

    // MARK: - End

    /// The command of a reporter that says what became of what it took; it is asked for when it has been disabled.
    static let totalsCommand = "totals"

    /// Drops what waits for it; how many outputs.
    package func dropQueued() -> UInt64 { queue.dropAll() }

    /// Why it has been given up; empty while it has not.
    package var failure: String { link.failure }

    /// The process that it has of its own; nil where it has none.
    package var process: Int32? { made.with { $0 }?.process }

    /// What it did so far.
    package var statistics: ReporterStatistics {
        var statistics = link.statistics
        statistics.dropped += queue.dropped
        statistics.lostOf = queue.droppedOf
        statistics.queuedBytes = queue.waitingBytes
        return statistics
    }

    /// The query of a reporter that says how it does.
    private static let statisticsQuery = "stats"

    private struct LastAnswer {
        var text = ""
        var isAsked = false
    }

    private let lastAnswer = Lock(LastAnswer())

    /// What its query `stats` gave last, JSON text; empty when it has none.
    ///
    /// It is asked anew, and nobody waits for it.
    package var lastStatistics: String {
        let offers = state.with { state in
            state.isEnabled && state.commands.contains { $0.name == Self.statisticsQuery && !$0.changesState }
        }
        guard offers, inline == nil else { return "" }
        let isAsked = lastAnswer.with { last in
            defer { last.isAsked = true }
            return last.isAsked
        }
        if !isAsked {
            let job = AwaitedJob<ReporterLoop> { [lastAnswer] loop in
                let answer = try? loop.made.run(command: Self.statisticsQuery, arguments: "{}").get()
                lastAnswer.with { $0 = LastAnswer(text: answer ?? "") }
            }
            if !queue.append(job) { lastAnswer.with { $0.isAsked = false } }
        }
        return lastAnswer.with { $0.text }
    }

    /// Takes everything that waits, then disables and destroys the instance; waits at most `limit`, ms.
    ///
    /// - Returns: whether it ended in time. Otherwise its thread goes on, and the host may leave it behind.
    @discardableResult
    package func close(limit: Int64) -> Bool {
        if let inline {
            guard !(ended.with { $0 }) else { return true }
            inline.deliverWaiting()
            queue.close()
            inline.end()
            ended.change { $0 = true }
            return true
        }
        queue.close()
        let deadline = SystemTime.monotonic() + limit * 1000
        let done = ended.wait(until: deadline) { $0 ? true : nil } ?? false
        if done {
            thread?.join()
        }
        return done
    }
}
