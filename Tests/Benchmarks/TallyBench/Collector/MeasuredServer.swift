internal import Glibc

/// A server that runs beside the benchmark, and what the system says of its processor time and memory.
final class MeasuredServer {
    private let process: pid_t
    private let errors: String

    /// Starts it; what it writes to standard error goes to a file.
    init(_ path: String, _ arguments: [String], errors: String) throws(BenchError) {
        self.errors = errors
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer {
            for index in unsafe words.indices {
                unsafe free(words[index])
            }
        }
        var process = pid_t()
        let status = unsafe posix_spawn(&process, path, &actions, nil, words, environ)
        guard status == 0 else { throw .file(path: path, number: status) }
        self.process = process
    }

    /// The port that it says it has, once it does.
    func port() throws(BenchError) -> UInt16 {
        while true {
            if let place = Self.read(errors).split(separator: "http://127.0.0.1:").dropFirst().first,
                let port = UInt16(place.prefix { $0.isNumber }), place.contains("\n")
            {
                return port
            }
            var status: Int32 = 0
            guard unsafe waitpid(process, &status, WNOHANG) == 0 else {
                throw .refused("the server ended with \(status >> 8 & 0xFF), see \(errors)")
            }
            Stopwatch.sleep(milliseconds: 20)
        }
    }

    /// Has it end, and waits until it has.
    func end() {
        var status: Int32 = 0
        kill(process, SIGTERM)
        unsafe waitpid(process, &status, 0)
    }

    /// Processor time of all its threads so far, in seconds, to a hundredth.
    var processorSeconds: Double {
        let words = Self.read("/proc/\(process)/stat").split(separator: ") ").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// A figure of its memory, KiB, such as `VmRSS` and `VmHWM`.
    func memory(_ name: String) -> Double {
        for line in Self.read("/proc/\(process)/status").split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count > 1, words[0] == name + ":" { return Double(words[1]) ?? 0 }
        }
        return 0
    }

    private static func read(_ path: String) -> String {
        guard let file = unsafe fopen(path, "re") else { return "" }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
