internal import Glibc

/// Why a round cannot be run.
enum BenchError: Error, CustomStringConvertible {
    /// No command has this name.
    case unknownCommand(String)
    /// An option that the command does not have, or an argument too many.
    case unexpected(String)
    /// A mandatory argument is missing.
    case missing(String)
    /// An option has a value that it cannot have.
    case badValue(option: String, value: String, wanted: String)
    /// A file cannot be read or written.
    case file(path: String, number: Int32)
    /// Tally refused something.
    case refused(String)
    /// The figures would mean nothing.
    case invalidRound(String)

    var description: String {
        switch self {
        case .unknownCommand(let name):
            name.isEmpty
                ? "no command; see tally-bench --help" : "unknown command '\(name)'; see tally-bench --help"
        case .unexpected(let argument): "unexpected argument '\(argument)'; see tally-bench --help"
        case .missing(let what): "\(what) is missing; see tally-bench --help"
        case .badValue(let option, let value, let wanted): "\(option) '\(value)' is not \(wanted)"
        case .file(let path, let number):
            "\(path): \(unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)")"
        case .refused(let reason): reason
        case .invalidRound(let reason): "this round does not count: \(reason); run it again"
        }
    }

    /// The process's exit code.
    var code: Int32 {
        switch self {
        case .unknownCommand, .unexpected, .missing, .badValue: 64
        case .file: 66
        case .refused: 70
        case .invalidRound: 75
        }
    }
}
