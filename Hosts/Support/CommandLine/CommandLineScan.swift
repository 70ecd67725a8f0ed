/// One pass over a command line's arguments.
internal struct CommandLineScan {
    private let syntax: CommandLineSyntax
    private var rest: ArraySlice<String>
    private var values: [String: [String]] = [:]
    private var operands: [String] = []
    private var request: CommandLineSyntax.Request?

    internal init(syntax: CommandLineSyntax, arguments: [String]) {
        self.syntax = syntax
        self.rest = arguments[...]
    }

    internal mutating func run() throws(UsageError) -> CommandLineSyntax.Request {
        var optionsHaveEnded = false
        while let argument = rest.popFirst() {
            if optionsHaveEnded || argument == "-" || !argument.hasPrefix("-") {
                try take(operand: argument)
            } else if argument == "--" {
                optionsHaveEnded = true
            } else if argument.hasPrefix("--") {
                try take(long: argument.dropFirst(2))
            } else {
                try take(letters: argument.dropFirst())
            }
            if let request { return request }
        }
        if let expected = syntax.operands, operands.count < expected.minimum {
            throw .missingArgument(expected.name)
        }
        return .run(CommandLineArguments(syntax: syntax, values: values, operands: operands))
    }

    private mutating func take(operand: String) throws(UsageError) {
        operands.append(operand)
        let maximum = syntax.operands.map { $0.maximum ?? .max } ?? 0
        if operands.count > maximum { throw .unexpectedArgument(operand, limit: maximum) }
    }

    private mutating func take(long text: Substring) throws(UsageError) {
        let name = String(text.prefix { $0 != "=" })
        let attached = text.count > name.count ? String(text.dropFirst(name.count + 1)) : nil
        guard let option = syntax.option(named: name) else {
            let nearest = NearestName.among(syntax.visibleOptions.map(\.name), to: name)
            throw .unknownOption("--" + name, nearest: nearest.map { "--" + $0 })
        }
        try take(option, spelled: "--" + name, attached: attached)
    }

    private mutating func take(letters: Substring) throws(UsageError) {
        // A long name behind one dash is a slip, even where its letters could be read one by one.
        let whole = String(letters.prefix { $0 != "=" })
        if whole.count > 1, syntax.option(named: whole) != nil {
            throw .unknownOption("-" + whole, nearest: "--" + whole)
        }
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = syntax.options.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)", nearest: nil)
            }
            if option.value != nil {
                try take(option, spelled: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
                return
            }
            try take(option, spelled: "-\(letter)", attached: nil)
        }
    }

    private mutating func take(_ option: CommandLineOption, spelled: String, attached: String?) throws(UsageError) {
        if !option.isRepeatable, values[option.name] != nil { throw .repeatedOption(spelled) }
        guard let placeholder = option.value else {
            if let attached { throw .unexpectedValue(option: spelled, value: attached) }
            values[option.name, default: []].append("")
            if option.name == "help" { request = .help }
            if option.name == "version" { request = .version(json: values["json"] != nil || rest.contains("--json")) }
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw .missingValue(option: spelled, placeholder: placeholder)
        }
        // What looks like a declared option is one that was forgotten a value, not the value.
        if attached == nil, value.hasPrefix("--"), syntax.option(named: String(value.dropFirst(2))) != nil {
            throw .missingValue(option: spelled, placeholder: placeholder)
        }
        values[option.name, default: []].append(value)
        if option.name == "generate" {
            guard let text = GeneratedText(rawValue: value) else {
                let words = option.choices.joined(separator: ", ")
                throw .badValue(option: spelled, value: value, expected: "one of " + words)
            }
            request = .generate(text)
        }
    }
}
