internal import CLinux
internal import CPluginTool
internal import Glibc
internal import System

/// One check in a process of its own, which cannot take anything with it and has a limit.
struct CheckProcess {
    let check: Check
    let subject: Subject

    /// Prepares a check of a plugin.
    init(_ check: Check, _ subject: Subject) {
        self.check = check
        self.subject = subject
    }

    /// Runs the check: what came of it.
    func run() -> (verdict: Verdict, text: String) {
        var ends: [Int32] = [-1, -1]
        guard unsafe tally_pipe(&ends) == 0 else { return (.skipped, "no pipe: \(SystemError.text(errno))") }
        defer { close(ends[0]) }
        CallPlace.shared.set("")
        let errors = unsafe tally_tool_memory_file("errors")
        defer { close(errors) }
        let child = tally_tool_fork()
        if child == 0 { answer(to: ends[1], errors: errors) }
        close(ends[1])
        guard child > 0 else { return (.skipped, "no process can be made for it") }
        let answer = read(ends[0], from: child)
        if answer == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        // What the plugin began there ends, too.
        kill(-child, SIGKILL)
        let outcome = judge(answer, status)
        guard outcome.verdict == .crashed else { return outcome }
        let report = SecondProcess.text(errors).split(separator: "\n").first { $0.contains("Sanitizer: ") }
        return (
            outcome.verdict, outcome.text + (report.map { ": " + $0.drop { $0 == "=" || $0 == " " }.prefix(160) } ?? "")
        )
    }

    // MARK: - In the process of its own

    private func answer(to descriptor: Int32, errors: Int32) -> Never {
        var none = rlimit()
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        for stream in STDIN_FILENO...STDOUT_FILENO { dup2(nowhere, stream) }
        dup2(errors, STDERR_FILENO)
        let outcome = outcome()
        _ = try? FileDescriptor(descriptor).writeAll("\(outcome.verdict.rawValue) \(outcome.text)")
        // Nothing that the plugin left behind runs: no destructors, no handlers of exit.
        _exit(0)
    }

    /// What the check finds, in this process.
    func outcome() -> (verdict: Verdict, text: String) {
        do {
            try check.body(subject)
            return (.passed, "")
        } catch let finding as Finding {
            return (finding.verdict, finding.text)
        } catch {
            return (.failed, "\(error)")
        }
    }

    // MARK: - In the program

    /// After so many limits a process is given up, however busy the machine is.
    private static let mostLimits: Int64 = 60

    /// What the process writes until it ends; nil when the limit comes first.
    ///
    /// The time in which it could have run, and others did, is not counted: a busy machine makes no plugin hang.
    private func read(_ descriptor: Int32, from child: pid_t) -> [UInt8]? {
        let limit = Int64(check.limit) * 1_000
        let begin = SystemTime.monotonic()
        var (last, processor, counted) = (begin, Int64(0), Int64(0))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, 50) != 0 else {
                let now = SystemTime.monotonic()
                let look = RunQueue.look(at: child)
                // Of who is ready to run only what it ran counts.
                counted += look.isReady ? min(now - last, max(0, look.processor - processor)) : now - last
                (last, processor) = (now, look.processor)
                guard counted < limit, now - begin < Self.mostLimits * limit else { return nil }
                continue
            }
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    private func judge(_ answer: [UInt8]?, _ status: Int32) -> (verdict: Verdict, text: String) {
        let call = CallPlace.shared.name
        let place = call.isEmpty ? "" : " in \(call)"
        guard let answer else { return (.hung, "it did not come back within \(check.limit) ms\(place)") }
        let words = String(decoding: answer, as: UTF8.self).split(separator: " ", maxSplits: 1)
        if let verdict = words.first.flatMap({ Verdict(rawValue: String($0)) }) {
            return (verdict, words.count > 1 ? String(words[1]) : "")
        }
        let signal = status & 0x7F
        guard signal != 0 else { return (.crashed, "it ended the process with code \(status >> 8 & 0xFF)\(place)") }
        let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
        return (.crashed, "signal \(signal) (\(name))\(place)")
    }
}
