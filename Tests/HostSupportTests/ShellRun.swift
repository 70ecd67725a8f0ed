import Glibc

/// Runs a script in a real shell.
enum ShellRun {
    /// Whether the program is on the `PATH`.
    static func has(_ program: String) -> Bool {
        output("command -v \(program)") != ""
    }

    /// What the script, as a file in a folder of its own, writes to both outputs; a failure is told in the last line.
    static func output(of script: String, in shell: String) -> String {
        let folder = TemporaryFolder()
        let file = folder.write("script", script)
        return output("cd '\(folder.path)' && \(shell) '\(file)' 2>&1 || echo failed")
    }

    /// What the command writes to its standard output.
    static func output(_ command: String) -> String {
        guard let stream = unsafe popen(command, "r") else { return "popen failed" }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(stream)
            if byte == EOF { break }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        unsafe pclose(stream)
        return String(decoding: bytes, as: UTF8.self)
    }
}
