internal import Glibc
internal import TextEncoding

/// A player that runs beside the benchmark, and what the system says of its threads and its memory.
final class MeasuredPlayer {
    /// Names of the threads that telemetry works on; all others are the player's and GStreamer's.
    private static let telemetryThreads = ["tally-core", "tally-callback", "tally-watch", "r-", "control"]

    private let process: pid_t
    private let errors: String
    private var processorByThread: [String: Int64] = [:]
    private var resident: [Double] = []
    private var anonymous: [Double] = []
    private var images: [Double] = []

    /// Starts the player; what it writes to standard error goes to a file.
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

    /// Looks at it until it ends; gives its summary.
    func watch() throws(BenchError) -> JSONValue {
        var status: Int32 = 0
        var looks = 0
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            look(withMemory: looks % 5 == 0)
            looks += 1
            Stopwatch.sleep(milliseconds: 200)
        }
        guard status == 0 else { throw .refused("the player ended with \(status >> 8 & 0xFF), see \(errors)") }
        let lines = read(errors).split(separator: "\n")
        guard let last = lines.last, let summary = try? JSONParser().parse(String(last)) else {
            throw .refused("the player gave no summary, see \(errors)")
        }
        return summary
    }

    /// Processor time of the threads that telemetry works on, ns.
    var telemetryNs: Int64 { processorByThread.values.reduce(0, +) }

    /// Processor time of the first thread, which prepares everything and then waits, ns.
    private(set) var firstThreadNs: Int64 = 0

    /// Resident memory in the second half of the time, KiB: all of it, without what files are mapped for, and that of
    /// the plugins' own images, which are files in memory.
    var memory: (resident: Double, anonymous: Double, images: Double) {
        (
            Samples(Array(resident.suffix(resident.count / 2))).median,
            Samples(Array(anonymous.suffix(anonymous.count / 2))).median,
            Samples(Array(images.suffix(images.count / 2))).median
        )
    }

    private func look(withMemory: Bool) {
        for thread in entries("/proc/\(process)/task") {
            let folder = "/proc/\(process)/task/\(thread)"
            if thread == "\(process)" {
                firstThreadNs = processorTime(folder) ?? firstThreadNs
                continue
            }
            let name = read(folder + "/comm")
            guard Self.telemetryThreads.contains(where: name.hasPrefix) else { continue }
            processorByThread[thread] = processorTime(folder) ?? processorByThread[thread]
        }
        guard withMemory else { return }
        for line in read("/proc/\(process)/status").split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Double(words[1]) else { continue }
            if words[0] == "VmRSS:" { resident.append(number) }
            if words[0] == "RssAnon:" { anonymous.append(number) }
            if words[0] == "RssShmem:" { images.append(number) }
        }
    }

    private func processorTime(_ folder: String) -> Int64? {
        read(folder + "/schedstat").split(separator: " ").first.flatMap { Int64($0) }
    }

    private func entries(_ path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private func read(_ path: String) -> String {
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
