/// What a shell offers where a value or an argument stands.
enum ValueCompletion: Equatable {
    /// Nothing: the value is a number, or free text.
    case nothing
    /// Names of files.
    case file
    /// Names of folders.
    case folder
    /// The short name of a plugin that the program finds.
    case plugin
    /// Such names, with commas between them.
    case plugins
    /// One of these words.
    case words([String])

    /// What the placeholder of a value or the name of an argument stands for.
    init(placeholder: String) {
        switch placeholder {
        case "FILE", "ARCHIVE", "SOURCE", "PATH", "SOCKET": self = .file
        case "DIR": self = .folder
        case "PLUGIN": self = .plugin
        case "NAME,...", "PLUGIN,...": self = .plugins
        default: self = .nothing
        }
    }
}

extension SettingDeclaration {
    /// What a shell offers for the value.
    var completion: ValueCompletion { words.isEmpty ? ValueCompletion(placeholder: placeholder ?? "") : .words(words) }
}

extension CommandLineSyntax {
    /// A name for a shell function: the program's, with what is no letter or digit replaced.
    var functionName: String { "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }) }

    /// What a shell offers for the arguments.
    var operandCompletion: ValueCompletion {
        guard let operands else { return .nothing }
        return operands.words.isEmpty ? ValueCompletion(placeholder: operands.name) : .words(operands.words)
    }
}

extension ValueCompletion {
    /// Reads the first column of the program's table of plugins, in any shell.
    static let pluginNames =
        "--list-plugins 2>/dev/null | awk 'NR == 1 { next } NF == 0 { exit } { print $1 }'"

    /// The text in single quotes, as bash and zsh read it.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
