/// The completion script for zsh, in a file named `_PROGRAM` in a folder of `fpath`.
struct ZshCompletion {
    let syntax: CommandLineSyntax

    var script: String {
        """
        #compdef \(syntax.program)
        # Completion of \(syntax.program) for zsh. Made by '\(syntax.program) --generate zsh'.

        \(prefix)__plugins() {
            local -a names
            names=(${(f)"$($\(prefix)__program \(ValueCompletion.pluginNames))"})
            compadd "$@" -a names
        }

        \(functions(of: syntax))
        \(prefix)() {
            local \(prefix)__program=$words[1]
            \(prefix)__at
        }

        # As a file of fpath this is the body of the function that is called; otherwise it was sourced.
        if [[ $funcstack[1] == _\(syntax.program) ]]; then
            \(prefix) "$@"
        else
            compdef \(prefix) \(syntax.program)
        fi

        """
    }

    private var prefix: String { syntax.functionName }

    private func functions(of syntax: CommandLineSyntax) -> String {
        var lines = syntax.commands.map(functions)
        if !syntax.commands.isEmpty {
            lines += ["\(syntax.functionName)__first() {", "    local -a commands", "    commands=("]
            for command in syntax.commands {
                let text = escaped(command.command) + ":" + command.summary
                lines.append("        \(ValueCompletion.quoted(text))")
            }
            lines += ["    )", "    _describe command commands"]
            if let action = action(syntax.operandCompletion) { lines.append("    \(action)") }
            lines += ["}", ""]
        }
        lines.append("\(syntax.functionName)__at() {")
        if !syntax.commands.isEmpty {
            lines += ["    if ((CURRENT > 2)); then", "        case $words[2] in"]
            for command in syntax.commands {
                let call = "shift words; ((CURRENT--)); \(command.functionName)__at; return"
                lines.append("            \(command.command)) \(call) ;;")
            }
            lines += ["        esac", "    fi"]
        }
        var specifications = syntax.visibleOptions.map(specification)
        if !syntax.commands.isEmpty { specifications.append("'1: :\(syntax.functionName)__first'") }
        if let operands = syntax.operands {
            let place = (operands.maximum ?? .max) > 1 || !syntax.commands.isEmpty ? "*" : "1"
            let text = "\(place):\(escaped(operands.name)):\(action(syntax.operandCompletion) ?? " ")"
            specifications.append(ValueCompletion.quoted(text))
        }
        lines.append("    _arguments -s -S \\")
        lines.append(specifications.map { "        " + $0 }.joined(separator: " \\\n"))
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func specification(of option: SettingDeclaration) -> String {
        // An option that may be given once is not offered again, under neither of its names.
        let others = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
        var tail = "[\(escaped(option.summary))]"
        var names = option.spellings
        if let value = option.placeholder {
            names = zip(names, ["=", "+"]).map { $0 + $1 }
            tail += ":\(escaped(value)):\(action(option.completion) ?? " ")"
        }
        let head = ValueCompletion.quoted(others)
        let spelled = names.count == 1 ? names[0] : "{\(names.joined(separator: ","))}"
        return head + spelled + ValueCompletion.quoted(tail)
    }

    private func action(_ completion: ValueCompletion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "_files"
        case .folder: "_files -/"
        case .plugin: "\(prefix)__plugins"
        case .plugins: "_sequence \(prefix)__plugins"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "[]:\\".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
