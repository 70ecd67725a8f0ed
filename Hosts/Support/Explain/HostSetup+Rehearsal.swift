internal import CLinux
internal import Glibc
internal import Tally

// Explanations say what trackers refuse, which takes their code: it runs in a process of its own.
extension HostSetup {
    /// Learns in another process whether an enabled tracker refuses its configuration for what no schema says.
    ///
    /// - Parameter log: is told what is wrong.
    /// - Returns: how the program ends when something is; nil when all is well.
    /// - Throws: the same, where other threads keep this from being done in a process of its own.
    package func rehearseApart(_ log: LogPrinter) throws(HostError) -> ExitCode? {
        let child = tally_fork_alone()
        // With other threads a forked process could wait for ever.
        guard child >= 0 else {
            try rehearse()
            return nil
        }
        if child == 0 {
            do throws(HostError) {
                try rehearse()
                _exit(ExitCode.success.rawValue)
            } catch {
                _exit(log.report(error).rawValue)
            }
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        guard signal == 0 else {
            log.show(.error, "a tracker crashed with signal \(signal) when its configuration was tried")
            return .pluginFailed
        }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : ExitCode(rawValue: code) ?? .pluginFailed
    }

    /// Learns the same in this process.
    package func rehearse() throws(HostError) {
        do throws(TelemetryError) {
            try Telemetry.rehearse(selections, from: catalog)
        } catch {
            throw located(error)
        }
    }
}
