package import Tally
package import TextEncoding

// Which plugins a start depends on.
extension HostSetup {
    /// Whether nothing starts when an instance's plugin is missing or cannot be used.
    ///
    /// Unless the configuration says it: of a player, reporters are, and trackers are not, since viewers do not watch
    /// for them. Of a replay all are, since what is filled in later with a gap looks complete. A plugin that does not
    /// say what it is counts as a tracker when the player has another reporter, but for one that `--plugins` names and
    /// no file has: that is a misspelt name.
    func isRequired(_ plugin: PluginConfiguration) -> Bool {
        if let required = plugin.required { return required }
        guard section == .player else { return true }
        if let found = catalog.plugin(named: plugin.pluginID) { return found.kind == .reporter }
        let absence = catalog.absence(of: plugin.pluginID)
        if absence?.isUnknownPlugin == true, case .commandLine = place(of: plugin) { return true }
        return !hasReporter
    }
}

// How summaries tell of instances that were left out.
extension PluginStatus {
    /// What its row in a summary says: "left out: quarantined".
    package var absenceText: String { "left out: \(state.rawValue)" }

    /// The same for programs, with the reason.
    package var absenceJSON: JSONValue {
        [
            "name": .string(name), "plugin": .string(plugin), "state": .string(state.rawValue),
            "reason": .string(reason),
        ]
    }
}
