package import TextEncoding

/// A command to a program that runs: the same on the command line, in scripts and over the control socket.
package enum ControlCommand: Equatable, Sendable {
    /// For the player.
    case playback(PlaybackCommand)
    /// For a plugin.
    case plugin(PluginOrder)
    /// Reads the configuration file again and applies the difference.
    case reload
    /// Shows outputs while they pass.
    case tap(TapFilter)
    /// Shows outputs no more.
    case untap
    /// Says what was done so far.
    case stats
    /// Lets the reporters deliver what they have, and waits for it, ms.
    case drain(milliseconds: Int64)
    /// Deletes what was recorded of the run, and what reporters still keep of it.
    case erase
    /// Shows the runs of players elsewhere that are open.
    case runs
    /// Shows one of them, by the name that its player gave it.
    case showRun(String)
    /// Lists the commands.
    case help
}

/// What is asked of plugins.
package enum PluginOrder: Equatable, Sendable {
    /// All plugins with their states.
    case list
    /// All that is known of one.
    case show(String)
    /// What all, or one, did so far.
    case stats(String?)
    /// Enables an instance; a plugin that is loaded and has none gets one.
    case enable(String)
    /// Disables an instance.
    case disable(String)
    /// Loads a file.
    case loadFile(String)
    /// Configures and enables an instance of a loaded plugin.
    case load(String, name: String, configuration: JSONValue)
    /// Puts a newer file into the place of the loaded one.
    case replace(file: String)
    /// Releases a file from the quarantine.
    case release(sha256: String)
    /// Gives a plugin a new configuration.
    case configure(String, JSONValue)
    /// Gives a plugin one of its own commands.
    case command(String, command: String, arguments: JSONValue)

    /// The instance that has to be there for it; nil when none has to.
    package var instance: String? {
        switch self {
        case .enable(let name), .disable(let name), .configure(let name, _), .command(let name, _, _): name
        default: nil
        }
    }
}
