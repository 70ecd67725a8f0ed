import Glibc
import LoopbackServer

func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest.removeFirst(count)
        } else if errno != EINTR {
            return
        }
    }
}

func fail(_ message: String, _ code: Int32) -> Never {
    write("media-server: \(message)\n", to: STDERR_FILENO)
    exit(code)
}

func logLine(_ answer: Answer) -> String {
    let range = answer.request.header("range").map { " (\($0))" } ?? ""
    let milliseconds = Int(answer.seconds * 1000)
    return "\(answer.request.method) \(answer.request.target)\(range) \(answer.status)"
        + " \(answer.bytesSent)/\(answer.bytesPromised) bytes in \(milliseconds) ms\n"
}

// Blocked before the first thread starts, so that no thread but this one takes the signals.
var signals = sigset_t()
unsafe sigemptyset(&signals)
unsafe sigaddset(&signals, SIGTERM)
unsafe sigaddset(&signals, SIGINT)
unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
signal(SIGPIPE, SIG_IGN)

do throws(OptionError) {
    var options = try ServerOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    if options.wantsHelp {
        write(ServerOptions.help, to: STDOUT_FILENO)
        exit(0)
    }
    if options.logs {
        options.configuration.onAnswer = { write(logLine($0), to: STDERR_FILENO) }
    }
    do throws(ServerError) {
        let server = try LoopbackServer(options.configuration)
        write("listening on \(server.url)\n", to: STDOUT_FILENO)
        var received: Int32 = 0
        unsafe sigwait(&signals, &received)
        server.stop()
    } catch {
        switch error {
        case .notADirectory: fail(error.description, 66)
        case .cannotListen: fail(error.description, 69)
        }
    }
} catch {
    fail(error.description, 64)
}
