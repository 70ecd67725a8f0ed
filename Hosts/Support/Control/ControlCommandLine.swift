internal import Glibc
internal import Tally
internal import TextEncoding

/// The client of a control socket: `tally-player ctl COMMAND ...`.
package enum ControlCommandLine {
    private static let control = Setting(
        "control",
        .text("PATH"),
        "The control socket; otherwise the variable TALLY_CONTROL names it."
    )
    private static let timeout = Setting(
        "timeout",
        .number("SECONDS", 0...(.infinity)),
        "How long a reply may take, and for drain as long as it may take more."
    ).unlessGiven(70)
    private static let count = Setting("count", .integer("N", 1...(.max)), "End a tap after so many lines.")
    private static let json = Setting(flag: "json", "Show replies as JSON.")

    /// What the command line may say.
    package static func syntax(program: String) -> CommandLineSyntax {
        CommandLineSyntax(
            program: "\(program) ctl",
            summary: "Gives a command to a \(program) that runs with --control, and shows its reply.",
            operands: CommandLineSyntax.Operands(
                "COMMAND",
                minimum: 1,
                maximum: nil,
                help: "A command and its arguments, as in a script's line; help lists them.",
                words: ControlVocabulary.entries.flatMap(\.words).withoutRepeats
            ),
            settings: [control, json, timeout, count, HostSettings.quiet],
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

    /// The command lines of commands that the program has without `ctl` in front of them.
    package static func shortcuts(_ names: [String], program: String) -> [CommandLineSyntax] {
        names.compactMap { name in ControlVocabulary.entries.first { $0.words == [name] } }.map { entry in
            let name = entry.words[0]
            let operands = entry.usage.dropFirst(name.count + 1)
            return CommandLineSyntax(
                program: "\(program) \(name)",
                summary: entry.summary,
                operands: operands.isEmpty
                    ? nil
                    : CommandLineSyntax.Operands(
                        String(operands),
                        minimum: operands.hasPrefix("[") ? 0 : 1,
                        maximum: operands.hasPrefix("[") ? nil : 1,
                        help: "As with \(program) ctl \(name)."
                    ),
                settings: [control, json, timeout] + (name == "tap" ? [count] : []) + [HostSettings.quiet]
            )
        }
    }

    /// Gives a command that the program has without `ctl`, and shows the reply.
    package static func run(shortcut syntax: CommandLineSyntax, version: String, words: [String]) -> ExitCode {
        run(syntax, version, words, command: [syntax.command])
    }

    /// Gives the command and shows the reply.
    package static func run(program: String, version: String, words: [String]) -> ExitCode {
        run(syntax(program: program), version, words, command: [])
    }

    private static func run(
        _ syntax: CommandLineSyntax,
        _ version: String,
        _ words: [String],
        command: [String]
    ) -> ExitCode {
        let arguments = syntax.argumentsOrEnd(words, version: version)
        do throws(UsageError) {
            guard let path = arguments[control] ?? Terminal.environment("TALLY_CONTROL"), !path.isEmpty else {
                throw .missingArgument("--control PATH")
            }
            return run(
                syntax.program,
                path,
                command + arguments.operands,
                json: arguments[json],
                limit: Int64(min(arguments[timeout], 86_400) * 1000),
                count: syntax.option(named: count.declaration.name) == nil ? nil : arguments[count]
            )
        } catch {
            syntax.end(with: error)
        }
    }

    /// Gives a command at the socket of that path, and shows the reply.
    ///
    /// `limit` is how long the reply may take, ms; `count` how many lines of a tap are shown.
    static func run(
        _ program: String,
        _ path: String,
        _ words: [String],
        json: Bool,
        limit: Int64 = 70_000,
        count: Int? = nil
    ) -> ExitCode {
        let words = withAbsolutePath(words)
        let command: ControlCommand
        do throws(ControlError) {
            command = try ControlCommand(words: words)
        } catch {
            StandardStream.note("\(program): error: \(error.description)")
            return .usage
        }
        var limit = limit
        if case .drain(let milliseconds) = command { limit += milliseconds }
        do throws(ControlClient.Failure) {
            let client = try ControlClient(path: path)
            let reply = try client.perform(words, limit: limit)
            guard case .tap = command, case .success = reply else { return show(reply, program, json: json) }
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
                guard show(PrintableText.json(text: try client.nextLine()) + "\n") else { return .outputFailed }
            } catch .closed {
                // The run that was looked at has ended.
                return .success
            }
            rest -= 1
        }
        return .success
    }

    private static func show(_ reply: ControlReply, _ program: String, json: Bool) -> ExitCode {
        let isShown: Bool
        switch reply {
        case _ where json: isShown = show(PrintableText.json(text: String(reply.line(id: nil).dropLast())) + "\n")
        case .success: isShown = show(ControlReplyText.text(reply, on: StandardStream.output.terminal))
        case .failure(let problem):
            StandardStream.note("\(program): error: \(problem.description)")
            isShown = true
        }
        guard isShown else { return .outputFailed }
        guard case .failure(let problem) = reply else { return .success }
        switch problem.kind {
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
        guard PluginOrder.isFile(words[2]) || isThere else { return words }
        return [words[0], words[1], PathName.resolved(words[2])]
    }
}
