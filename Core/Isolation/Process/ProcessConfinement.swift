internal import CLinux
internal import Glibc
internal import PluginABI
internal import PluginLoading
package import System

/// What a process can no longer do, before it runs anything of a plugin and behind that it has loaded it.
///
/// Each gives what went wrong.
package struct ProcessConfinement {
    let begin: (ProcessAllowance) -> String?
    let finish: (ProcessAllowance) -> String?

    /// Takes what is done before a plugin's first instruction, and when its code is there.
    package init(begin: @escaping (ProcessAllowance) -> String?, finish: @escaping (ProcessAllowance) -> String?) {
        self.begin = begin
        self.finish = finish
    }

    /// Why a plugin is not there.
    struct Failure: Error {
        let reason: String
        let kind: Refusal

        init(_ error: PluginError) { (reason, kind) = (error.reason, Refusal(error)) }

        fileprivate init(unconfined reason: String) { (self.reason, kind) = ("no confinement: \(reason)", .other) }
    }

    /// Gives up what a plugin does not need, and loads its file.
    ///
    /// - Parameters:
    ///   - plugin: the plugin's id.
    ///   - candidate: the copy of its file.
    ///   - allowance: what it needs.
    ///   - parent: the player's process, with which this one ends.
    ///   - progress: called between what may take long.
    /// - Returns: the plugin, whose code is loaded.
    /// - Throws: what went wrong.
    func load(
        _ plugin: String,
        _ candidate: PluginCandidate,
        within allowance: ProcessAllowance,
        parent: Int,
        progress: () -> Void = {}
    ) throws(Failure) -> PluginCatalog.Entry {
        guard tally_drop_privileges(Int32(parent)) == 0 else { throw Failure(unconfined: SystemError.text(errno)) }
        if let failure = begin(allowance) { throw Failure(unconfined: failure) }
        do throws(PluginError) {
            let library = try LoadedLibrary(candidate)
            progress()
            if let failure = finish(allowance) {
                throw .refusedElsewhere(instance: "", reason: "no confinement: \(failure)")
            }
            guard let found = library.plugins.first(where: { $0.id == plugin }) else {
                let reason = "it describes other plugins here than where it was tried"
                throw .invalid(path: candidate.path, reason: reason)
            }
            return PluginCatalog.Entry(description: found, library: library)
        } catch {
            throw Failure(error)
        }
    }
}
