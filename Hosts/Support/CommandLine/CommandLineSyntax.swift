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

        /// Declares operands.
        package init(_ name: String, minimum: Int, maximum: Int?, help: String) {
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
        epilogue: String = ""
    ) {
        self.program = program
        self.summary = summary
        self.operands = operands
        self.commands = commands
        self.epilogue = epilogue
        let declarations = settings.map(\.declaration)
        options =
            declarations.filter(\.isOption) + [
                Self.help.declaration, Self.version.declaration, Self.generate.declaration,
            ]
        keys = declarations.filter { $0.key != nil }
        self.commonKeys = commonKeys.map(\.declaration)
        precondition(Set(self.options.map(\.name)).count == self.options.count, "an option is declared twice")
        let letters = self.options.compactMap(\.short)
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
    package var command: String {
        String(program.split(separator: " ").last ?? "")
    }

    /// The options that help, completions and manual show.
    package var visibleOptions: [SettingDeclaration] {
        options.filter { !$0.isHidden }
    }

    /// The command line of the command that the first arguments name, else this one, and the arguments behind the name.
    package func chosen(by arguments: [String]) -> (syntax: CommandLineSyntax, arguments: [String]) {
        guard let name = arguments.first, let found = commands.first(where: { $0.command == name }) else {
            return (self, arguments)
        }
        return found.chosen(by: Array(arguments.dropFirst()))
    }
}
