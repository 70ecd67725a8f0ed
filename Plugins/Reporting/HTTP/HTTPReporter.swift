internal import Database
package import PluginKit
internal import Threads

/// Sends beacons over HTTP, and keeps each in a spool until the server has answered.
///
/// What it took it either delivers or counts as dropped, with the reason.
package final class HTTPReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.http",
        name: "HTTP",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: HTTPConfiguration.schemaText,
        traits: [.ownThreads, .network, .spills],
        readPaths: ["authority", "credentials.*.file"],
        writtenPaths: ["spool"]
    )

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

    /// Names of all reasons for which a beacon is dropped, as the counts have them.
    package static var dropReasons: [String] { DropReason.allCases.map(\.rawValue) }

    private let host: ReporterHost
    private let inbox = Guarded(Inbox())
    private var configuration: HTTPConfiguration?
    private var pool: TransferPool?
    private var thread: PluginThread?
    private var isEnabled = false
    /// The time of the spool, since it was opened.
    private var clock = SpoolClock(behind: nil, at: .now())

    package init(host: ReporterHost) { self.host = host }

    /// Without a spool on the disk it does not know what an earlier process has sent.
    package var wants: OutputKinds {
        configuration?.spool == nil ? [.beacons, .gaps] : [.beacons, .gaps, .recovered]
    }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try HTTPConfiguration(reading: json)
    }

    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try HTTPConfiguration(reading: json)
        guard isEnabled else {
            configuration = next
            return
        }
        guard thread == nil || next.spool == configuration?.spool else {
            throw .unusable(
                key: "spool",
                value: "\"\(next.spool ?? "")\"",
                expected: "\"\(configuration?.spool ?? "")\", which is open already; give another one at the next start"
            )
        }
        do throws(ReporterFault) {
            let secrets = try secrets(next)
            guard thread != nil else {
                try start(next, secrets)
                configuration = next
                return
            }
            _ = try? ask { (sender) throws(CommandError) in
                sender.reconfigure(next, secrets)
                return [:]
            }
            configuration = next
        } catch {
            throw .unusable(key: "credentials or spool", value: "what they name", expected: error.description)
        }
    }

    package func enable() throws(ReporterFault) {
        guard let configuration else { return }
        try start(configuration, secrets(configuration))
        isEnabled = true
    }

    /// Opens the spool and begins to send, unless it is to be quiet.
    private func start(
        _ configuration: HTTPConfiguration,
        _ secrets: [String: Sender.Secret],
        for use: SpoolUse = .keeping
    ) throws(ReporterFault) {
        guard !configuration.quiet, thread == nil else { return }
        let sender = try makeSender(configuration, secrets, for: use)
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
        pool = sender.pool
    }

    /// Opens the spool.
    private func makeSender(
        _ configuration: HTTPConfiguration,
        _ secrets: [String: Sender.Secret],
        for use: SpoolUse
    ) throws(ReporterFault) -> Sender {
        guard let pool = TransferPool(configuration) else {
            throw ReporterFault("libcurl cannot be used; check which libcurl is installed", cause: .reporter)
        }
        do throws(DatabaseError) {
            let spool = try SpoolRepair.open(configuration.spool, for: use, log: { self.host.log($0, $1) })
            if use != .reading { try spool.forgetOld() }
            return try Sender(configuration, spool, pool, secrets, host, inbox)
        } catch {
            throw ReporterFault(error.description)
        }
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let configuration, !configuration.quiet else { return outputs.count }
        let now = clock.now()
        let (taken, stall) = inbox.with { inbox -> (Int, Inbox.Stall?) in
            for index in outputs.indices {
                let output = outputs[index]
                if output.lostCount > 0 {
                    inbox.lost += Int64(clamping: output.lostCount)
                    inbox.losses += 1
                }
                guard let beacon = output.beacon else { continue }
                guard inbox.bytes < Inbox.largest, !inbox.isSpoolFull else {
                    inbox.isFull = true
                    return (index, index == 0 ? inbox.refuse(outputs.count, after: configuration.patience) : nil)
                }
                let content = BeaconContent(beacon, output.origin, now: now, age: configuration.retry.age)
                let stored = StoredBeacon(content: content, losses: inbox.losses)
                inbox.bytes += stored.size
                inbox.beacons.append(stored)
            }
            return (outputs.count, nil)
        }
        if let stall {
            throw ReporterFault(
                "\(stall.reason); after \(configuration.patience) ms nothing more is taken: what was committed is "
                    + "safe, a replay of the archive brings back what is refused"
            )
        }
        pool?.wake()
        return taken
    }

    package func flush(_ request: FlushRequest) {
        guard thread != nil, configuration?.quiet == false else {
            host.answer(request, delivered: 0, kept: 0, dropped: 0)
            return
        }
        inbox.with { $0.flushes.append(request) }
        pool?.wake()
    }

    package func disable() {
        isEnabled = false
        stop()
    }

    /// Sends for at most `drain_ms` more.
    private func stop() {
        guard let thread, let configuration else { return }
        inbox.with { $0.end = clock.now() + configuration.drain }
        pool?.wake()
        thread.join()
        self.thread = nil
        pool = nil
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        switch command {
        case "resume": return [:]
        case "totals" where thread == nil:
            return inbox.with(\.totals).json(tolerating: configuration?.tolerated ?? [])
        case "checkpoint":
            guard configuration?.spool != nil else {
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
            return try command == "drain" ? drain() : answerIdle(command, arguments)
        default:
            guard thread != nil else { return try answerIdle(command, arguments) }
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

    // MARK: - Parts

    private func secrets(_ configuration: HTTPConfiguration) throws(ReporterFault) -> [String: Sender.Secret] {
        var secrets: [String: Sender.Secret] = [:]
        for (name, source) in configuration.credentials {
            secrets[name] = (source.carrier, try source.secret())
        }
        return secrets
    }

    /// Has a question answered by a sender that sends nothing: no program has the spool.
    private func answerIdle(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        let body = try question(command, arguments)
        let isChange = Self.commands.contains { $0.name == command && $0.changesState }
        let sender = try converting { (configuration) throws(ReporterFault) in
            try makeSender(configuration, [:], for: isChange ? .changing : .reading)
        }
        return try body(sender)
    }

    /// Sends what waits until nothing is left that can go, at most for `drain_ms`.
    private func drain() throws(CommandError) -> JSONValue {
        let tolerated = try converting { (configuration) throws(ReporterFault) in
            try start(configuration, secrets(configuration), for: .changing)
            stop()
            return configuration.tolerated
        }
        return inbox.with(\.totals).json(tolerating: tolerated)
    }

    private func converting<Value>(
        _ body: (HTTPConfiguration) throws(ReporterFault) -> Value
    ) throws(CommandError) -> Value {
        guard let configuration, configuration.spool != nil, !configuration.quiet else {
            throw .refused("the reporter is not enabled, and has no spool, or is quiet; configure a spool")
        }
        do throws(ReporterFault) {
            return try body(configuration)
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
        pool?.wake()
        guard let answer = inbox.wait(seconds: seconds, { $0.answers.removeValue(forKey: number) }) else {
            throw .refused("the sender did not answer within \(seconds) s; try again")
        }
        return try answer.get()
    }
}
