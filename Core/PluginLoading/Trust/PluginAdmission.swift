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

    /// Gives a file's library, or says why not.
    ///
    /// With a probe nothing is loaded: what the library has comes from there, and its code is loaded in this process
    /// when the first instance is made.
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
            if let quarantine, let entry = quarantine.entry(of: candidate) {
                throw quarantine.error(on: path, entry)
            }
            if let loaded, let library = loaded(candidate.sha256) {
                let again = library.path == path ? library : LoadedLibrary(library, path: path)
                candidate.discard()
                return again
            }
            if let probe { return LoadedLibrary(candidate, described: try probe.describe(candidate)) }
        } catch {
            candidate.discard()
            throw error
        }
        // Untried, its first lines run here.
        return try LoadedLibrary(candidate)
    }
}
