internal import HostSupport

/// What is wrong with a script.
enum ScriptError: Error, Equatable {
    /// It cannot be read.
    case unreadable(path: String, reason: String)
    /// A line cannot be understood; the number counts from 1.
    case line(path: String, number: Int, problem: String)

    /// How the program ends then.
    var exitCode: ExitCode {
        switch self {
        case .unreadable: .noInput
        case .line: .badConfiguration
        }
    }

    /// Where, what and what to do.
    var message: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot read the script: \(reason)"
        case .line(let path, let number, let problem): "\(path):\(number): \(problem)"
        }
    }
}
