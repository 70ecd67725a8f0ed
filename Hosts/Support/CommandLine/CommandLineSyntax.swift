internal import Tally
internal import TextEncoding

/// What a program's command line may look like, from which it is parsed and its help is written.
///
/// `--help` (`-h`) and `--version` are always there, and `--generate`, which help does not show. A value follows its
/// option as the next argument, behind `=`, or directly behind the letter; letters without values can be put together;
/// `--` ends the options; `-` is an argument.
package struct CommandLineSyntax: Sendable {
    /// The arguments that are no options.
    package struct Operands: Sendable, Equatable {
        /// The name in the help, for example `ARCHIVE`.
        package let name: String
        /// How many there must be at least.
        package let minimum: Int
        /// How many there may be; nil for any number.
        package let maximum: Int?
        /// What they are, for the help.
        package let help: String
        /// Words that a shell offers for them; empty where the name says what to offer.
        let words: [String]

        /// Declares operands.
        package init(_ name: String, minimum: Int, maximum: Int?, help: String, words: [String] = []) {
            self.words = words
            self.name = name
            self.minimum = minimum
            self.maximum = maximum
            self.help = help
        }
    }

    /// What the user asked for.
    package enum Request: Sendable, Equatable {
        /// The program's work.
        case run(CommandLineArguments)
        /// The help text.
        case help
        /// The version, as JSON or as a line for people.
        case version(json: Bool)
        /// A text for a package, made from this description.
        case generate(GeneratedText)
    }

    /// The program's name; of a command, the program's and its own, as in `tally-player ctl`.
    package let program: String
    /// What the program does, in one sentence.
    package let summary: String
    /// The arguments that are no options, if there are any.
    package let operands: Operands?
    /// The commands that can stand in front of everything else, each with a command line of its own.
    package let commands: [CommandLineSyntax]
    /// All options, those that are always there at the end.
    package let options: [SettingDeclaration]
    /// The settings of the program that have a key in the configuration.
    package let keys: [SettingDeclaration]
    /// The settings with a key that no program owns.
    package let commonKeys: [SettingDeclaration]
    /// What the help says at its end: examples, files, the environment.
    package let epilogue: String
    /// Tables of the pages that are made of the program's own declarations, besides those of its options and keys.
    package let tables: [ReferenceTable]

    static let help = Setting(flag: "help", short: "h", "Show this help and exit.")
    static let version = Setting(
        flag: "version",
        "Show the version and exit.",
        details: "With `--json` [all its parts](versioning.md#the-version)."
    )
    static let generate = Setting(
        "generate",
        .word("TEXT", of: GeneratedText.allCases),
        isHidden: true,
        "Write a completion script, the manual page or the tables of the pages and exit."
    )

    /// Declares a command line.
    package init(
        program: String,
        summary: String,
        operands: Operands? = nil,
        commands: [CommandLineSyntax] = [],
        settings: [any DeclaredSetting],
        commonKeys: [any DeclaredSetting] = [],
        epilogue: String = "",
        tables: [ReferenceTable] = []
    ) {
        self.program = program
        self.summary = summary
        self.operands = operands
        self.commands = commands
        self.epilogue = epilogue
        self.tables = tables
        let declarations = settings.map(\.declaration)
        options =
            declarations.filter(\.isOption) + [
                Self.help.declaration, Self.version.declaration, Self.generate.declaration,
            ]
        keys = declarations.filter { $0.key != nil }
        self.commonKeys = commonKeys.map(\.declaration)
        precondition(Set(options.map(\.name)).count == options.count, "an option is declared twice")
        let letters = options.compactMap(\.short)
        precondition(Set(letters).count == letters.count, "an option's letter is declared twice")
        precondition(
            commands.allSatisfy { $0.program.hasPrefix(program + " ") },
            "a command's name begins with that of its program"
        )
    }

    /// Reads the arguments, without the program's own name.
    package func parse(_ arguments: [String]) throws(UsageError) -> Request {
        var scan = CommandLineScan(syntax: self, arguments: arguments)
        return try scan.run()
    }

    /// The option with the given long name.
    package func option(named name: String) -> SettingDeclaration? {
        options.first { $0.name == name }
    }

    /// The name of a command, which is the last word of ``program``.
    package var command: String { String(program.split(separator: " ").last ?? "") }

    /// The options that help, completions and manual show.
    package var visibleOptions: [SettingDeclaration] { options.filter { !$0.isHidden } }

    /// The command line of the command that the first arguments name, else this one, and the arguments behind the name.
    package func chosen(by arguments: [String]) -> (syntax: CommandLineSyntax, arguments: [String]) {
        guard let name = arguments.first, let found = commands.first(where: { $0.command == name }) else {
            return (self, arguments)
        }
        return found.chosen(by: Array(arguments.dropFirst()))
    }
}

extension CommandLineSyntax {
    /// The program's own arguments, with names of files that are no UTF-8.
    package static var words: [String] {
        unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
            .compactMap { word in unsafe word.map { unsafe PathName.text($0) } }
    }

    /// Reads the program's own arguments, or `words`; ends the program when it was asked for help, or wrongly.
    ///
    /// Where the first argument names a command, these are the command's arguments: see
    /// ``CommandLineArguments/program``.
    package func argumentsOrEnd(version: String, from words: [String]? = nil) -> CommandLineArguments {
        let (syntax, arguments) = chosen(by: words ?? Self.words)
        return syntax.argumentsOrEnd(arguments, version: version)
    }

    /// Reads the words; ends the program when they ask for help, or are wrong.
    package func argumentsOrEnd(_ words: [String], version: String) -> CommandLineArguments {
        let request: Request
        do throws(UsageError) {
            request = try parse(words)
        } catch {
            end(with: error)
        }
        switch request {
        case .run(let arguments): return arguments
        case .help: end(showing: help(width: min(max(StandardStream.output.terminal.width, 60), 100)))
        case .version(let json): end(showing: VersionText.text(of: program, json: json))
        case .generate(let text):
            end(showing: text.text(for: self, version: version, date: ManualPage.date(from: Terminal.environment)))
        }
    }

    /// Ends the program because of what the command line says.
    package func end(with error: UsageError) -> Never {
        StandardStream.note(error.message(for: program))
        error.exitCode.end()
    }

    /// Writes the text as the program's answer and ends it.
    package func end(showing text: String, _ code: ExitCode = .success) -> Never {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
            code.end()
        } catch {
            StandardStream.note("\(program): error: \(error.message)")
            error.exitCode.end()
        }
    }
}

/// What a program writes about its own command line, for a package.
package enum GeneratedText: String, Sendable, CaseIterable {
    /// A completion script for bash.
    case bash
    /// A completion script for zsh.
    case zsh
    /// A completion script for fish.
    case fish
    /// The manual page, for section 1.
    case man
    /// The tables of the pages, each between its markers.
    case markdown

    /// The text; it depends on the arguments alone.
    ///
    /// - Parameters:
    ///   - syntax: the program's command line; its commands are part of the text.
    ///   - version: the program's version.
    ///   - date: the date of the manual page as YYYY-MM-DD, nil for none.
    /// - Returns: the text, which ends in a line end.
    package func text(for syntax: CommandLineSyntax, version: String, date: String? = nil) -> String {
        switch self {
        case .bash: BashCompletion(syntax: syntax).script
        case .zsh: ZshCompletion(syntax: syntax).script
        case .fish: FishCompletion(syntax: syntax).script
        case .man: ManualPage(syntax: syntax, version: version, date: date).source
        case .markdown: ReferenceTables(syntax: syntax).text
        }
    }
}

/// What `--version` says: the core's version, which is that of the programs too.
enum VersionText {
    /// A line for people, or with all parts as one line of JSON.
    static func text(of program: String, json: Bool) -> String {
        let full = TallyVersion.full
        guard json else { return "\(program) \(full.version) (\(full.text), API level \(TallyVersion.apiLevel))\n" }
        let value: JSONValue = [
            "program": .string(program), "version": .string(full.version), "full_version": .string(full.text),
            "platform": .string(full.platform), "major": .int(Int64(full.major)), "minor": .int(Int64(full.minor)),
            "micro": .int(Int64(full.micro)), "patch": .int(Int64(full.patch)), "build": .string(full.build),
            "api_level": .int(Int64(TallyVersion.apiLevel)),
        ]
        return value.canonicalText + "\n"
    }
}
