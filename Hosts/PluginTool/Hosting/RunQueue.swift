internal import Glibc
internal import HostSupport
internal import System

/// What processes have of the processor, as the kernel counts it.
enum RunQueue {
    /// A look at a process and those that it has begun.
    struct Look {
        /// Whether a thread of theirs runs, or could and waits for its turn.
        var isReady = false
        /// Processor time that they took, us.
        var processor: Int64 = 0
    }

    /// Looks at a process and those that it has begun.
    static func look(at process: pid_t) -> Look {
        var look = Look()
        add(process, to: &look)
        return look
    }

    /// How long the thread that asks could have run, and others did, ns; 0 where the kernel does not count.
    static var waitOfThisThread: Int64 {
        let words = text("/proc/thread-self/schedstat").split(separator: " ")
        return words.count > 1 ? Int64(words[1]) ?? 0 : 0
    }

    private static func add(_ process: pid_t, to look: inout Look) {
        var clock = clockid_t()
        var time = timespec()
        if unsafe clock_getcpuclockid(process, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 {
            look.processor += Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
        for thread in FileNames.names(in: "/proc/\(process)/task", endingWith: "") ?? [] {
            let folder = "/proc/\(process)/task/\(thread)"
            // The name before may have anything in it.
            let state = text(folder + "/stat").split(separator: ")").last?.first { $0 != " " }
            if state == "R" { look.isReady = true }
            let children = text(folder + "/children").split { $0 == " " || $0 == "\n" }
            for child in children.compactMap({ pid_t($0) }) { add(child, to: &look) }
        }
    }

    private static func text(_ path: String) -> String {
        (try? TextFile.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
