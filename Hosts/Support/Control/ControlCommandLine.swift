internal import Glibc
internal import TextEncoding

/// The client of a control socket: `tally-player ctl COMMAND ...`.
package enum ControlCommandLine {
    /// How long a reply may take unless `--timeout` says otherwise, seconds.
    private static let timeout = 10.0

    /// What the command line may say.
    package static func syntax(program: String) -> CommandLineSyntax {
        CommandLineSyntax(
            program: "\(program) ctl",
            summary: "Gives a command to a \(program) that runs with --control, and shows its reply.",
            operands: CommandLineSyntax.Operands(
                "COMMAND",
                minimum: 1,
                maximum: nil,
                help: "A command and its arguments, as in a script's line; help lists them."
            ),
            options: [
                CommandLineOption(
                    "control",
                    value: "PATH",
                    help: "The control socket; otherwise the variable TALLY_CONTROL names it."
                ),
                CommandLineOption("json", help: "Show replies as JSON."),
                CommandLineOption(
                    "timeout",
                    value: "SECONDS",
                    help: "How long a reply may take; 10 unless given, and for drain as long as it may take more."
                ),
                CommandLineOption("count", value: "N", help: "End a tap after so many lines."),
            ],
            epilogue: """
                Exit codes: 0 the command was carried out, 1 it was refused, 64 wrong command, 66 there is no socket,
                69 nobody listens there or no reply came in time.

                Examples:
                  \(program) ctl --control /run/user/1000/tally plugin list
                  \(program) ctl --control /run/user/1000/tally configure jsonlines '{"path": "new.jsonl"}'
                  \(program) ctl --control /run/user/1000/tally tap records plugin=new-relic-video limit=10
                """
        )
    }

    /// Gives the command and shows the reply.
    package static func run(program: String, version: String, words: [String]) -> ExitCode {
        signal(SIGPIPE, SIG_IGN)
        let syntax = syntax(program: program)
        let arguments = syntax.argumentsOrEnd(words, version: version)
        do throws(UsageError) {
            let timeout = try arguments.number("timeout") ?? timeout
            let count = try arguments.integer("count", in: 1...Int.max)
            guard let path = arguments.value("control") ?? Terminal.environment("TALLY_CONTROL"), !path.isEmpty else {
                throw .missingArgument("--control PATH")
            }
            return run(syntax.program, path, arguments, limit: Int64(min(timeout, 86_400) * 1000), count: count)
        } catch {
            syntax.end(with: error)
        }
    }

    /// Gives the command that the operands are, at the socket of that path, and shows the reply.
    ///
    /// `limit` is how long the reply may take, ms; `count` how many lines of a tap are shown.
    static func run(
        _ program: String,
        _ path: String,
        _ arguments: CommandLineArguments,
        before: [String] = [],
        limit: Int64 = Int64(timeout * 1000),
        count: Int? = nil
    ) -> ExitCode {
        let words = withAbsolutePath(before + arguments.operands)
        let command: ControlCommand
        do throws(ControlProblem) {
            command = try ControlCommand(words: words)
        } catch {
            StandardStream.note("\(program): error: \(error.message)")
            return .usage
        }
        var limit = limit
        if case .drain(let milliseconds) = command { limit += milliseconds }
        do throws(ControlClient.Failure) {
            let client = try ControlClient(path: path)
            let reply = try client.perform(words, limit: limit)
            guard case .tap = command, case .success = reply else {
                return show(reply, program, json: arguments.isSet("json"))
            }
            return try showTap(client, count)
        } catch {
            StandardStream.note("\(program): error: \(error.message)")
            return error.exitCode
        }
    }

    private static func showTap(_ client: ControlClient, _ count: Int?) throws(ControlClient.Failure) -> ExitCode {
        var rest = count ?? .max
        while rest > 0 {
            do throws(ControlClient.Failure) {
                guard show(try client.nextLine() + "\n") else { return .outputFailed }
            } catch .closed {
                // The run that was looked at has ended.
                return .success
            }
            rest -= 1
        }
        return .success
    }

    private static func show(_ reply: ControlReply, _ program: String, json: Bool) -> ExitCode {
        if json {
            guard show(reply.line(id: nil)) else { return .outputFailed }
        } else if case .success = reply {
            guard show(ControlReplyText.text(reply, on: StandardStream.output.terminal)) else { return .outputFailed }
        } else if case .failure(let problem) = reply {
            StandardStream.note("\(program): error: \(problem.message)")
        }
        guard case .failure(let problem) = reply else { return .success }
        switch problem.code {
        case .unknownCommand, .invalidArgument, .invalidMessage: return .usage
        case .timedOut, .tooManyClients: return .unavailable
        default: return .difference
        }
    }

    private static func show(_ text: String) -> Bool {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
            return true
        } catch {
            StandardStream.note(error.message)
            return false
        }
    }

    /// Files are named as seen from here, not from where the player was started.
    private static func withAbsolutePath(_ words: [String]) -> [String] {
        if words.count == 2, words[0] == "load", !words[1].isEmpty, !words[1].contains("://") {
            return [words[0], PathName.resolved(words[1])]
        }
        guard words.count == 3, words[0] == "plugin", ["load", "replace"].contains(words[1]) else { return words }
        let isThere = unsafe access(words[2], F_OK) == 0
        guard words[2].contains("/") || isThere else { return words }
        return [words[0], words[1], PathName.resolved(words[2])]
    }
}
