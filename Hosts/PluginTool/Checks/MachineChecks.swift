internal import CPluginTool
internal import Glibc
internal import HostSupport
internal import PluginABI
internal import System
internal import TextEncoding

/// What a plugin does with the process that it is in: memory, files, threads, streams, and time.
enum MachineChecks {
    /// The longest time of a call of a tracker, ms, in a host that is busy with a player.
    private static let budget: Int64 = 20
    /// How much an instance that is gone may leave behind on average, bytes.
    private static let leftover = 4_000

    static let group = CheckGroup(
        "The machine",
        .plugin,
        [
            Check(
                "streams",
                needs: ["session", "take"],
                "It writes nothing to standard output and standard error.",
                remedy: "Use the host's `log`; a reporter that writes there declares `TALLY_CAP_STREAMS`."
            ) { subject throws(Finding) in
                guard unsafe try subject.descriptor().pointee.caps & TALLY_CAP_STREAMS == 0 else { return }
                let memory = unsafe tally_tool_memory_file("streams")
                for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(memory, stream) }
                try work(subject)
                fflush(nil)
                let text = SecondProcess.text(memory)
                guard text.isEmpty else { throw .failed("it writes \"\(text.prefix(60))\"") }
            },
            Check(
                "descriptors-closed",
                needs: ["session", "take"],
                "It leaves no file open behind.",
                remedy: "Close in `disable` or `destroy` what `init` and `enable` opened."
            ) { subject throws(Finding) in
                try work(subject)
                let before = openFiles
                for _ in 0..<3 { try work(subject) }
                let left = openFiles.count - before.count
                guard left <= 0 else { throw .failed("\(left) descriptors more are open after 3 instances") }
            },
            Check(
                "no-files",
                needs: ["session", "take"],
                "A tracker opens no file and begins no connection.",
                remedy:
                    "Emit a record or a beacon: reporters bring it away. `tally.store/1` keeps values from run to run."
            ) { subject throws(Finding) in
                guard try !subject.isReporter() else { return }
                _ = try subject.load()
                guard unsafe tally_tool_watch_machine(subject.path) > 0 else { return }
                try work(subject)
                if let function = unsafe tally_tool_touched() {
                    throw .failed("it calls \(unsafe String(cString: function))")
                }
            },
            Check(
                "threads",
                needs: ["session", "take"],
                "It leaves no thread behind, and a tracker has none.",
                remedy:
                    "End and join threads in `disable`. Those of Go's runtime cannot be ended: they are a note."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                let before = threadCount
                try host.start(subject)
                try Exercise.perform(host, subject)
                // A thread that was joined is listed for a moment longer.
                for _ in 0..<50 where threadCount > before { usleep(1_000) }
                let during = threadCount - before
                host.finish()
                for _ in 0..<50 where threadCount > before { usleep(1_000) }
                let left = threadCount - before
                let isDeclared = unsafe try subject.descriptor().pointee.caps & TALLY_CAP_OWN_THREADS != 0
                guard left > 0 || during > 0 && !isDeclared else { return }
                let text = "\(during) threads of its own while it works, \(left) behind it"
                throw Runtime.language(of: subject) == "Go" ? .note(text) : .failed(text)
            },
            Check(
                "process-unchanged",
                needs: ["session", "take"],
                "Folder, locale, mask of new files, environment, signals and alarms of the process stay as they are, and"
                    + " there is no second one.",
                remedy: "All of them are the application's: pass what you need to the functions that take it."
            ) { subject throws(Finding) in
                let before = ProcessSurroundings()
                try work(subject)
                var status: Int32 = 0
                let made = unsafe waitpid(-1, &status, WNOHANG)
                if made >= 0 || errno != ECHILD { throw .failed("it makes a copy of the process by fork") }
                guard let difference = ProcessSurroundings().difference(from: before) else { return }
                if difference.isOfSignal, Runtime.language(of: subject) == "Go" {
                    throw .note("Go's runtime handles signals of the process")
                }
                throw .failed(difference.text)
            },
            Check(
                "memory-kept",
                needs: ["session", "take", "life-twice"],
                limit: 10_000,
                "An instance that is destroyed has given its memory back, but for \(leftover) bytes.",
                remedy:
                    "Free in `destroy` what the instance has; valgrind, or a test with `-fsanitize=leak`, shows it."
            ) { subject throws(Finding) in
                for _ in 0..<5 { try work(subject) }
                let before = tally_tool_used_memory()
                let count = 20
                for _ in 0..<count { try work(subject) }
                let kept = (Int(tally_tool_used_memory()) - Int(before)) / count
                guard kept <= leftover else { throw .warning("about \(kept) bytes stay behind each instance") }
            },
            Check(
                "memory-refused",
                needs: ["session", "take", "destroy-at-once"],
                limit: 5_000,
                "It survives when there is no memory: `create` returns NULL, other calls an error.",
                remedy:
                    "Look at what `malloc` returns. What a language's runtime asks for by itself is not refused here."
            ) { subject throws(Finding) in
                if let language = Runtime.language(of: subject) {
                    throw .skipped("\(language) ends the process when there is no memory")
                }
                _ = try subject.load()
                guard unsafe tally_tool_watch_allocations(subject.path) > 0 else { return }
                tally_tool_count_allocations(0, false)
                try attempt(subject)
                let count = min(tally_tool_allocations(), 40)
                for number in 0..<count {
                    for lasting in [false, true] {
                        tally_tool_count_allocations(number + 1, lasting)
                        try attempt(subject)
                    }
                }
                tally_tool_count_allocations(0, false)
            },
            Check(
                "budget",
                needs: ["session", "take"],
                limit: 10_000,
                "No call of a tracker takes longer than \(budget) ms.",
                remedy: "Do less in one call: the player waits for it. Long work belongs into a reporter."
            ) { subject throws(Finding) in
                guard try !subject.isReporter() else { return }
                var shortest: [(name: String, time: Int64)] = []
                for _ in 0..<3 {
                    let host = try CheckHost(subject)
                    host.leavesOutWaits = true
                    try host.start(subject)
                    try Exercise.perform(host, subject)
                    host.finish()
                    let times = host.callTimes
                    // The least of three for each call: the machine has other work too.
                    shortest =
                        shortest.isEmpty ? times : zip(shortest, times).map { ($0.name, min($0.time, $1.time)) }
                }
                if let longest = shortest.max(by: { $0.time < $1.time }), longest.time > budget * 1_000_000 {
                    throw .failed("\(longest.name) took \(longest.time / 1_000_000) ms")
                }
            },
            Check(
                "secrets",
                needs: ["session", "take", "schema"],
                "What is secret in its configuration is not in what it says.",
                remedy:
                    "Name a secret in the beacon's `credential`: the reporter adds it. Mark the key `\"writeOnly\":true`."
            ) { subject throws(Finding) in
                guard try !subject.isReporter() else { return }
                let marker = "tally-check-secret-7f3a"
                let given = (try? JSONParser().parse(subject.configuration))?.object ?? [:]
                guard
                    let members = GeneratedConfiguration.withSecrets(given, try subject.schema(), marker: marker)
                else { return }
                let host = try CheckHost(subject)
                host.create()
                guard host.initialize(JSONValue.object(members).canonicalText) >= TALLY_OK else { return }
                _ = host.enable()
                try Exercise.perform(host, subject)
                host.finish()
                if let line = (host.transcript + host.words).first(where: { $0.contains(marker) }) {
                    throw .failed("it is in \"\(line.prefix(80))\"")
                }
            },
            Check(
                "memory-errors",
                needs: ["session", "take"],
                limit: 20_000,
                "AddressSanitizer, loaded before everything else, finds no error of memory.",
                remedy: "Build the plugin with `-g -fsanitize=address` and look at the first report."
            ) { subject throws(Finding) in
                guard let library = Sanitizer.address else {
                    throw .skipped("no libasan.so is installed: it comes with gcc (libasan8 in Debian)")
                }
                let options = "ASAN_OPTIONS=detect_leaks=0:exitcode=99:allocator_may_return_null=1"
                guard
                    let answer = SecondProcess.run(subject, environment: ["LD_PRELOAD=\(library)", options]),
                    answer.status == 0 || answer.errors.contains("AddressSanitizer")
                else { throw .skipped("the sanitizer does not start here") }
                guard answer.status != 0 else { return }
                let line = answer.errors.split(separator: "\n").first { $0.contains("AddressSanitizer") } ?? ""
                throw .failed(String(line.drop { $0 != "A" }.prefix(120)))
            },
        ]
    )

    private static func work(_ subject: Subject) throws(Finding) {
        let host = try CheckHost(subject)
        host.givesBack = true
        try host.start(subject)
        try Exercise.perform(host, subject)
        host.finish()
        host.release()
    }

    /// The same, where every call may fail.
    private static func attempt(_ subject: Subject) throws(Finding) {
        let host = try CheckHost(subject)
        guard host.create() else { return }
        if host.initialize(subject.configuration) >= TALLY_OK, host.enable() >= TALLY_OK {
            try Exercise.perform(host, subject)
            host.disable()
        }
        host.destroy()
    }

    private static var openFiles: [String] { FileNames.names(in: "/proc/self/fd", endingWith: "") ?? [] }
    private static var threadCount: Int { FileNames.names(in: "/proc/self/task", endingWith: "")?.count ?? 0 }
}
