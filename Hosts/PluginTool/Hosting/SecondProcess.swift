internal import CPluginTool
internal import Glibc
internal import System
internal import TextEncoding

/// The program once more, in a process that shares nothing with this one: with other addresses, and other libraries
/// where the environment says so.
enum SecondProcess {
    /// The first argument of the program that makes it such a process.
    static let word = "--say-usual-course"

    /// What came of a second process.
    struct Answer: Sendable {
        /// The lines of its standard output.
        let lines: [String]
        /// What it wrote to standard error.
        let errors: String
        /// How it ended, as `waitpid` says.
        let status: Int32
    }

    /// Says in this process what an instance says in the usual course, and ends it.
    static func say(_ arguments: [String]) -> Never {
        guard arguments.count == 3, let index = UInt32(arguments[1]) else { _exit(64) }
        var subject = Subject(path: arguments[0])
        subject.index = index
        subject.configuration = arguments[2]
        do throws(Finding) {
            var lines: [String] = []
            if try subject.isReporter() {
                let host = try CheckHost(subject)
                try host.start(subject)
                try Exercise.perform(host, subject)
                host.finish()
            } else {
                _ = try subject.load()
                // A day, an hour, a minute and a second: whoever looks at any of them says something else.
                _ = unsafe tally_tool_watch_machine(subject.path)
                tally_tool_shift_clocks(90_061)
                lines = try Exercise.transcript(subject)
            }
            let text = JSONValue.array(lines.map { .string($0) }).canonicalText
            _exit((try? FileDescriptor(1).writeAll(text)) == nil ? 74 : 0)
        } catch {
            _exit(75)
        }
    }

    /// Has a second process do the same; nil when it cannot be started.
    static func run(_ subject: Subject, environment: [String] = []) -> Answer? {
        let (output, errors) = (memory("output"), memory("errors"))
        defer {
            close(output)
            close(errors)
        }
        let words: [String] = ["tally-plugin", word, subject.path, "\(subject.index)", subject.configuration]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        let inherited = ["PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR"].compactMap { (name: String) -> String? in
            guard !environment.contains(where: { $0.hasPrefix(name + "=") }) else { return nil }
            return unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
        }
        var child: pid_t = 0
        let started = unsafe withTexts(words) { arguments -> Int32 in
            unsafe withTexts(inherited + environment) { environment -> Int32 in
                unsafe posix_spawn(&child, "/proc/self/exe", &actions, nil, arguments, environment)
            }
        }
        guard started == 0 else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        let said = (try? JSONParser().parse(text(output)))?.array ?? []
        return Answer(lines: said.compactMap(\.string), errors: text(errors), status: status)
    }

    private static func memory(_ name: String) -> Int32 { unsafe tally_tool_memory_file(name) }

    /// What was written to a file in memory, at most 1 MiB of it.
    static func text(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    private static func withTexts<Result>(
        _ texts: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { unsafe (list + index).initialize(to: strdup(text)) }
        unsafe (list + texts.count).initialize(to: nil)
        defer {
            for index in texts.indices { unsafe free(list[index]) }
            unsafe list.deallocate()
        }
        return unsafe body(list)
    }
}
