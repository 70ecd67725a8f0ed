/// The completion script for fish.
struct FishCompletion {
    let syntax: CommandLineSyntax

    var script: String {
        """
        # Completion of \(syntax.program) for fish. Made by '\(syntax.program) --generate fish'.

        function _\(prefix)_plugins
            set -l words (commandline -opc)
            test (count $words) -gt 0; or set words \(syntax.program)
            $words[1] \(ValueCompletion.pluginNames)
        end

        # Whether the first word is this command; without an argument, whether it is none.
        function _\(prefix)_at
            set -l words (commandline -opc)
            set -e words[1]
            set -l command
            if contains -- "$words[1]" \(allCommands.joined(separator: " "))
                set command $words[1]
            end
            test "$command" = "$argv"
        end

        # Whether no word stands between the program and the one to complete.
        function _\(prefix)_first
            test (count (commandline -opc)) -eq 1
        end

        complete -c \(syntax.program) -f
        \(lines(of: syntax, command: "").joined(separator: "\n"))

        """
    }

    private var prefix: String { syntax.functionName }

    private var allCommands: [String] { syntax.commands.map(\.command) }

    /// Commands of commands are offered under the first of them.
    private func lines(of syntax: CommandLineSyntax, command: String) -> [String] {
        let start = "complete -c \(self.syntax.program) -n '_\(prefix)_at \(command)'"
        var lines: [String] = []
        for inner in syntax.commands {
            let place = command.isEmpty ? "_\(prefix)_first" : "_\(prefix)_at \(command)"
            lines.append(
                "complete -c \(self.syntax.program) -n '\(place)' -x -a \(inner.command) -d \(quoted(inner.summary))"
            )
        }
        for option in syntax.visibleOptions {
            var line = start + " -l " + option.name
            if let letter = option.short { line += " -s \(letter)" }
            if option.placeholder != nil { line += " " + value(option.completion) }
            lines.append(line + " -d " + quoted(option.summary))
        }
        switch syntax.operandCompletion {
        case .file: lines.append(start + " -F")
        case .folder: lines.append(start + " -x -a '(__fish_complete_directories)'")
        case .plugin, .plugins: lines.append(start + " -x -a '(_\(prefix)_plugins)'")
        case .words(let words): lines.append(start + " -x -a " + quoted(words.joined(separator: " ")))
        case .nothing: break
        }
        for inner in syntax.commands {
            lines += self.lines(of: inner, command: command.isEmpty ? inner.command : command)
        }
        return lines
    }

    private func value(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: "-x"
        case .file: "-r -F"
        case .folder: "-x -a '(__fish_complete_directories)'"
        case .plugin: "-x -a '(_\(prefix)_plugins)'"
        case .plugins: "-x -a '(__fish_complete_list , _\(prefix)_plugins)'"
        case .words(let words): "-x -a " + quoted(words.joined(separator: " "))
        }
    }

    private func quoted(_ text: String) -> String {
        "'"
            + text.reduce(into: "") { result, character in
                if character == "'" || character == "\\" { result.append("\\") }
                result.append(character)
            } + "'"
    }
}
