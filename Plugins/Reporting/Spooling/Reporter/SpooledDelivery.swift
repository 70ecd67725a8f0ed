internal import Database
package import PluginKit
internal import Threads

/// What a reporter with a spool does, whatever carries what it took: it keeps, sends, answers and counts.
///
/// Used on the reporter's thread; the sender has one of its own.
package final class SpooledDelivery {
    /// Makes what carries.
    package typealias Carriage = () throws(ReporterFault) -> any Carrier
    /// What is taken of an output, at a time of the spool's clock; nil for an output that is not for this reporter.
    package typealias Reading = (OutputView, _ now: Int64) -> BeaconContent?
    /// What is made of outputs, each of which may complete none, one or several; handed on as soon as it is complete.
    package typealias Making = (OutputView, _ now: Int64, (BeaconContent) -> Void) -> Void

    /// The commands of every reporter with a spool.
    package static let commands = [
        CommandDescriptor("stats", "What waits, was delivered and was dropped, by destination.", changesState: false),
        CommandDescriptor("totals", "What became of all that was taken since the start.", changesState: false),
        CommandDescriptor("dead_letters", "The newest beacons that were given up; `limit`, 100.", changesState: false),
        CommandDescriptor("resend", "Sends dead letters again; of one `destination` or of all.", changesState: true),
        CommandDescriptor("waiting", "The oldest beacons that wait; `limit`, 100.", changesState: false),
        CommandDescriptor("drain", "Sends what waits, and ends.", changesState: true),
        CommandDescriptor("purge", "Removes what the spool has; of one `destination` or of all.", changesState: true),
        CommandDescriptor("erase", "Removes what waits of a `run`, or of one `session` of it.", changesState: true),
        // The spool knows which beacons it has taken: none comes twice.
        CommandDescriptor("checkpoint", "All that was taken is in the spool.", changesState: false),
        CommandDescriptor("resume", "Goes on behind a checkpoint.", changesState: false),
    ]

    private let host: ReporterHost
    private let inbox = Guarded(Inbox())
    private var carrier: (any Carrier)?
    private var thread: PluginThread?
    private var options = SpoolOptions()
    /// The time of the spool, since it was opened.
    private var clock = SpoolClock(behind: nil, at: .now())

    /// Delivers nothing before it is started.
    package init(host: ReporterHost) { self.host = host }

    /// Whether it sends.
    package var isRunning: Bool { thread != nil }

    /// Opens the spool and begins to send.
    package func start(_ options: SpoolOptions, _ carriage: Carriage) throws(ReporterFault) {
        try start(options, carriage, for: .keeping)
    }

    private func start(_ options: SpoolOptions, _ carriage: Carriage, for use: SpoolUse) throws(ReporterFault) {
        guard thread == nil else { return }
        let sender = try makeSender(options, carriage, for: use)
        self.options = options
        inbox.with { inbox in
            inbox.end = nil
            inbox.stall = nil
            // What an earlier sender could not commit is gone with it, and a replay may bring it back.
            if inbox.bytes > 0 { inbox.losses += 1 }
            inbox.bytes = 0
            inbox.beacons = []
            inbox.spooled = sender.spool.bytes
            inbox.largestSpool = sender.largestTaken
        }
        clock = sender.clock
        thread = PluginThread { sender.run() }
        guard thread != nil else { throw ReporterFault("the system has no more threads; end some programs") }
        carrier = sender.carrier
    }

    /// Opens the spool.
    private func makeSender(
        _ options: SpoolOptions,
        _ carriage: Carriage,
        for use: SpoolUse
    ) throws(ReporterFault) -> Sender {
        let carrier = try carriage()
        do throws(DatabaseError) {
            let spool = try SpoolRepair.open(options.spool, options.kind, for: use, log: { self.host.log($0, $1) })
            if use != .reading { try spool.forgetOld() }
            return try Sender(options, spool, carrier, host, inbox)
        } catch {
            throw ReporterFault(error.description)
        }
    }

    /// Goes on with other options and, on the sender's thread, with what `change` does to the carrier.
    ///
    /// With `makingDue` what waits is tried at once. Another spool is refused: it takes another start.
    package func reconfigure(
        _ next: SpoolOptions,
        makingDue: Bool,
        _ change: @escaping @Sendable () -> Void
    ) throws(ConfigurationError) {
        try Self.checkSpool(next, isThatOf: options)
        _ = try? ask { (sender) throws(CommandError) in
            change()
            sender.reconfigure(next, makingDue: makingDue)
            return [:]
        }
        options = next
    }

    /// Makes sure that a new configuration has the spool that is used.
    ///
    /// - Throws: that it has another one, or none.
    package static func checkSpool(_ next: SpoolOptions, isThatOf now: SpoolOptions) throws(ConfigurationError) {
        guard next.spool != now.spool else { return }
        let expected = now.spool.map { "\"\($0)\", which is open already; give another one at the next start" }
        throw .unusable(
            key: "spool",
            value: next.spool.map { "\"\($0)\"" } ?? "none",
            expected: expected ?? "none, as now; give one at the next start"
        )
    }

    /// Takes outputs and gives how many, from the first on.
    package func deliver(_ outputs: OutputBatch, _ read: Reading) throws(ReporterFault) -> Int {
        try deliver(
            outputs,
            making: { output, now, keep in
                if let content = read(output, now) { keep(content) }
            }
        )
    }

    /// Takes what is complete without a further output.
    package func deliver(_ contents: [BeaconContent]) {
        inbox.with { inbox in
            for content in contents { inbox.add(content) }
        }
        carrier?.wake()
    }

    /// The time that contents are dated by, ms.
    package var now: Int64 { clock.now() }

    /// Takes outputs, each of which is read once, and gives how many, from the first on.
    package func deliver(_ outputs: OutputBatch, making read: Making) throws(ReporterFault) -> Int {
        let now = clock.now()
        let (taken, stall) = inbox.with { inbox -> (Int, Inbox.Stall?) in
            for index in outputs.indices {
                let output = outputs[index]
                if output.lostCount > 0 {
                    inbox.lost += Int64(clamping: output.lostCount)
                    inbox.losses += 1
                    continue
                }
                guard inbox.bytes < Inbox.largest, !inbox.isSpoolFull else {
                    inbox.isFull = true
                    return (index, index == 0 ? inbox.refuse(outputs.count, after: options.patience) : nil)
                }
                read(output, now) { inbox.add($0) }
            }
            return (outputs.count, nil)
        }
        if let stall {
            throw ReporterFault(
                "\(stall.reason); after \(options.patience) ms nothing more is taken: what was committed is "
                    + "safe, a replay of the archive brings back what is refused"
            )
        }
        carrier?.wake()
        return taken
    }

    /// Answers when all that was taken of a session is delivered, kept or given up.
    package func flush(_ request: FlushRequest) {
        guard thread != nil, !options.quiet else {
            host.answer(request, delivered: 0, kept: 0, dropped: 0)
            return
        }
        inbox.with { $0.flushes.append(request) }
        carrier?.wake()
    }

    /// Sends for at most `drain_ms` more, and ends.
    package func stop() {
        guard let thread else { return }
        inbox.with { $0.end = clock.now() + options.drain }
        carrier?.wake()
        thread.join()
        self.thread = nil
        carrier = nil
    }
}

// What people and hosts ask.
extension SpooledDelivery {
    /// Runs one of ``commands``; a reporter that is not enabled is asked with the options that it would have.
    package func run(
        _ command: String,
        _ arguments: JSONValue,
        _ options: SpoolOptions?,
        _ carriage: Carriage
    ) throws(CommandError) -> JSONValue {
        switch command {
        case "resume": return [:]
        case "totals" where thread == nil:
            return inbox.with(\.totals).json(tolerating: options?.tolerated ?? [])
        case "checkpoint":
            guard options?.spool != nil else {
                throw .refused("without a spool file nobody knows which beacons were taken; set \"spool\" to one")
            }
            guard thread == nil || inbox.wait(seconds: 30, { $0.bytes == 0 ? true : nil }) == true else {
                throw .refused("the spool could not be written for 30 s")
            }
            return [:]
        case "drain", "purge":
            guard thread == nil else {
                throw .refused("the reporter is enabled, and sends; disable it, or end the program, first")
            }
            guard command == "drain" else { return try answerIdle(command, arguments, options, carriage) }
            return try drain(options, carriage)
        default:
            guard thread != nil else { return try answerIdle(command, arguments, options, carriage) }
            return try ask(seconds: command == "erase" ? 120 : 10, question(command, arguments))
        }
    }

    private func question(_ command: String, _ arguments: JSONValue) throws(CommandError) -> Inbox.Question.Body {
        do throws(ConfigurationError) {
            switch command {
            case "stats": return { (sender) throws(CommandError) in try sender.statistics() }
            case "totals": return { (sender) throws(CommandError) in try sender.totalsAsked() }
            case "dead_letters":
                let limit = try arguments.integer("limit", in: 1...10_000, default: 100)
                return { (sender) throws(CommandError) in try sender.deadLetters(limit: limit) }
            case "waiting":
                let limit = try arguments.integer("limit", in: 1...10_000, default: 100)
                return { (sender) throws(CommandError) in try sender.waitingBeacons(limit: limit) }
            case "purge":
                let name = try arguments.text("destination", default: "")
                return { (sender) throws(CommandError) in try sender.purge(destination: name.isEmpty ? nil : name) }
            case "resend":
                let name = try arguments.text("destination", default: "")
                return { (sender) throws(CommandError) in try sender.revive(destination: name.isEmpty ? nil : name) }
            default:
                let run = try arguments.text("run")
                let session = try arguments.integer("session", in: 0...Int64(UInt32.max), default: 0)
                return { (sender) throws(CommandError) in
                    try sender.erase(run: run, session: session == 0 ? nil : session)
                }
            }
        } catch {
            throw .argument(error)
        }
    }

    /// Has a question answered by a sender that sends nothing: no program has the spool.
    private func answerIdle(
        _ command: String,
        _ arguments: JSONValue,
        _ options: SpoolOptions?,
        _ carriage: Carriage
    ) throws(CommandError) -> JSONValue {
        let body = try question(command, arguments)
        let isChange = Self.commands.contains { $0.name == command && $0.changesState }
        let sender = try converting(options) { (options) throws(ReporterFault) in
            try makeSender(options, carriage, for: isChange ? .changing : .reading)
        }
        return try body(sender)
    }

    /// Sends what waits until nothing is left that can go, at most for `drain_ms`.
    private func drain(_ options: SpoolOptions?, _ carriage: Carriage) throws(CommandError) -> JSONValue {
        let tolerated = try converting(options) { (options) throws(ReporterFault) in
            try start(options, carriage, for: .changing)
            stop()
            return options.tolerated
        }
        return inbox.with(\.totals).json(tolerating: tolerated)
    }

    private func converting<Value>(
        _ options: SpoolOptions?,
        _ body: (SpoolOptions) throws(ReporterFault) -> Value
    ) throws(CommandError) -> Value {
        guard let options, options.spool != nil, !options.quiet else {
            throw .refused("the reporter is not enabled, and has no spool, or is quiet; configure a spool")
        }
        do throws(ReporterFault) {
            return try body(options)
        } catch {
            throw .refused(error.description)
        }
    }

    /// Has a question answered on the sender's thread.
    private func ask(seconds: Int = 10, _ body: @escaping Inbox.Question.Body) throws(CommandError) -> JSONValue {
        let number = inbox.with { inbox in
            inbox.asked += 1
            inbox.questions.append(Inbox.Question(number: inbox.asked, body: body))
            return inbox.asked
        }
        carrier?.wake()
        guard let answer = inbox.wait(seconds: seconds, { $0.answers.removeValue(forKey: number) }) else {
            throw .refused("the sender did not answer within \(seconds) s; try again")
        }
        return try answer.get()
    }
}
