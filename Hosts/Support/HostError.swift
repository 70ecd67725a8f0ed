package import Tally

/// What ends a host before or while it does its work.
package enum HostError: Error, Sendable {
    /// The configuration is wrong, in one or more places.
    case configuration([ConfigurationError])
    /// A folder that was named for plugins cannot be searched.
    case pluginDirectory(PluginDirectory, reason: String, at: ConfigurationPlace)
    /// A plugin's own schema is broken.
    case badSchema(plugin: String, path: String, ConfigSchemaCheck.SchemaError)
    /// Telemetry cannot be set up, or stopped working; with the place of the configuration that matters, if any does.
    case telemetry(TelemetryError, at: ConfigurationPlace?)
    /// An output cannot be created.
    case cannotCreate(path: String, reason: String)
    /// An output would be written over what the program reads; `what` says what that is.
    case isRead(path: String, what: String)
    /// An archive would take the place of a file that is no archive.
    case isNoArchive(path: String)
    /// The control socket cannot be made.
    case controlSocket(ControlSocketFile.Failure)
    /// A checkpoint cannot be gone on from; the text says what and what to do.
    case checkpoint(String)
    /// An output cannot be written.
    case output(StandardStream.Failure)
    /// Something else that a program cannot work with: why, and what to do.
    case unusable(String, ExitCode = .badConfiguration)

    /// Does something with the configuration.
    static func configuring<Result>(_ body: () throws(ConfigurationError) -> Result) throws(HostError) -> Result {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw .configuration([error])
        }
    }

    /// Does something that writes an output.
    package static func writing(_ body: () throws(StandardStream.Failure) -> Void) throws(HostError) {
        do throws(StandardStream.Failure) {
            try body()
        } catch {
            throw .output(error)
        }
    }

    /// How the program ends then.
    package var exitCode: ExitCode {
        switch self {
        case .configuration(let errors): errors.first?.exitCode ?? .badConfiguration
        case .pluginDirectory(let directory, _, _): directory.origin == .option ? .noInput : .badConfiguration
        case .badSchema: .pluginFailed
        case .telemetry(let error, _): error.exitCode
        case .cannotCreate, .isRead, .isNoArchive: .cannotCreate
        case .checkpoint: .usage
        case .controlSocket(let failure): failure.exitCode
        case .output(let failure): failure.exitCode
        case .unusable(_, let code): code
        }
    }

    /// What, where and what to do, one line for each problem; without the passwords of addresses.
    package var messages: [String] { problems.map { HiddenPassword.hidden(words: $0) } }

    private var problems: [String] {
        switch self {
        case .configuration(let errors): errors.map(\.message)
        case .pluginDirectory(let directory, let reason, let place):
            ["\(place): cannot look for plugins in \(directory.path): \(reason)"]
        case .badSchema(let plugin, let path, let error):
            ["\(path): \(plugin): \(error.message). The plugin's author has to mend it."]
        case .telemetry(let error, let place): [place.map { "\($0): \(error.located)" } ?? error.description]
        case .cannotCreate(let path, let reason):
            ["cannot create \(path): \(reason); create its folder, make it writable, or name another file"]
        case .isRead(let path, let what): ["cannot create \(path): it is \(what); name another file"]
        case .isNoArchive(let path): ["cannot create \(path): it is there already and is no archive; name another file"]
        case .controlSocket(let failure): [failure.message]
        case .checkpoint(let message): [message]
        case .output(let failure): [failure.message]
        case .unusable(let message, _): [message]
        }
    }
}

extension TelemetryError {
    /// The text behind a place of the configuration, which has the instance by its key, as other messages do.
    fileprivate var located: String {
        guard let instance else { return reason }
        return "plugins.\(instance)\(kind == .configuration ? ".config" : ""): \(reason)"
    }

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
