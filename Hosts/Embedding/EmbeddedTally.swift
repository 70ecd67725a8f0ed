internal import HostSupport
internal import Synchronization
public import Tally
internal import TextEncoding

/// All that Tally's programs have around a player, for an application that has one: a configuration file, plugin
/// folders, a folder of archives with recovery, a control socket.
///
/// Made once for a process, or several times with different claims. All methods may be called from any thread; none
/// writes to standard output or installs a signal handler, unless that is asked for.
///
/// `Telemetry` alone is enough for an application that configures its plugins in code.
@safe public final class EmbeddedTally: Sendable {
    /// The plugins, loaded and configured.
    public let telemetry: Telemetry

    private let setup: HostSetup
    private let log: LogPrinter
    private let runs: EmbeddedRuns
    private let control: ControlPlane
    private let recovery: ArchiveRecovery?
    private let archive: ArchivePlace?
    private let claim: String?
    private let isClosed = Atomic(false)

    /// Reads the configuration, loads the plugins, starts the reporters, and brings runs to their end that a crash cut
    /// off, on a thread of its own.
    ///
    /// It takes some 10 to 100 ms: do not open it on a thread that plays.
    ///
    /// - Throws: ``EmbeddingError``; nothing is left running then.
    public convenience init(_ options: EmbeddingOptions = EmbeddingOptions()) throws(EmbeddingError) {
        let claim = options.claim
        if let claim, !EmbeddingClaims.claim(claim) {
            throw EmbeddingError(
                code: EmbeddingError.taken,
                "'\(claim)' is open in this process already: close that first, or remove the second copy of the plugin"
            )
        }
        do throws(HostError) {
            try self.init(opening: options)
        } catch {
            if let claim { EmbeddingClaims.release(claim) }
            throw EmbeddingError(error)
        }
    }

    private init(opening options: EmbeddingOptions) throws(HostError) {
        let lowest = options.lowestLevel
        log = options.log.map { LogPrinter(lowest: lowest, to: $0) } ?? .onStandardError(of: options.program, lowest)
        let place = EmbeddedPlace.ofLibrary
        let arguments = try EmbeddingSyntax.arguments(options)
        let log = log
        setup = try HostSetup(
            arguments,
            section: .library,
            admission: options.watchesCrashes
                ? .ofHost(options.program, probe: place.probe) { log.show(.warning, $0) } : .trying(place.probe),
            executable: place.library,
            sharingLibraries: true
        )
        for warning in setup.warnings { log.show(.warning, warning) }
        try setup.checkStandardOutput()
        if let folder = arguments[HostSettings.archive] ?? setup.configuration[HostSettings.archive] {
            archive = try ArchivePlace(folder: folder)
        } else {
            archive = nil
        }
        if archive == nil, let silence = setup.silence(archive: nil) { log.show(.warning, silence) }
        let store = arguments[HostSettings.store] ?? setup.configuration[HostSettings.store]
        if let store { try StorePlace.check(store) }
        var telemetryOptions = Telemetry.Options()
        telemetryOptions.storeFile = store
        telemetryOptions.trackerProgram = place.trackerProgram
        telemetryOptions.isolatesTrackers = arguments[HostSettings.isolate, in: JSONObject()]
        telemetryOptions.log = { log.write($0) }
        let tap = OutputTap()
        telemetry = try setup.telemetry(telemetryOptions, tap: tap)
        let recovers = options.recovers && setup.configuration.recovers && telemetry.takesRecoveredRuns
        recovery = recovers ? archive.map { [telemetry] in ArchiveRecovery(telemetry, $0, log: log) } : nil
        runs = EmbeddedRuns(telemetry)
        control = ControlPlane(run: runs, telemetry: telemetry, setup: setup, tap: tap, host: runs, log: log)
        claim = options.claim
        if let socket = arguments[HostSettings.control] ?? setup.configuration[HostSettings.control] {
            do throws(HostError) {
                try control.listen(socket)
            } catch {
                telemetry.close(limit: 1_000)
                throw error
            }
            control.watchDirectories()
        }
    }

    /// Begins a run, one for each player.
    ///
    /// - Parameters:
    ///   - delegate: is asked for information at track calls and told of errors and ended sessions; it is not retained.
    ///   - archive: the file that the run is recorded to; nil is a new file in the folder of archives, if there is one.
    /// - Returns: the run, to be ended by `destroy`, with the file that it is recorded to.
    /// - Throws: ``EmbeddingError`` when a tracker cannot be made or the archive cannot be created.
    public func startRun(
        delegate: (any PlayerDelegate)? = nil,
        archive: String? = nil
    ) throws(EmbeddingError) -> (run: PlayerRun, archive: String?) {
        try startRun(archive: archive) { (file) throws(TelemetryError) in
            try telemetry.startRun(delegate: delegate, archive: file)
        }
    }

    /// The same for a run that began so many us ago, of which nothing was said so far, and that keeps its delegate.
    package func startRun(
        delegate: any PlayerDelegate,
        archive: String?,
        startedAgo: Int64
    ) throws(EmbeddingError) -> (run: PlayerRun, archive: String?) {
        try startRun(archive: archive) { (file) throws(TelemetryError) in
            try telemetry.startRun(delegate: delegate, archive: file, startedAgo: startedAgo)
        }
    }

    private func startRun(
        archive: String?,
        _ start: (String?) throws(TelemetryError) -> PlayerRun
    ) throws(EmbeddingError) -> (run: PlayerRun, archive: String?) {
        let place = archive.map { ArchivePlace($0) } ?? self.archive
        do throws(HostError) {
            guard !isClosed.load(ordering: .acquiring) else {
                throw HostError.unusable("the telemetry is closed: no run can begin", .unavailable)
            }
            let file = place?.nextFile()
            if let file { try ArchivePlace.check(file) }
            let run: PlayerRun
            do throws(TelemetryError) {
                run = try start(file)
            } catch {
                throw setup.located(error)
            }
            runs.add(run)
            return (run, file)
        } catch {
            throw EmbeddingError(error)
        }
    }

    /// Carries out a command as the control socket takes it, and waits for it.
    ///
    /// - Parameter line: a line such as `plugin enable nielsen-dcr`; words may be quoted. `help` lists the commands.
    /// - Returns: its answer.
    /// - Throws: ``EmbeddingError`` when it is no command, or was refused.
    @discardableResult
    public func perform(_ line: String) throws(EmbeddingError) -> JSONValue {
        let answer = Condition<ControlReply?>(nil)
        do throws(ControlError) {
            let command = try ControlCommand(line: line)
            control.queue.submit(command) { reply in answer.change { $0 = reply } }
        } catch {
            throw EmbeddingError(error)
        }
        switch answer.wait(until: nil, for: { $0 }) {
        case .success(let data): return data
        case .failure(let error): throw EmbeddingError(error)
        case nil: return .null
        }
    }

    /// Logs what is wrong with how this is used, and goes on.
    package func warn(_ text: String) { log.show(.warning, text) }

    /// Ends the runs that go on and the reporters, which get `limit` ms each.
    ///
    /// - Returns: the reporters that did not come to their end.
    @discardableResult
    public func close(limit: Int64 = 10_000) -> [String] {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
        recovery?.end()
        control.endWatch()
        control.endCommands()
        runs.destroyAll(limit: limit)
        control.endClients()
        let open = telemetry.close(limit: limit)
        log.showHidden()
        if let claim { EmbeddingClaims.release(claim) }
        return open
    }
}

/// The words that are claimed in this process.
enum EmbeddingClaims {
    private static let claims = Lock<Set<String>>([])

    static func claim(_ word: String) -> Bool { claims.with { $0.insert(word).inserted } }

    static func release(_ word: String) { claims.with { _ = $0.remove(word) } }
}

extension EmbeddingError {
    /// How options are called in the texts that programs have for them, and how an application gives them.
    private static let names = [
        (" Name its folder with --plugin-dir; --list-plugins shows all.", " Name its folder in plugin_folders."),
        ("--plugin-dir", "plugin_folders"), ("--plugins", "plugins"), ("--config", "configuration"),
        ("--set", "settings"), ("--archive", "archive"), ("--store", "store"), ("--control", "control"),
    ]

    init(_ error: HostError) {
        let text = error.messages.joined(separator: "\n")
        self.init(
            code: error.exitCode.rawValue,
            Self.names.reduce(text) { $0.replacing($1.0, with: $1.1) }
        )
    }

    init(_ error: ControlError) {
        let isUsage = [.unknownCommand, .invalidArgument, .invalidMessage].contains(error.kind)
        self.init(code: (isUsage ? ExitCode.usage : .unavailable).rawValue, error.description)
    }
}
