package import Tally
internal import TextEncoding

/// Deletes what there is of a run: its archive so far, and what reporters keep.
package enum RunErasure {
    /// The command of a reporter that deletes what it keeps of a run.
    private static let command = "erase"

    /// Erases the run's archive, and asks each reporter that has a command `erase` to do the same.
    ///
    /// What has been delivered already cannot be called back.
    package static func reply(run: PlayerRun) -> ControlReply {
        do throws(ControlError) {
            try run.eraseArchive()
        } catch {
            return .failure(.refused, error.description)
        }
        var reporters = JSONObject()
        for plugin in run.plugins() where plugin.kind == .reporter && plugin.commands.contains(where: isErasing) {
            do throws(ControlError) {
                reporters[plugin.name] = try run.command(plugin: plugin.name, command, ["run": .string(run.id)])
            } catch {
                return .failure(.refused, "the archive was erased, but \(plugin.name) refuses: \(error.description)")
            }
        }
        return .success(["run": .string(run.id), "reporters": .object(reporters)])
    }

    private static func isErasing(_ offered: PluginCommand) -> Bool {
        offered.name == command
    }
}
