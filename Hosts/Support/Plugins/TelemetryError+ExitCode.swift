package import Tally

extension TelemetryError {
    /// How a host ends that cannot go on because of it.
    package var exitCode: ExitCode {
        switch kind {
        case .plugin: .pluginFailed
        case .configuration: .badConfiguration
        case .archiveOutput, .reporterOutput: .cannotCreate
        case .archiveInput: .noInput
        case .newerArchive: .newerVersion
        }
    }
}
