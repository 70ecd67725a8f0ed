internal import CLinux

/// What a plugin's file has to pass before its code runs in this process.
public struct PluginAdmission: Sendable {
    /// Which files are loaded.
    public var trust: PluginTrust
    /// The files that are not loaded because a process died in them; nil knows of none.
    public var quarantine: PluginQuarantine?
    /// Tries a file in a process of its own first; nil loads it untried, and what its first lines of code do wrong
    /// happens in this process.
    public var probe: PluginProbe?
    /// Called when a file has been opened and copied, before it is looked at any further.
    package var afterOpening: (@Sendable (_ path: String) -> Void)?

    /// Loads files that nobody else can change, untried.
    public init(trust: PluginTrust = .owned, quarantine: PluginQuarantine? = nil, probe: PluginProbe? = nil) {
        self.trust = trust
        self.quarantine = quarantine
        self.probe = probe
    }

    /// Loads a file's library, or says why not.
    ///
    /// `loaded` gives the library with a hash that is loaded already: its image then serves for this file too, since
    /// one that was loaded is never given back.
    package func load(
        _ path: String,
        within directory: String? = nil,
        loaded: ((_ sha256: String) -> LoadedLibrary?)? = nil
    ) throws(PluginError) -> LoadedLibrary {
        let candidate = try PluginCandidate(path: path, trust: trust, within: directory)
        do throws(PluginError) {
            afterOpening?(path)
            if let entry = quarantine?.entry(of: candidate) {
                throw .quarantined(path: path, sha256: entry.sha256, reason: entry.reason)
            }
            if let loaded, let library = loaded(candidate.sha256) {
                let again = library.path == path ? library : try LoadedLibrary(library, path: path)
                candidate.discard()
                return again
            }
            try probe?.check(candidate)
        } catch {
            candidate.discard()
            throw error
        }
        // Untried, its first lines run here: should they end this process, the next one knows.
        let line =
            unsafe probe == nil
            ? CrashLine.make(sha256: quarantine.map { _ in candidate.sha256 } ?? "", plugin: "?") : nil
        let before = unsafe tally_enter_plugin(line)
        defer { unsafe tally_leave_plugin(before) }
        return try LoadedLibrary(candidate)
    }
}
