internal import Isolation
package import System
internal import Tally

// Reporters that are to have processes of their own, and what these may use.
extension HostSetup {
    /// What the process of a reporter may use; nil for an instance that has none.
    package func allowance(of plugin: PluginConfiguration) -> ProcessAllowance? {
        guard plugin.isolation == .process, let found = catalog.plugin(named: plugin.pluginID), found.kind == .reporter
        else { return nil }
        let memory = configuration[HostSettings.trackerMemory] << 20
        return ProcessAllowance(found.machineUse, configuration: plugin.config, memoryBytes: memory)
    }

    /// Makes sure that no such process may write what the player keeps.
    ///
    /// - Parameter kept: files, each with what it is.
    /// - Throws: ``HostError/configuration(_:)`` with those that may.
    package func checkIsolation(from kept: [(path: String, what: String)]) throws(HostError) {
        var wrong: [ConfigurationError] = []
        for plugin in configuration.plugins where plugin.enabled {
            for folder in allowance(of: plugin)?.writable ?? [] {
                for file in kept
                where (PathName.resolvedFolder(file.path) + "/").hasPrefix(folder == "/" ? folder : folder + "/") {
                    let problem = "its process may write in all of \(folder), where \(file.what) '\(file.path)' is: "
                    wrong.append(unusableIsolation(of: plugin, problem + "put one of them into a folder of its own"))
                }
            }
        }
        guard wrong.isEmpty else { throw .configuration(wrong) }
    }

    /// An isolation that cannot be, and why.
    func unusableIsolation(of plugin: PluginConfiguration, _ problem: String) -> ConfigurationError {
        let key = "plugins.\(plugin.name).isolation"
        return .unusable(configuration.places.place(of: key), key: key, problem: problem)
    }
}
