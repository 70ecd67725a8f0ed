internal import TextEncoding

/// One pass over a command line's arguments.
struct CommandLineScan {
    private let syntax: CommandLineSyntax
    private var rest: ArraySlice<String>
    private var values: [String: [String]] = [:]
    private var operands: [String] = []
    private var request: CommandLineSyntax.Request?

    init(syntax: CommandLineSyntax, arguments: [String]) {
        self.syntax = syntax
        self.rest = arguments[...]
    }

    mutating func run() throws(UsageError) -> CommandLineSyntax.Request {
        var optionsHaveEnded = false
        while let argument = rest.popFirst() {
            if optionsHaveEnded || argument == "-" || !argument.hasPrefix("-") {
                try add(operand: argument)
            } else if argument == "--" {
                optionsHaveEnded = true
            } else if argument.hasPrefix("--") {
                try add(long: argument.dropFirst(2))
            } else {
                try add(letters: argument.dropFirst())
            }
            if let request { return request }
        }
        if let expected = syntax.operands, operands.count < expected.minimum { throw .missingArgument(expected.name) }
        for option in syntax.options where values[option.name] != nil { try check(option) }
        return .run(CommandLineArguments(syntax: syntax, texts: values, operands: operands))
    }

    /// Makes sure that an option has values of its form, and the company that it needs.
    private func check(_ option: SettingDeclaration) throws(UsageError) {
        let texts = values[option.name] ?? []
        for text in texts {
            do throws(UnfitValue) {
                _ = try option.check(text)
            } catch {
                throw .badValue(option: "--" + option.name, value: shown(text, of: option), expected: error.expected)
            }
        }
        for name in option.needs where values[name] == nil {
            guard let needed = syntax.option(named: name) else { continue }
            throw .missingArgument(needed.usage)
        }
        for name in option.excludes where values[name] != nil {
            let text = shown(texts.last ?? "", of: option)
            throw .badValue(option: "--" + option.name, value: text, expected: "no --\(name) with it")
        }
    }

    /// The text of an option as messages have it, without a secret.
    private func shown(_ text: String, of option: SettingDeclaration) -> String {
        if option.name == HostSettings.set.declaration.name {
            return SecretSettings(among: syntax.options + syntax.keys).shown(override: text)
        }
        return option.hidden?(text) ?? text
    }

    private mutating func add(operand: String) throws(UsageError) {
        operands.append(operand)
        let maximum = syntax.operands.map { $0.maximum ?? .max } ?? 0
        if operands.count > maximum { throw .unexpectedArgument(operand, limit: maximum) }
    }

    private mutating func add(long text: Substring) throws(UsageError) {
        let name = String(text.prefix { $0 != "=" })
        let attached = text.count > name.count ? String(text.dropFirst(name.count + 1)) : nil
        guard let option = syntax.option(named: name) else {
            let nearest = NearestName.among(syntax.visibleOptions.map(\.name), to: name)
            throw .unknownOption("--" + name, nearest: nearest.map { "--" + $0 })
        }
        try add(option, spelled: "--" + name, attached: attached)
    }

    private mutating func add(letters: Substring) throws(UsageError) {
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
            if option.placeholder != nil {
                try add(option, spelled: "-\(letter)", attached: letters.isEmpty ? nil : String(letters))
                return
            }
            try add(option, spelled: "-\(letter)", attached: nil)
        }
    }

    private mutating func add(_ option: SettingDeclaration, spelled: String, attached: String?) throws(UsageError) {
        if !option.isRepeatable, values[option.name] != nil { throw .repeatedOption(spelled) }
        guard let placeholder = option.placeholder else {
            if let attached { throw .unexpectedValue(option: spelled, value: attached) }
            values[option.name, default: []].append("")
            if option.name == CommandLineSyntax.help.declaration.name { request = .help }
            if option.name == CommandLineSyntax.version.declaration.name {
                request = .version(json: values["json"] != nil || rest.contains("--json"))
            }
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
        if option.name == CommandLineSyntax.generate.declaration.name {
            try check(option)
            request = GeneratedText(rawValue: value).map { .generate($0) }
        }
    }
}
