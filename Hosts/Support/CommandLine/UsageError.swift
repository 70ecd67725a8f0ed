internal import TextEncoding

/// What is wrong with a command line.
package enum UsageError: Error, Equatable, Sendable {
    /// No option has this name; the nearest one that exists, if any is near.
    case unknownOption(String, nearest: String?)
    /// An option stands without its value.
    case missingValue(option: String, placeholder: String)
    /// A value is given to an option that takes none.
    case unexpectedValue(option: String, value: String)
    /// An option that may be given once is given twice.
    case repeatedOption(String)
    /// There are more arguments than the program takes.
    case unexpectedArgument(String, limit: Int)
    /// An argument that must be there is missing.
    case missingArgument(String)
    /// An option's value is not what it must be.
    case badValue(option: String, value: String, expected: String)
    /// An option names a file that cannot be read.
    case unreadable(option: String, path: String, reason: String)

    /// How the program ends then.
    package var exitCode: ExitCode {
        if case .unreadable = self { .noInput } else { .usage }
    }

    /// What is wrong and what to do, in one or two lines.
    package func message(for program: String) -> String {
        "\(program): \(PrintableText.escaped(problem))\nTry '\(program) --help' for all options."
    }

    /// What is wrong, in one line.
    package var problem: String {
        switch self {
        case .unknownOption(let option, let nearest):
            "unknown option \(option)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        case .missingValue(let option, let placeholder): "the option \(option) needs a value: \(option) \(placeholder)"
        case .unexpectedValue(let option, let value): "the option \(option) takes no value, found \"\(value)\""
        case .repeatedOption(let option): "the option \(option) is given twice; give it once"
        case .unexpectedArgument(let argument, let limit):
            limit == 0
                ? "unexpected argument \"\(argument)\"; only options are taken"
                : "unexpected argument \"\(argument)\"; there may be \(limit) at most"
        case .missingArgument(let name): "\(name) is missing"
        case .badValue(let option, let value, let expected):
            "the option \(option) has the value \"\(value)\", expected \(expected)"
        case .unreadable(let option, let path, let reason): "cannot read the file of \(option), \(path): \(reason)"
        }
    }
}
