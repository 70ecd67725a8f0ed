/// The completion script for bash.
///
/// It needs bash 4 and nothing else, not even the package bash-completion.
struct BashCompletion {
    let syntax: CommandLineSyntax

    var script: String {
        """
        # Completion of \(syntax.program) for bash. Made by '\(syntax.program) --generate bash'.

        # Each of these takes: program, word to complete, word before it, place of the first word that counts.
        \(helpers)
        \(functions(of: syntax))
        \(prefix)() {
            local current=$2 previous=$3
            # The shell makes words of their own of the equals signs.
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            COMPREPLY=()
            \(prefix)__at "$1" "$current" "$previous" 1
        }

        complete -F \(prefix) \(syntax.program)

        """
    }

    private var prefix: String { syntax.functionName }

    private var helpers: String {
        """
        \(prefix)__words() {
            mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
        }

        \(prefix)__paths() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
        }

        \(prefix)__plugins() {
            local names rest=${2##*,}
            local begun=${2%"$rest"}
            names=$("$1" \(ValueCompletion.pluginNames))
            \(prefix)__words "$names" "$rest"
            COMPREPLY=("${COMPREPLY[@]/#/"$begun"}")
            compopt -o nospace 2>/dev/null
        }

        """
    }

    private func functions(of syntax: CommandLineSyntax) -> String {
        var lines = syntax.commands.map(functions)
        lines.append("\(syntax.functionName)__at() {")
        if !syntax.commands.isEmpty {
            lines += ["    if (($4 < COMP_CWORD)); then", "        case ${COMP_WORDS[$4]} in"]
            for command in syntax.commands {
                lines.append("            \(command.command))")
                lines.append("                \(command.functionName)__at \"$1\" \"$2\" \"$3\" $(($4 + 1))")
                lines += ["                return", "                ;;"]
            }
            lines += ["        esac", "    fi"]
        }
        lines.append("    case $3 in")
        for option in syntax.visibleOptions where option.placeholder != nil {
            lines.append("        \(option.spellings.joined(separator: " | ")))")
            if let call = call(option.completion) { lines.append("            \(call)") }
            lines += ["            return", "            ;;"]
        }
        let options = syntax.visibleOptions.flatMap(\.spellings).joined(separator: " ")
        lines += ["    esac", "    case $2 in", "        -*) \(prefix)__words '\(options)' \"$2\" ;;"]
        if let call = call(syntax.operandCompletion) { lines.append("        *) \(call) ;;") }
        lines.append("    esac")
        if !syntax.commands.isEmpty {
            let names = syntax.commands.map(\.command).joined(separator: " ")
            lines.append("    if (($4 == COMP_CWORD)); then")
            lines.append("        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '\(names)' -- \"$2\")")
            lines.append("    fi")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func call(_ completion: ValueCompletion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "\(prefix)__paths -f \"$2\""
        case .folder: "\(prefix)__paths -d \"$2\""
        case .plugin, .plugins: "\(prefix)__plugins \"$1\" \"$2\""
        case .words(let words): "\(prefix)__words \(ValueCompletion.quoted(words.joined(separator: " "))) \"$2\""
        }
    }
}
