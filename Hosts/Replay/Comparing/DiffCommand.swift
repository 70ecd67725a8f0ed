internal import HostSupport
internal import Tally

/// The command `tally-replay diff`.
struct DiffCommand {
    /// Does what the program's command line asks for.
    static func run() -> ExitCode {
        let arguments = ReplaySyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        let log = LogPrinter(program: arguments.program, lowest: .info, terminal: StandardStream.error.terminal) {
            try? StandardStream.error.write($0)
        }
        do throws(UsageError) {
            if arguments.operands.allSatisfy({ $0 == "-" }) {
                throw .badValue(option: "OUTPUT", value: "-", expected: "standard input only once")
            }
            return try ComparisonRequest(arguments).compare(arguments.operands[0], arguments.operands[1], log: log)
        } catch {
            ComparisonOptions.diff.end(with: error)
        }
    }
}
