internal import CPluginTool
internal import Glibc
internal import System

/// What the loader says of a file, of a process of its own: there a constructor that crashes or hangs does no harm, for
/// checks that look at something else.
enum LoadTrial {
    /// How long the loader and the constructors may take, ms.
    private static let limit = 1_000

    /// Why the loader refuses the file; nil when it does not, or does not come back.
    static func refusal(of subject: Subject) -> String? {
        let reason = unsafe tally_tool_memory_file("reason")
        defer { close(reason) }
        let child = tally_tool_fork()
        if child == 0 {
            do throws(Finding) {
                _ = try subject.load()
            } catch {
                _ = try? FileDescriptor(reason).writeAll(error.text)
            }
            _exit(0)
        }
        guard child > 0 else { return nil }
        var status: Int32 = 0
        for _ in 0..<limit {
            if unsafe waitpid(child, &status, WNOHANG) != 0 { break }
            usleep(1_000)
        }
        if kill(child, 0) == 0 {
            kill(child, SIGKILL)
            unsafe waitpid(child, &status, 0)
        }
        let text = SecondProcess.text(reason)
        return text.isEmpty ? nil : text
    }
}
