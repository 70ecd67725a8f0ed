internal import CollectedRuns
internal import CollectorServer
internal import HostSupport
internal import Journal
internal import PlayerReports
internal import System
internal import Tally

/// The collector while it works: from its folder and its plugins to its end.
final class Collector: Sendable {
    private let settings: CollectorSettings
    private let setup: HostSetup
    private let tenants: Tenants
    private let log: LogPrinter
    private let patience: Int
    private let ending = Condition(false)

    /// How often what the journal need not keep is made safe elsewhere, us: it takes up to a second of the disk.
    private static let upkeepInterval: Int64 = 15_000_000

    init(
        _ arguments: CommandLineArguments,
        _ setup: HostSetup,
        _ tenants: Tenants,
        _ log: LogPrinter
    ) throws(HostError) {
        settings = try CollectorSettings(arguments, setup.configuration)
        patience = 10
        self.setup = setup
        self.tenants = tenants
        self.log = log
        let isLocal = settings.address.hasPrefix("127.") || settings.address == "::1"
        if !isLocal || settings.isBehindProxy, let open = tenants.all.first(where: \.keys.isEmpty) {
            let way = isLocal ? "the proxy of collector.behindProxy" : settings.address
            throw setup.configuration.unusable(
                "collector.tenants.\(open.name)",
                "\(way) can be reached by others, and a tenant has no keys: give it some"
                    + (isLocal ? "" : ", or listen on 127.0.0.1")
            )
        }
    }

    /// Works until it is asked to end.
    func run() throws(HostError) -> ExitCode {
        var options = Telemetry.Options()
        // A reporter that is behind holds its runs up, and then the players: nothing is lost.
        options.mode = .replay
        options.callLimit = 2_000
        options.log = { [log] line in log.write(line) }
        let tap = OutputTap()
        let telemetry = try setup.telemetry(options, tap: tap)
        do throws(HostError) {
            return try collect(telemetry, tap)
        } catch {
            telemetry.close(limit: 1_000)
            throw error
        }
    }

    private func collect(_ telemetry: Telemetry, _ tap: OutputTap) throws(HostError) -> ExitCode {
        let started = SystemTime.monotonic()
        let pool: RunPool
        let journal: Journal
        let shelf: ArchiveShelf
        let folder: CollectionFolder
        var again = 0
        do {
            folder = try CollectionFolder(settings.folder)
            (pool, shelf) = try makePool(telemetry)
            let finished = pool.finishedEntries
            var keeping = Journal.Options()
            // What waits for the journal too is bounded by the backlog, which is fair between tenants.
            keeping.waitingBytes = 2 * settings.waitingBytes
            keeping.problemChanged = { [log] problem in
                if let problem {
                    log.show(.error, "\(problem); reports are answered with 503, and players keep them")
                } else {
                    log.show(.info, "the journal can be written again: reports are taken")
                }
            }
            journal = unsafe try Journal(folder: settings.folder + "/journal", options: keeping) { entry, bytes in
                guard let reports = unsafe ReceivedReports(bytes) else { return }
                pool.restore(reports, entry: entry, finished: finished)
                again += 1
            }
        } catch let failure as CollectionFailure {
            throw .unusable(failure.description, .cannotCreate)
        } catch {
            throw .unusable("\(error)", .cannotCreate)
        }
        if pool.restored > 0 || again > 0 {
            let took = SystemTime.monotonic() - started
            log.show(
                .info,
                "\(ReadableNumber.counted(pool.restored, "open run")) and \(ReadableNumber.counted(again, "journal entry", "journal entries")) "
                    + "of before go on, found in \(took / 1_000) ms"
            )
        }
        let status = CollectorStatus(pool: pool, journal: journal, shelf: shelf, telemetry: telemetry)
        let unknownWords = UnknownWords(log)
        let reception = Reception(
            tenants,
            pool,
            journal,
            addressLimit: settings.addressLimit,
            isBehindProxy: settings.isBehindProxy,
            unknownWords: unknownWords,
            metrics: { status.metrics }
        )
        let plane = ControlPlane(
            run: pool,
            telemetry: telemetry,
            setup: setup,
            tap: tap,
            host: CollectorHost(status) { [ending] in ending.change { $0 = true } },
            log: log
        )
        if let path = settings.control { try plane.listen(path) }
        if settings.control != nil { plane.watchDirectories() }
        var servers: [HTTPServer] = []
        do throws(HTTPServer.Failure) {
            servers.append(try HTTPServer(settings.address, port: settings.port, reception, settings.server))
            if let path = settings.socket {
                var plain = settings.server
                plain.tls = nil
                servers.append(try HTTPServer(path: path, reception, plain))
            }
        } catch {
            for server in servers { server.end() }
            journal.close()
            reception.end()
            pool.close()
            plane.endCommands()
            guard error.isOfTLS else { throw .unusable(error.description, .cannotCreate) }
            throw setup.configuration.unusable("collector.tlsCertificate", error.description)
        }
        status.show(reception, servers)
        let scheme = settings.server.tls == nil ? "http" : "https"
        log.show(.info, "takes reports on \(scheme)://\(servers[0].place)")
        let rereads: @Sendable () -> Void = { plane.reload() }
        SignalWatch.start({ [ending] in ending.change { $0 = true } }, hangUp: setup.hasFile ? rereads : nil)
        if settings.readsInput {
            let pipe = PipeReception(pool, journal, tenant: tenants.all[0].name, unknownWords, log)
            _ = Thread(name: "tally-pipe") { [ending] in
                pipe.run()
                ending.change { $0 = true }
            }
        }
        while true {
            let next = SystemTime.monotonic() + Self.upkeepInterval
            if ending.wait(until: next, for: { isEnding -> Bool? in isEnding ? true : nil }) == true { break }
            keepUp(pool, journal, shelf)
        }
        return withExtendedLifetime(folder) { end(servers, reception, pool, journal, telemetry, plane) }
    }

    private func makePool(_ telemetry: Telemetry) throws(CollectionFailure) -> (RunPool, ArchiveShelf) {
        var shelving = ArchiveShelf.Options(folder: settings.folder + "/archives")
        for tenant in tenants.all {
            if let days = tenant.retentionDays { shelving.retention[tenant.name] = days }
        }
        let log = log
        let shelf = try ArchiveShelf(shelving) { log.show(.error, $0) }
        var running = RunOptions(folder: settings.folder + "/runs")
        running.workers = settings.workers
        running.patience = settings.patience
        running.waitingBytes = settings.waitingBytes
        running.tenants = tenants.all.count
        var reading = CMCDOptions()
        reading.patience = settings.patience
        var following = OpenAnalyticsOptions()
        following.patience = settings.patience
        let units = Dictionary(tenants.all.map { ($0.name, $0.playheadUnit) }, uniquingKeysWith: { $1 })
        running.interpretation = { [reading, following, units] key in
            switch key.form {
            case .native: return nil
            case .cmcd: return CMCDInterpretation(reading)
            case .requests: return CMCDRequestRun(reading)
            case .openAnalytics:
                var following = following
                following.unit = units[key.tenant] ?? nil
                return OpenAnalyticsInterpretation(following)
            }
        }
        for tenant in tenants.all {
            if let plugins = tenant.plugins { running.plugins[tenant.name] = Set(plugins) }
        }
        return (try RunPool(telemetry, running, shelf: shelf), shelf)
    }

    /// Lets the journal forget what is in runs' files, and deletes archives that are older than they are kept.
    private func keepUp(_ pool: RunPool, _ journal: Journal, _ shelf: ArchiveShelf) {
        let first = pool.firstNotDone
        pool.synchronize()
        journal.discard(before: first)
        let now = SystemTime.wall()
        pool.intake.forget(before: now)
        // What a burst took is given back: otherwise memory stays as large as it ever was.
        pool.trimMemory()
        for folder in shelf.deleteOld(now: now) {
            log.show(.info, "\(folder): deleted, as old as its tenant keeps them")
        }
    }

    private func end(
        _ servers: [HTTPServer],
        _ reception: Reception,
        _ pool: RunPool,
        _ journal: Journal,
        _ telemetry: Telemetry,
        _ plane: ControlPlane
    ) -> ExitCode {
        for server in servers { server.endAccepting() }
        plane.endWatch()
        plane.endCommands()
        // All that waits for its answer gets one.
        journal.close()
        reception.end()
        for server in servers { server.end() }
        pool.close()
        plane.endClients()
        let outcomes = ReporterOutcome.closing(telemetry, patience: patience, log: log)
        for outcome in outcomes {
            if let problem = outcome.problem { log.show(.error, problem) }
        }
        return outcomes.allSatisfy(\.isComplete) ? .success : .outputFailed
    }
}
