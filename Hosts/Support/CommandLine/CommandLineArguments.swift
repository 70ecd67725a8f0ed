package import TextEncoding

/// What a command line said, by the settings that it declares; every value has the form that its setting asks for.
package struct CommandLineArguments: Sendable, Equatable {
    /// The program's name, with that of the command that was called, as the description has it.
    package var program: String { syntax.program }
    let syntax: CommandLineSyntax
    let texts: [String: [String]]
    /// The arguments that are no options, in order.
    package let operands: [String]

    /// The setting's value, of the command line and of its key in the given part of the configuration.
    package subscript<Value>(_ setting: Setting<Value>, in section: JSONObject = JSONObject()) -> Value {
        let key = setting.declaration.key?.split(separator: ".").last.map(String.init)
        return setting.value(texts(of: setting), key.flatMap { section[$0] })
    }

    /// Whether the option was given.
    package func isGiven(_ setting: some DeclaredSetting) -> Bool {
        !texts(of: setting).isEmpty
    }

    /// The option's values as they were given, in order; an option without a value has an empty one, a key has none.
    package func texts(of setting: some DeclaredSetting) -> [String] {
        let name = setting.declaration.name
        guard setting.declaration.isOption else { return [] }
        precondition(syntax.option(named: name) != nil, "the option --\(name) is not declared")
        return texts[name] ?? []
    }

    /// Whether two say the same to the same program.
    package static func == (one: CommandLineArguments, other: CommandLineArguments) -> Bool {
        one.program == other.program && one.operands == other.operands && one.texts == other.texts
    }
}
