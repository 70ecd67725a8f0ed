internal import CPluginTool
internal import HostSupport
internal import System
internal import TextEncoding

/// `tally-plugin bench`: what a tracker costs, beside the example in C.
enum BenchCommand {
    static let rounds = Setting("rounds", .integer("COUNT", 1...1_000_000), "Play the course so often.").unlessGiven(
        300
    )

    static let syntax = CommandLineSyntax(
        program: "tally-plugin bench",
        summary: "Measures time and allocations of a tracker for each call of an ordinary session, beside example-c.",
        operands: CommandLineSyntax.Operands("FILE", minimum: 1, maximum: 1, help: "The plugin's file."),
        settings: [PluginOptions.config, rounds, PluginOptions.json],
        epilogue: """
            The session is that of the checks; the least of three measurements counts. Times and allocations are those of the
            calls, with what the host's functions do in them: of its own, example-c asks for no memory then.
            Exit codes: 0 all is well, 64 wrong command line, 66 no such file, 74 an output cannot be written, 75 the plugin cannot be
            used, 78 wrong configuration.

            Example:
              tally-plugin bench mine.tallyplugin.so
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        let path = try PluginOptions.file(arguments)
        let count = arguments[rounds]
        do throws(HostError) {
            let given = try PluginOptions.configuration(arguments)
            let folder = PluginProcess.folder()
            defer { folder?.remove() }
            var rows = [(name: arguments.operands[0], cost: try cost(path, given, count))]
            if let example {
                rows.append((name: "example-c", cost: try cost(example, nil, count)))
            } else if !arguments[PluginOptions.json] {
                StandardStream.note(
                    "\(arguments.program): example-c is not beside the program: there is nothing to compare with"
                )
            }
            let text = arguments[PluginOptions.json] ? json(rows) : PluginOptions.printable(table(rows))
            try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(text) }
            return .success
        } catch {
            return PluginOptions.report(error, of: arguments)
        }
    }

    /// What a call costs on average.
    private struct Cost {
        let nanoseconds: Double
        let allocations: Double
        let calls: Int64
    }

    /// The example's file, beside the program or where packages put it; nil when it is nowhere.
    private static var example: String? {
        let folder = FileNames.programFolder ?? ""
        let places = ["libexample-c.tallyplugin.so", "../lib/tally/plugins/libexample-c.tallyplugin.so"]
        return places.map { folder + $0 }.first { (try? TextFile.read($0)) != nil }
    }

    private static func cost(_ path: String, _ configuration: String?, _ rounds: Int) throws(HostError) -> Cost {
        let subject = PluginProcess.configured(Subject(path: path), configuration)
        let answer = PluginProcess.ask(subject, limit: 600_000) { subject throws(Finding) in
            guard try !subject.isReporter() else { throw .failed("it is a reporter, and trackers are measured") }
            try CheckHost(subject).start(subject)
            tally_tool_watch_allocations(nil)
            var least: (time: Int64, allocations: UInt64, calls: Int) = (.max, 0, 1)
            for _ in 0..<3 {
                let host = try CheckHost(subject)
                host.forgets = true
                try host.start(subject)
                let wanted = try WantedTypes(subject)
                host.beginMeasurement()
                for _ in 0..<rounds { host.play(.usual, wanted) }
                if host.callTime < least.time { least = (host.callTime, host.callAllocations, host.callCount) }
                host.finish()
            }
            return [
                "time": .int(least.time), "allocations": .int(Int64(least.allocations)),
                "calls": .int(Int64(least.calls)),
            ]
        }
        switch answer {
        case .failure(let finding): throw .unusable("\(path): \(finding.text)", .pluginFailed)
        case .success(let value):
            let calls = max(value["calls"]?.int ?? 1, 1)
            return Cost(
                nanoseconds: Double(value["time"]?.int ?? 0) / Double(calls),
                allocations: Double(value["allocations"]?.int ?? 0) / Double(calls),
                calls: calls
            )
        }
    }

    private static func json(_ rows: [(name: String, cost: Cost)]) -> String {
        let values = rows.map { row -> JSONValue in
            [
                "plugin": .string(row.name), "nanoseconds": .double(row.cost.nanoseconds),
                "allocations": .double(row.cost.allocations), "calls": .int(row.cost.calls),
            ]
        }
        return (["plugins": .array(values)] as JSONValue).canonicalText + "\n"
    }

    private static func table(_ rows: [(name: String, cost: Cost)]) -> String {
        let lines = rows.map { row in
            "\(tenths(row.cost.nanoseconds)) ns and \(tenths(row.cost.allocations)) allocations a call, of "
                + "\(ReadableNumber.grouped(UInt64(row.cost.calls))) calls: \(row.name)"
        }
        guard rows.count == 2, rows[1].cost.nanoseconds > 0 else { return lines.joined(separator: "\n") + "\n" }
        let ratio = tenths(rows[0].cost.nanoseconds / rows[1].cost.nanoseconds)
        return (lines + ["\(ratio) times the time of example-c"]).joined(separator: "\n") + "\n"
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
