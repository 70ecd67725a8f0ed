internal import Glibc
package import PluginLoading

extension PluginAdmission {
    /// What plugin files have to pass in the hosts: the probe beside the program tries them, and files in
    /// which a process died are not loaded.
    ///
    /// The quarantine is in `$XDG_STATE_HOME/tally`, otherwise in `~/.local/state/tally`; `TALLY_STATE` names another
    /// folder, and none when it is empty. What the probe said of files is in `$XDG_CACHE_HOME/tally`, otherwise in
    /// `~/.cache/tally`, or where `TALLY_CACHE` says so. `program` is what messages name; `problem` is told when it
    /// cannot be used.
    package static func ofHost(
        _ program: String,
        probe: PluginProbe? = .besideProgram(),
        environment: (String) -> String? = { Terminal.environment($0) },
        problem: (String) -> Void
    ) -> PluginAdmission {
        var admission = trying(probe, environment: environment)
        PluginQuarantine.watchCrashes()
        guard let folder = folder(environment, "TALLY_STATE", "XDG_STATE_HOME", in: ".local/state") else {
            return admission
        }
        makeFolder(PathName.folder(of: folder))
        do throws(PluginQuarantine.Failure) {
            admission.quarantine = try PluginQuarantine(folder: folder, program: program)
        } catch {
            problem("there is no quarantine for plugins that crash: \(error)")
        }
        return admission
    }

    /// The probe alone, which needs no signal handlers.
    package static func trying(
        _ probe: PluginProbe?,
        environment: (String) -> String? = { Terminal.environment($0) }
    ) -> PluginAdmission {
        var admission = PluginAdmission(probe: probe)
        if let program = admission.probe?.program,
            let folder = folder(environment, "TALLY_CACHE", "XDG_CACHE_HOME", in: ".cache")
        {
            makeFolder(PathName.folder(of: folder))
            admission.probe?.probed = ProbedFiles(folder: folder, of: program)
        }
        return admission
    }

    /// The folder that a variable names; otherwise `tally` in that of the other one, or in `usual` in the home.
    private static func folder(
        _ environment: (String) -> String?,
        _ own: String,
        _ general: String,
        in usual: String
    ) -> String? {
        if let named = environment(own) { return named.isEmpty ? nil : named }
        if let folder = environment(general), folder.hasPrefix("/") { return PathName.joined(folder, "tally") }
        guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
        return PathName.joined(home, "\(usual)/tally")
    }

    private static func makeFolder(_ path: String) {
        guard path.count > 1, unsafe access(path, F_OK) != 0 else { return }
        makeFolder(PathName.folder(of: path))
        _ = unsafe mkdir(path, 0o700)
    }
}
