internal import Glibc
package import PluginLoading

extension PluginAdmission {
    /// What plugin files have to pass in the hosts: the probe beside the program tries them, and files in
    /// which a process died are not loaded.
    ///
    /// The quarantine is in `$XDG_STATE_HOME/tally`, otherwise in `~/.local/state/tally`; `TALLY_STATE` names another
    /// folder, and none when it is empty. `program` is what messages name; `problem` is told when it cannot be used.
    package static func ofHost(
        _ program: String,
        environment: (String) -> String? = { Terminal.environment($0) },
        problem: (String) -> Void
    ) -> PluginAdmission {
        var admission = PluginAdmission(probe: .besideProgram())
        PluginQuarantine.watchCrashes()
        guard let folder = stateFolder(environment) else { return admission }
        makeFolder(PathName.folder(of: folder))
        do throws(PluginQuarantine.Failure) {
            admission.quarantine = try PluginQuarantine(folder: folder, program: program)
        } catch {
            problem("there is no quarantine for plugins that crash: \(error)")
        }
        return admission
    }

    private static func stateFolder(_ environment: (String) -> String?) -> String? {
        if let named = environment("TALLY_STATE") { return named.isEmpty ? nil : named }
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return PathName.joined(state, "tally") }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return PathName.joined(home, ".local/state/tally")
    }

    private static func makeFolder(_ path: String) {
        guard path.count > 1, unsafe access(path, F_OK) != 0 else { return }
        makeFolder(PathName.folder(of: path))
        _ = unsafe mkdir(path, 0o700)
    }
}
