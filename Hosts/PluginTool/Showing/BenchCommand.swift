internal import CPluginTool
internal import Glibc
internal import HostSupport
internal import System
internal import Tally
internal import TallyTesting
internal import TextEncoding

/// `tally-plugin bench`: what a plugin costs in a replay, beside one of Tally's own.
enum BenchCommand {
    static let events = Setting(
        "events",
        .integer("COUNT", 1_000...10_000_000),
        "So many events of the reference archive."
    )
    .unlessGiven(100_000)

    static let syntax = CommandLineSyntax(
        program: "tally-plugin bench",
        summary:
            "Measures time and allocations of a plugin for each event of an archive, a tracker beside example-c, a "
            + "reporter beside discard.",
        operands: CommandLineSyntax.Operands(
            "FILE",
            minimum: 1,
            maximum: 2,
            help: "The plugin's file, and an archive. Without an archive, the reference archive, which is made for it."
        ),
        settings: [PluginOptions.config, events, PluginOptions.json],
        epilogue: """
            The archive is replayed with the plugin and without it; what the plugin costs is the difference, in processor time of the
            whole process and calls for memory of all libraries. The least of three measurements counts. Beside a reporter example-c
            runs both times, so that there are records to take.
            Exit codes: 0 all is well, 64 wrong command line, 65 no archive, 66 no such file, 74 an output cannot be written, 75 the
            plugin cannot be used, 78 wrong configuration.

            Examples:
              tally-plugin bench mine.tallyplugin.so
              tally-plugin bench mine.tallyplugin.so run.tally --config '{"interval_seconds":5}'
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        let path = try PluginOptions.file(arguments)
        let given = try arguments.operands.dropFirst().first.map { name throws(UsageError) in
            try PluginOptions.path(of: name, option: "ARCHIVE")
        }
        do throws(HostError) {
            let configuration = try PluginOptions.configuration(arguments)
            try PluginProcess.hold(configuration, against: path)
            let folder = PluginProcess.folder()
            defer { folder?.remove() }
            let archive = if let given { given } else { try reference(arguments[events]) }
            let cost = try cost(path, configuration, archive)
            var rows = [(name: arguments.operands[0], cost: cost)]
            let beside = cost.isReporter ? "discard" : "example-c"
            if let own = Subject.own(beside) {
                rows.append((name: beside, cost: try Self.cost(own.path, nil, archive)))
            } else if !arguments[PluginOptions.json] {
                StandardStream.note(
                    "\(arguments.program): \(beside) is not beside the program: there is nothing to compare with"
                )
            }
            let text = arguments[PluginOptions.json] ? json(rows) : PluginOptions.printable(table(rows))
            try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(text) }
            return .success
        } catch {
            return PluginOptions.report(error, of: arguments)
        }
    }

    /// What an event costs on average.
    private struct Cost {
        let nanoseconds: Double
        let allocations: Double
        let events: Int64
        let isReporter: Bool
    }

    private static func reference(_ events: Int) throws(HostError) -> String {
        do throws(ReferenceArchive.Failure) {
            try ReferenceArchive.write(to: "reference.tally", events: events)
            return "reference.tally"
        } catch {
            throw .unusable("the reference archive cannot be made: \(error)", .cannotCreate)
        }
    }

    private static func cost(
        _ path: String,
        _ configuration: String?,
        _ archive: String
    ) throws(HostError) -> Cost {
        let subject = PluginProcess.configured(Subject(path: path), configuration)
        let answer = PluginProcess.ask(subject, limit: 600_000) { subject throws(Finding) in
            do {
                let isReporter = try subject.isReporter()
                let speaker = isReporter ? Subject.own("example-c") : nil
                // Once before, so that what happens once is in none of them.
                var events = try Measured([subject, speaker], archive).events
                var (with, without) = (Measured.most, Measured.most)
                for _ in 0..<3 {
                    let measured = try Measured([subject, speaker], archive)
                    events = measured.events
                    with = with.least(measured)
                    without = without.least(try Measured([speaker], archive))
                }
                return [
                    "time": .int(max(0, with.time - without.time)), "events": .int(events),
                    "allocations": .int(max(0, with.allocations - without.allocations)),
                    "is_reporter": .bool(isReporter),
                ]
            } catch {
                throw .failed("\(error)")
            }
        }
        switch answer {
        case .failure(let finding): throw .unusable("\(path): \(finding.text)", .pluginFailed)
        case .success(let value):
            guard let events = value["events"]?.int, events > 0 else {
                throw .unusable("\(archive): there is no event of a player in it; name another archive", .badData)
            }
            return Cost(
                nanoseconds: Double(value["time"]?.int ?? 0) / Double(events),
                allocations: Double(value["allocations"]?.int ?? 0) / Double(events),
                events: events,
                isReporter: value["is_reporter"] == true
            )
        }
    }

    private static func json(_ rows: [(name: String, cost: Cost)]) -> String {
        let values = rows.map { row -> JSONValue in
            [
                "plugin": .string(row.name), "nanoseconds": .double(row.cost.nanoseconds),
                "allocations": .double(row.cost.allocations), "events": .int(row.cost.events),
            ]
        }
        return (["plugins": .array(values)] as JSONValue).canonicalText + "\n"
    }

    private static func table(_ rows: [(name: String, cost: Cost)]) -> String {
        let lines = rows.map { row in
            "\(tenths(row.cost.nanoseconds)) ns and \(tenths(row.cost.allocations)) allocations an event, of "
                + "\(ReadableNumber.grouped(UInt64(row.cost.events))) events: \(row.name)"
        }
        guard rows.count == 2, rows[1].cost.nanoseconds > 0 else { return lines.joined(separator: "\n") + "\n" }
        let ratio = tenths(rows[0].cost.nanoseconds / rows[1].cost.nanoseconds)
        return (lines + ["\(ratio) times the time of \(rows[1].name)"]).joined(separator: "\n") + "\n"
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// One replay in the plugin's process: what it took.
private struct Measured {
    /// Processor time of the process, ns.
    let time: Int64
    /// Calls for memory, but for the program's own.
    let allocations: Int64
    /// Events of players in the archive.
    let events: Int64

    /// More than any.
    static let most = Measured(time: .max, allocations: .max, events: 0)

    private init(time: Int64, allocations: Int64, events: Int64) {
        (self.time, self.allocations, self.events) = (time, allocations, events)
    }

    /// Replays an archive through plugins.
    init(_ subjects: [Subject?], _ archive: String) throws {
        var options = Telemetry.Options()
        options.mode = .replay
        let subjects = subjects.compactMap { $0 }
        let selections = try subjects.enumerated().map { number, subject in
            PluginSelection(
                try subject.id(),
                name: "plugin-\(number)",
                configuration: try JSONParser().parse(subject.configuration)
            )
        }
        let telemetry = try Telemetry(
            plugins: selections,
            catalog: RecordedRun.catalog(subjects.map { .file($0.path) }),
            options: options
        )
        tally_tool_watch_allocations(nil)
        tally_tool_count_allocations(0, false)
        let begin = Self.processorTime
        let replay = Replay(telemetry: telemetry, options: ReplayOptions())
        try replay.replay(path: archive)
        telemetry.close()
        time = Self.processorTime - begin
        allocations = Int64(tally_tool_allocations())
        events = Int64(replay.summary.events)
    }

    func least(_ other: Measured) -> Measured {
        Measured(
            time: min(time, other.time),
            allocations: min(allocations, other.allocations),
            events: other.events
        )
    }

    private static var processorTime: Int64 {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
