internal import CLinux
internal import Glibc
internal import PluginABI
internal import System
internal import TextEncoding

/// Tries a plugin's file in a process of its own: whether it loads, has an entry and describes its plugins.
///
/// A file that crashes, hangs or ends the process there does no harm here. The probe is a small program, `tally-probe`;
/// one of another name works too when its `main` hands its arguments to ``answer(_:)``.
public struct PluginProbe: Sendable {
    /// The program that loads the file.
    public var program: String
    /// How long it may take, ms.
    public var limit: Int64
    /// What was said of files before; nil tries each file each time.
    package var probed: ProbedFiles?
    /// Bytes of address space that a probe needs at most.
    package static let memoryBytes = 1 << 30
    /// More bytes than the descriptions of a file's plugins have.
    private static let longestAnswer = 16 << 20

    /// Uses a program.
    public init(program: String, limit: Int64 = 5_000) {
        self.program = program
        self.limit = limit
    }

    /// The probe that lies beside the running program, nil when there is none.
    public static func besideProgram() -> PluginProbe? {
        guard let program = FileNames.programFolder.map({ $0 + "tally-probe" }) else { return nil }
        return unsafe access(program, X_OK) == 0 ? PluginProbe(program: program) : nil
    }

    // MARK: - In the probing process

    /// Does what the probe was started for: `arguments` are a descriptor and the file's name.
    ///
    /// `confine` takes from the process what a plugin's file does not need, before its first instruction, and gives
    /// what went wrong. Writes what it finds to descriptor 4 and ends the process, without running anything that the
    /// plugin left behind.
    public static func answer(_ arguments: [String], confining confine: () -> String? = { nil }) -> Never {
        guard arguments.count == 2, let descriptor = Int32(arguments[0]) else { _exit(64) }
        var none = rlimit()
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        var found: JSONObject = [:]
        if let failure = confine() {
            found["error"] = .string("\(arguments[1]): it was not tried, as the probe cannot be confined: \(failure)")
            _exit((try? FileDescriptor(4).writeAll(JSONValue.object(found).canonicalText)) == nil ? 74 : 0)
        }
        do throws(PluginError) {
            let library = try LoadedLibrary(PluginCandidate(path: arguments[1], descriptor: descriptor))
            found["plugins"] = .array(library.plugins.map(\.json))
        } catch {
            found["error"] = .string(error.description)
        }
        _exit((try? FileDescriptor(4).writeAll(JSONValue.object(found).canonicalText)) == nil ? 74 : 0)
    }

    // MARK: - In the host

    /// Tries a file; gives what it says of its plugins.
    func describe(_ candidate: PluginCandidate) throws(PluginError) -> [PluginDescription] {
        if let known = probed?.answer(of: candidate), let plugins = plugins(in: known, candidate) { return plugins }
        var ends: [Int32] = [-1, -1]
        guard unsafe tally_pipe(&ends) == 0 else {
            throw .untried(path: candidate.path, reason: "no pipe for it: \(SystemError.text(errno))")
        }
        defer { close(ends[0]) }
        let child = unsafe tally_spawn_probe(program, "3", candidate.path, candidate.descriptor, ends[1])
        close(ends[1])
        guard child > 0 else {
            throw .untried(path: candidate.path, reason: "\(program) cannot be started: \(SystemError.text(errno))")
        }
        let answer = read(ends[0])
        if answer == nil {
            kill(child, SIGKILL)
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        return try judge(candidate, answer, status)
    }

    /// What the probe writes until it closes its end; nil when the limit comes first.
    private func read(_ descriptor: Int32) -> [UInt8]? {
        let deadline = SystemTime.monotonic() + limit * 1000
        var answer: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while answer.count < Self.longestAnswer {
            let left = deadline - SystemTime.monotonic()
            guard left > 0 else { return nil }
            let ready = tally_wait_readable(descriptor, left)
            // A signal to the host is no answer of the probe.
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            guard let count = unsafe try? FileDescriptor(descriptor).read(into: buffer), count > 0 else { break }
            unsafe answer.append(contentsOf: buffer[..<count])
        }
        return answer
    }

    private func judge(
        _ candidate: PluginCandidate,
        _ answer: [UInt8]?,
        _ status: Int32
    ) throws(PluginError) -> [PluginDescription] {
        let path = candidate.path
        guard let answer else { throw .probe(path: path, reason: "it did not come back within \(limit) ms") }
        let signal = status & 0x7F
        guard signal == 0 else {
            let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
            throw .probe(path: path, reason: "it crashed with signal \(signal) (\(name))")
        }
        guard let found = (try? JSONParser().parse(answer))?.object else {
            throw .probe(path: path, reason: "it ended the process with code \(status >> 8 & 0xFF)")
        }
        if let error = found["error"]?.string { throw .probeRefused(path: path, reason: error) }
        guard let plugins = plugins(in: answer, candidate) else {
            throw .untried(path: path, reason: "\(program) does not say what is in it: it is of another version")
        }
        probed?.keep(answer, of: candidate)
        return plugins
    }

    /// The plugins of an answer; nil when it does not say them, or says them in another version's way.
    private func plugins(in answer: [UInt8], _ candidate: PluginCandidate) -> [PluginDescription]? {
        let said = (try? JSONParser().parse(answer))?["plugins"]?.array ?? []
        let plugins = said.compactMap {
            PluginDescription(json: $0, path: candidate.path, digest: candidate.digest)
        }
        return plugins.isEmpty || plugins.count != said.count ? nil : plugins
    }
}
