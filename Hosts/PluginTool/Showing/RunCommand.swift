internal import Glibc
internal import HostSupport
internal import System
internal import Tally
internal import TallyTesting
internal import TextEncoding

/// `tally-plugin run`: what a plugin makes of an archive, on the screen.
enum RunCommand {
    static let syntax = CommandLineSyntax(
        program: "tally-plugin run",
        summary:
            "Replays an archive through one plugin, and shows what it says; of a reporter what there was to take, with what "
            + "example-c says, and what became of it.",
        operands: CommandLineSyntax.Operands(
            "FILE",
            minimum: 1,
            maximum: 2,
            help:
                "The plugin's file, and an archive. Without an archive, the sample that is installed with the program."
        ),
        settings: [PluginOptions.config, PluginOptions.json],
        epilogue: """
            Exit codes: 0 all is well, 64 wrong command line, 65 no archive, 66 no such file, 74 an output cannot be written, 75 the
            plugin cannot be used, 78 wrong configuration.

            Examples:
              tally-plugin run mine.tallyplugin.so
              tally-plugin run mine.tallyplugin.so run.tally --config '{"interval_seconds":5}'
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        let path = try PluginOptions.file(arguments)
        let archive = try arguments.operands.dropFirst().first.map { name throws(UsageError) in
            try PluginOptions.path(of: name, option: "ARCHIVE")
        }
        do throws(HostError) {
            let configuration = try PluginOptions.configuration(arguments)
            try PluginProcess.hold(configuration, against: path)
            let folder = PluginProcess.folder()
            defer { folder?.remove() }
            let text = try archive == nil ? SampleArchive.text : nil
            let place = archive ?? "sample.tally"
            let answer = PluginProcess.ask(
                PluginProcess.configured(Subject(path: path), configuration),
                limit: 600_000
            ) { subject throws(Finding) in
                do {
                    if let text { try TextFile.replace(place, with: text) }
                    return try Replayed(subject, place).json
                } catch let finding as Finding {
                    throw finding
                } catch {
                    throw .failed("\(error)")
                }
            }
            switch answer {
            case .failure(let finding): throw .unusable("\(arguments.operands[0]): \(finding.text)", .pluginFailed)
            case .success(let value):
                guard value["runs"] != 0 else {
                    throw .unusable("\(place): there is no player run in it; name an archive", .badData)
                }
                let text =
                    arguments[PluginOptions.json]
                    ? value.canonicalText + "\n" : PluginOptions.printable(Self.text(value))
                try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(text) }
                return .success
            }
        } catch {
            return PluginOptions.report(error, of: arguments)
        }
    }

    private static func text(_ value: JSONValue) -> String {
        let lines = (value["lines"]?.array ?? []).map { line in
            "\(clock(line["time_us"]?.int ?? 0))  \(line["text"]?.string ?? "")"
        }
        let log = (value["log"]?.array ?? []).compactMap(\.string).map { "log: \($0)" }
        let damaged = value["damaged"]?.int ?? 0
        let damage = damaged == 0 ? [] : ["damaged places in the archive: \(damaged)"]
        return (lines + log + damage + [value["summary"]?.string ?? ""]).joined(separator: "\n") + "\n"
    }

    /// A time of the run as minutes, seconds and thousandths.
    private static func clock(_ microseconds: Int64) -> String {
        let milliseconds = microseconds / 1_000
        let (minutes, seconds) = (milliseconds / 60_000, milliseconds / 1_000 % 60)
        return "\(ReadableNumber.padded(minutes, to: 2)):\(ReadableNumber.padded(seconds, to: 2))."
            + ReadableNumber.padded(milliseconds % 1_000, to: 3)
    }
}

/// Begins and ends by their names; everything else as it is.
private func boundary(_ text: String) -> String {
    let names = [
        "boundary 4": "session begin", "boundary 5": "session end", "boundary 6": "run begin", "boundary 7": "run end",
    ]
    guard let name = names[String(text.prefix(10))] else { return text }
    return name + text.dropFirst(10)
}

/// What came of a replay through one plugin, in the plugin's process.
private struct Replayed {
    let json: JSONValue

    init(_ subject: Subject, _ archive: String) throws {
        let isReporter = try subject.isReporter()
        let memory = MemoryReporter()
        let log = Lock<[String]>([])
        var options = Telemetry.Options()
        options.mode = .replay
        options.log = { line in log.with { $0.append(line.message) } }
        // Somebody has to say what a reporter takes.
        let subjects = [subject] + (isReporter ? Subject.own("example-c").map { [$0] } ?? [] : [])
        let selections = try subjects.enumerated().map { number, subject in
            PluginSelection(
                try subject.id(),
                name: number == 0 ? "plugin" : "example-c",
                configuration: try JSONParser().parse(subject.configuration)
            )
        }
        let telemetry = try Telemetry(
            plugins: selections,
            catalog: RecordedRun.catalog(subjects.map { .file($0.path) }),
            options: options,
            extraConsumers: [memory]
        )
        let replay = Replay(telemetry: telemetry, options: ReplayOptions())
        try replay.replay(path: archive)
        telemetry.close()
        let contents = memory.contents
        let said = contents.lines.map { line -> JSONValue in
            // Time, instance, kind, ordinal and session come first, and are shown by themselves or not at all.
            let words = line.text.split(separator: " ", maxSplits: 6, omittingEmptySubsequences: false)
            let kind = (isReporter ? "given " : "") + (line.kind == "beacon" ? "beacon " : "")
            return [
                "time_us": .int(line.time), "text": .string(kind + (words.count > 6 ? String(words[6]) : line.text)),
            ]
        }
        let given = contents.events.map { event -> JSONValue in
            let words = event.split(separator: " ", maxSplits: 1)
            return [
                "time_us": .int(words.first.flatMap { Int64($0) } ?? 0),
                "text": .string("given " + boundary(words.count > 1 ? String(words[1]) : event)),
            ]
        }
        var summary = "\(said.count) lines of \(contents.events.count) events and boundaries"
        if isReporter, let statistics = telemetry.reporterStatistics.first?.statistics {
            summary = "the reporter took \(statistics.taken) outputs, and lost \(statistics.dropped)"
            if !statistics.lastError.isEmpty { summary += ": \(statistics.lastError)" }
        }
        json = [
            "lines": .array(isReporter ? Self.merged(given, said) : said), "summary": .string(summary),
            "log": .array(log.with { $0 }.map { .string($0) }),
            "runs": .int(Int64(replay.summary.runs)), "damaged": .int(Int64(replay.summary.damaged)),
        ]
    }

    /// Lines of two kinds in the order of their times.
    private static func merged(_ one: [JSONValue], _ other: [JSONValue]) -> [JSONValue] {
        (one + other).enumerated().sorted { left, right in
            let times = (left.element["time_us"]?.int ?? 0, right.element["time_us"]?.int ?? 0)
            return times.0 == times.1 ? left.offset < right.offset : times.0 < times.1
        }.map(\.element)
    }
}

/// The archive that is installed with the program, for who has none at hand.
private enum SampleArchive {
    /// Where it is, beside the program and in the tree that the program was built from; the first that is there counts.
    private static let places = [
        "../share/tally/plugin/samples/sample.tally", "../../Hosts/PluginTool/Samples/sample.tally",
        "../../../Hosts/PluginTool/Samples/sample.tally",
    ]

    /// Its text.
    static var text: String {
        get throws(HostError) {
            let folder = FileNames.programFolder ?? ""
            for place in places {
                if let bytes = try? TextFile.read(folder + place) { return String(decoding: bytes, as: UTF8.self) }
            }
            throw .unusable(
                "the sample archive \(folder)\(places[0]) is not there: name an archive behind the plugin's file",
                .noInput
            )
        }
    }
}
