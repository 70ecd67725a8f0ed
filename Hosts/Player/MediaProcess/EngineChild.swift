internal import CLinux
internal import Glibc
internal import System

/// The process of an engine, from the player's side.
final class EngineChild: Sendable {
    let processID: Int32
    let channel: FrameChannel

    /// Why it could not be started.
    struct Failure: Error {
        let text: String
    }

    /// Starts a player's program as an engine.
    init(_ program: String) throws(Failure) {
        var own: Int32 = -1
        let started = unsafe tally_spawn_engine(program, EngineServer.name, &own)
        guard started > 0 else { throw Failure(text: "\(program): \(SystemError.text(errno))") }
        processID = started
        channel = FrameChannel(descriptor: own)
    }

    /// Ends it at once.
    func kill() { _ = Glibc.kill(processID, SIGKILL) }

    /// Continues it if it has stopped; false when it has not, or is over.
    func goOnIfStopped() -> Bool {
        var found = unsafe siginfo_t()
        guard unsafe waitid(P_PID, id_t(processID), &found, WSTOPPED | WNOHANG | WNOWAIT) == 0,
            unsafe found.si_signo == SIGCHLD
        else { return false }
        return Glibc.kill(processID, SIGCONT) == 0
    }

    /// Lets go of it, waits for its end, and says how it came to that.
    ///
    /// A process that stops on its way there is continued: it may have seen this one stopped.
    func end() -> String {
        channel.shutDown()
        var status: Int32 = 0
        while true {
            let waited = unsafe waitpid(processID, &status, WUNTRACED)
            guard waited > 0 else {
                guard errno == EINTR else { return "its process is gone" }
                continue
            }
            guard status & 0xFF == 0x7F else { break }
            _ = Glibc.kill(processID, SIGCONT)
        }
        let signal = status & 0x7F
        guard signal != 0 else { return "its process ended with code \(status >> 8 & 0xFF)" }
        let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
        return "its process was ended by signal \(signal) (\(name))"
    }
}
