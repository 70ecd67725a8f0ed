internal import Glibc
internal import Synchronization

/// Waits on a thread of its own for what becomes of a process, and takes its exit code from the system.
final class ProgramWatch: Sendable {
    private static let running = Int64.min
    private static let halted = Int64.min + 1

    private let id: pid_t
    private let status = Atomic<Int64>(ProgramWatch.running)

    /// Begins to watch.
    init(_ id: pid_t) {
        self.id = id
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let started = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<ProgramWatch>.fromOpaque(context).takeRetainedValue().watch()
                return nil
            },
            context
        )
        precondition(started == 0, "no thread can be started")
        pthread_detach(thread)
    }

    /// What became of it so far.
    var state: ChildProgram.State {
        switch status.load(ordering: .acquiring) {
        case Self.running: .running
        case Self.halted: .halted
        case let code: .ended(Int32(truncatingIfNeeded: code))
        }
    }

    private func watch() {
        while true {
            // The process is left to the system until its end is known here, so that nobody sends a signal to its successor.
            var found = unsafe siginfo_t()
            guard unsafe waitid(P_PID, id_t(id), &found, WEXITED | WSTOPPED | WCONTINUED | WNOWAIT) == 0 else {
                if errno == EINTR { continue }
                return status.store(Int64(-SIGKILL), ordering: .releasing)
            }
            switch unsafe found.si_code {
            case Int32(CLD_STOPPED), Int32(CLD_TRAPPED): status.store(Self.halted, ordering: .releasing)
            case Int32(CLD_CONTINUED): status.store(Self.running, ordering: .releasing)
            default: return end()
            }
            var ignored: Int32 = 0
            unsafe waitpid(id, &ignored, WUNTRACED | WCONTINUED | WNOHANG)
        }
    }

    private func end() {
        var code: Int32 = 0
        var found = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(id), &found, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        code = unsafe found._sifields._sigchld.si_status
        let isExit = unsafe found.si_code == Int32(CLD_EXITED)
        status.store(Int64(isExit ? code : -code), ordering: .releasing)
        while unsafe waitpid(id, &code, 0) < 0, errno == EINTR {}
    }
}
