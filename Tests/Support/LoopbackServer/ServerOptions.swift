/// The command line of the media server.
package struct ServerOptions: Sendable {
    /// What to serve.
    package var configuration = ServerConfiguration()
    /// Whether a line about each answer is wanted.
    package var logs = false
    /// Whether only the help text is wanted.
    package var wantsHelp = false

    /// The help text.
    package static let help = """
        usage: media-server --root DIR [options]

        Serves the files of a folder over HTTP on 127.0.0.1, with a slow link and faults on request.

          --root DIR            the folder to serve
          --port N              the port; 0, the default, takes a free one
          --throttle SCHEDULE   bandwidth over time in bit/s, shared by all connections, as SECOND:RATE,...
                                such as 0:3000k,8:300k,16:4M; a rate may be 0 or unlimited
          --throttle-from FROM  when the schedule's clock starts: 'server' for the server's start, or a GLOB for the
                                first request whose path matches; the default is '*', the first request
          --fault GLOB=FAULT    what goes wrong for paths that match; may be given several times. FAULT is a list of
                                status:CODE   answer with this status
                                latency:MS    wait before the answer
                                cut:BYTES     close the connection where the file reaches this offset
                                stall:BYTES   send nothing more from this offset on
                                refuse        reset the connection without an answer
                                first:COUNT   only for the first COUNT requests
          --log                 one line about each answer on standard error
          --help                this text

        Prints 'listening on http://127.0.0.1:PORT/' and serves until SIGTERM or SIGINT.
        Exit codes: 0 ended by a signal, 64 wrong options, 66 no such folder, 69 the port cannot be used.

        """

    /// Reads the arguments that follow the program's name.
    package init(arguments: [String]) throws(OptionError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = argument.hasPrefix("--") ? String(parts[0]) : argument
            let attached = option == argument ? nil : String(parts[1])
            switch option {
            case "--help" where attached == nil:
                wantsHelp = true
                return
            case "--log" where attached == nil:
                logs = true
            case "--root", "--port", "--throttle", "--throttle-from", "--fault":
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw .missingValue(option: option)
                }
                try set(option, value)
            default:
                throw .unknown(argument)
            }
        }
        guard configuration.root != nil else {
            throw .missingRoot
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(OptionError) {
        switch option {
        case "--root":
            configuration.root = value
        case "--port":
            guard let port = UInt16(value) else {
                throw .badPort(value)
            }
            configuration.port = port
        case "--throttle":
            configuration.throttle = try ThrottleSchedule(parsing: value)
        case "--throttle-from":
            configuration.throttleStart = value == "server" ? .serverStart : .firstRequest(PathPattern(value))
        default:
            configuration.faults.append(try FaultRule(parsing: value))
        }
    }
}
