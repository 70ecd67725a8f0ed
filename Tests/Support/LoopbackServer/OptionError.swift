/// What is wrong with a command line of the media server.
package enum OptionError: Error, Equatable, CustomStringConvertible {
    /// An argument that is no option.
    case unknown(String)
    /// An option without its value.
    case missingValue(option: String)
    /// `--root` is not there.
    case missingRoot
    /// `--port` has a value that is no port.
    case badPort(String)
    /// The text of a throttle schedule, and what is wrong with it.
    case badThrottle(String, String)
    /// The text of a fault rule, and what is wrong with it.
    case badFault(String, String)

    package var description: String {
        switch self {
        case .unknown(let argument):
            "unknown option '\(argument)'; see media-server --help"
        case .missingValue(let option):
            "\(option) needs a value; see media-server --help"
        case .missingRoot:
            "no folder to serve; give one with --root DIR"
        case .badPort(let text):
            "--port '\(text)' is not a port; give a number from 0 (any that is free) to 65535"
        case .badThrottle(let text, let reason):
            "throttle schedule '\(text)': \(reason); an example is 0:3000k,8:300k,16:4M"
        case .badFault(let text, let reason):
            "fault '\(text)': \(reason); an example is '*.m4s=latency:200,status:503,first:2'"
        }
    }
}
