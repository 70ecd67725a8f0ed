/// What a command line said, by the names of its declaration.
package struct CommandLineArguments: Sendable, Equatable {
    /// The program's name, with that of the command that was called, as the description has it.
    package let program: String
    /// The arguments that are no options, in order.
    package let operands: [String]

    private let values: [String: [String]]
    private let names: Set<String>

    internal init(syntax: CommandLineSyntax, values: [String: [String]], operands: [String]) {
        self.program = syntax.program
        self.operands = operands
        self.values = values
        self.names = Set(syntax.options.map(\.name))
    }

    /// Whether the option was given.
    package func isSet(_ name: String) -> Bool {
        !values(name).isEmpty
    }

    /// The option's value, nil when it was not given.
    package func value(_ name: String) -> String? {
        values(name).last
    }

    /// The values of an option that may be repeated, in order.
    package func values(_ name: String) -> [String] {
        precondition(names.contains(name), "the option --\(name) is not declared")
        return values[name] ?? []
    }

    /// The option's value as an integer within the range, nil when it was not given.
    package func integer(_ name: String, in range: ClosedRange<Int> = Int.min...Int.max) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badValue(option: "--" + name, value: text, expected: "an integer" + UsageError.text(of: range))
        }
        return number
    }

    /// The option's value as a number from the minimum to the maximum, nil when it was not given.
    package func number(
        _ name: String,
        atLeast minimum: Double = 0,
        atMost maximum: Double = .infinity
    ) throws(UsageError) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), number.isFinite, number >= minimum, number <= maximum else {
            let range = maximum.isFinite ? "a number from \(minimum) to \(maximum)" : "a number, \(minimum) or more"
            throw .badValue(option: "--" + name, value: text, expected: range)
        }
        return number
    }

    /// The option's value as one of the given words, nil when it was not given.
    package func choice(_ name: String, of words: [String]) throws(UsageError) -> String? {
        guard let text = value(name) else { return nil }
        if words.contains(text) { return text }
        throw .badValue(option: "--" + name, value: text, expected: "one of " + words.joined(separator: ", "))
    }

    /// The parts of all the option's values, which are lists with commas.
    package func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",").map(String.init) }
    }
}
