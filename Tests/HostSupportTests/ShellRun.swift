import ChildPrograms
import Glibc

/// Runs a script in a real shell.
enum ShellRun {
    /// Whether the program is on the `PATH`.
    static func has(_ program: String) -> Bool {
        (unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "").split(separator: ":").contains { folder in
            unsafe access("\(folder)/\(program)", X_OK) == 0
        }
    }

    /// What the script, as a file in a folder of its own, writes to both outputs; a failure is told in the last line.
    static func output(of script: String, in shell: String) async -> String {
        let folder = TemporaryFolder()
        let file = folder.write("script", script)
        return await output("cd '\(folder.path)' && \(shell) '\(file)' 2>&1 || echo failed")
    }

    /// What the command writes to its standard output.
    static func output(_ command: String) async -> String {
        (try? await ChildProgram.run("/bin/sh", ["-c", command]).output) ?? "sh failed"
    }
}
