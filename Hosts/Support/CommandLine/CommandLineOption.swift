/// An option that a program declares.
package struct CommandLineOption: Sendable, Equatable {
    /// The name behind two dashes.
    package let name: String
    /// The letter behind one dash, if there is one.
    package let short: Character?
    /// What stands for the value in the help (`FILE`); nil for an option without a value.
    package let value: String?
    /// Whether it may be given more than once.
    package let isRepeatable: Bool
    /// The heading under which the help lists it.
    package let section: String
    /// What it does, for the help.
    package let help: String
    /// The words that the value can be, where they can be enumerated.
    package let choices: [String]
    /// Whether help, completions and manual leave it out.
    package let isHidden: Bool

    /// Declares an option.
    package init(
        _ name: String,
        short: Character? = nil,
        value: String? = nil,
        isRepeatable: Bool = false,
        section: String = "Options",
        help: String,
        choices: [String] = [],
        isHidden: Bool = false
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.isRepeatable = isRepeatable
        self.section = section
        self.help = help
        self.choices = choices
        self.isHidden = isHidden
    }

    /// The option as the help's left column has it: `-c, --config FILE`.
    package var synopsis: String {
        let letter = short.map { "-\($0), " } ?? "    "
        return letter + "--" + name + (value.map { " " + $0 } ?? "")
    }
}
