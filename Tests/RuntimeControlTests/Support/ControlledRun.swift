import Tally
import TallyTesting
import TextEncoding

/// Player runs whose set of plugins changes: on a virtual clock, with outputs in memory and an archive.
final class ControlledRun {
    static let patched = "org.tally.fixture.patched"
    static let witness = PluginSelection(
        "org.tally.fixture.witness",
        name: "witness",
        configuration: ["timers": 3, "seed": 7]
    )

    let telemetry: Telemetry
    let catalog: PluginCatalog
    let run: PlayerRun
    let player = SyntheticPlayer()
    let clock = VirtualClock()
    let archive = RecordedRun.temporaryArchive()
    private let memory = MemoryReporter()
    let log = LogNotes()

    /// Begins a run with the witness and the plugins of some files.
    init(
        _ plugins: [PluginSelection] = [],
        files: [String] = [],
        admission: PluginAdmission = PluginAdmission(),
        options: Telemetry.Options = Telemetry.Options(),
        isArchived: Bool = true
    ) throws {
        catalog = PluginCatalog(admission: admission)
        try catalog.add(PluginSource.file(PluginFiles.fixture("witness")).library())
        for file in files {
            try catalog.add(catalog.library(file))
        }
        var options = options
        options.log = { [log] in log.add($0) }
        telemetry = try Telemetry(
            plugins: [Self.witness] + plugins,
            catalog: catalog,
            options: options,
            extraConsumers: [memory]
        )
        run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: isArchived ? archive : nil,
            environment: RunEnvironment(
                description: RunDescription(id: "controlled", epoch: 1_700_000_000_000_000),
                clock: clock,
                pumped: true
            )
        )
    }

    /// What came out so far.
    var output: OutputTranscript { memory.contents }

    /// What an instance said: kinds of records and the count in each.
    func said(_ name: String) -> [String] {
        output.lines.filter { $0.instance == name }.map { line in
            guard case .int(let count)? = line.attributes["count"] else { return line.kind }
            return "\(line.kind) \(count)"
        }
    }

    /// Lets time pass and makes the player do something, all of it handled.
    func perform(_ action: PlayerAction, after milliseconds: Int64 = 100) {
        clock.advance(to: clock.now() + milliseconds * 1000)
        run.pump()
        player.perform(action, on: run)
        run.pump()
    }

    /// Ends the run.
    func end() -> RecordedRun {
        let report = run.destroy()
        telemetry.close()
        return RecordedRun(live: memory.contents, archive: archive, report: report)
    }

    /// What the witness says in a replay of an archive in which it is alone: whatever else went on in the run.
    static func witnessAlone(_ archive: String) throws -> [String] {
        try RecordedRun.replay(
            archive,
            through: [witness],
            from: [.file(PluginFiles.fixture("witness"))],
            asRecorded: false
        ).lines(of: "witness")
    }

    /// Replays an archive as recorded with all that was ever loaded in the run.
    func replayAsRecorded(
        _ archive: String,
        catalog: PluginCatalog? = nil,
        substitutes: [String: String] = [:],
        recovers: Bool = false,
        callLimit: Int64? = nil,
        log: LogNotes = LogNotes()
    ) throws -> OutputTranscript {
        let memory = MemoryReporter()
        var options = Telemetry.Options()
        options.mode = .replay
        options.callLimit = callLimit
        options.log = { log.add($0) }
        let telemetry = try Telemetry(
            plugins: [],
            catalog: catalog ?? self.catalog,
            options: options,
            extraConsumers: [memory]
        )
        var replaying = ReplayOptions()
        replaying.asRecorded = true
        replaying.substitutes = substitutes
        replaying.recoveredArchive = recovers ? archive : nil
        try Replay(telemetry: telemetry, options: replaying).replay(path: archive)
        return memory.contents
    }
}
