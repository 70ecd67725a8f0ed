internal import Glibc
internal import HostSupport
internal import Tally
internal import TextEncoding

/// The command `tally-replay spool`: asks a reporter for what it keeps in its spool, while no program has that open.
///
/// It is `plugin command` of the reporter whose configuration has the key `spool`.
enum SpoolCommand {
    private static let key = "spool"
    /// How many beacons reporters list unless they are told.
    private static let listed = 100
    /// What reporters call the commands.
    private static let names: KeyValuePairs = [
        "ls": "waiting", "stats": "stats", "dead": "dead_letters", "resend": "resend", "drain": "drain",
        "purge": "purge",
    ]

    /// Its command line.
    static let syntax = CommandLineSyntax(
        program: "tally-replay spool",
        summary: "Shows, sends and empties what a reporter keeps in its spool, while no program has that open.",
        operands: CommandLineSyntax.Operands(
            "COMMAND",
            minimum: 1,
            maximum: 3,
            help:
                "ls FILE (what waits), stats FILE, dead FILE (what was given up), resend FILE [DESTINATION] (dead letters "
                + "wait again), drain FILE (sends what waits), purge FILE [DESTINATION] (removes all)."
        ),
        settings: [
            HostSettings.plugins, HostSettings.pluginFolders, HostSettings.config, HostSettings.set,
            HostSettings.quiet, HostSettings.verbose, HostSettings.json,
        ],
        epilogue: """
            The reporter is the one that --plugins names, or the only one that is found whose configuration has a spool.
            Exit codes: 0 it is done, 1 it is refused, 64 wrong command line, 66 no such file, 74 a drain gave beacons up.
            """
    )

    /// Does what the words behind `spool` ask for.
    static func run(_ words: [String]) -> ExitCode {
        let arguments = syntax.argumentsOrEnd(words, version: TallyVersion.core)
        let log = LogPrinter(program: syntax.program, arguments: arguments)
        let operands = arguments.operands
        guard Array(words.prefix(operands.count)) == operands,
            let command = names.first(where: { $0.key == operands[0] })
        else {
            log.show(.error, "it begins with one of \(names.map(\.key).joined(separator: ", ")), and the spool's file")
            return .usage
        }
        guard operands.count > 1 else {
            log.show(.error, "the spool's file is missing: \(syntax.program) \(operands[0]) FILE")
            return .usage
        }
        guard unsafe access(PathName.bytes(operands[1]), F_OK) == 0 else {
            log.show(.error, "\(operands[1]): there is no such file")
            return .noInput
        }
        do throws(HostError) {
            let setup = try HostSetup(
                arguments,
                section: .replay,
                settings: ReplaySyntax.settings,
                searches: true,
                admission: .ofHost("tally-replay") { _ in }
            )
            guard let name = setup.reporter(configuredBy: key, identity: identity(of: operands[1])) else {
                log.show(.error, "no reporter with a spool was found, or several: name one with --plugins")
                return .usage
            }
            let isChosen = arguments.isGiven(HostSettings.plugins)
            guard !isChosen || setup.configuration.plugins.contains(where: { $0.name == name }) else {
                log.show(.error, "what --plugins names is no reporter with a spool; name one, such as \(name)")
                return .usage
            }
            let choice = isChosen ? [] : ["--plugins", name]
            let file = "plugins.\(name).config.\(key)=\(JSONValue.string(operands[1]).canonicalText)"
            let members: JSONObject = operands.count > 2 ? ["destination": .string(operands[2])] : [:]
            return PluginCommandLine.run(
                program: "tally-replay",
                version: TallyVersion.core,
                words: ["command", name, command.value, JSONValue.object(members).canonicalText]
                    + words.dropFirst(operands.count) + choice + ["--set", file],
                section: .replay,
                settings: ReplaySyntax.settings,
                admission: .ofHost("tally-replay") { log.show(.warning, $0) },
                judging: { code(of: $0, to: command.key, of: name, log) }
            )
        } catch {
            return log.report(error)
        }
    }

    /// What SQLite's header has as `application_id`; 0 for what is no database.
    private static func identity(of path: String) -> Int64 {
        let descriptor = unsafe open(PathName.bytes(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var bytes: UInt32 = 0
        return unsafe pread(descriptor, &bytes, 4, 68) == 4 ? Int64(UInt32(bigEndian: bytes)) : 0
    }

    /// The exit code of an answer; what it does not say itself goes to standard error.
    private static func code(of answer: JSONValue, to command: String, of name: String, _ log: LogPrinter) -> ExitCode {
        if answer.array?.count == listed {
            log.show(.warning, "at most \(listed) are shown: stats says how many there are")
        }
        guard command == "drain" else { return .success }
        if let waiting = answer["waiting"]?.int, waiting > 0 {
            log.show(.warning, "\(waiting) still wait: stats says what went wrong last")
        }
        guard let problem = ReporterOutcome.ofKept(answer, name: name).problem else { return .success }
        log.show(.error, problem)
        return .outputFailed
    }
}
