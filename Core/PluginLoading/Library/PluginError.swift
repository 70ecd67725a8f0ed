internal import PluginABI
internal import TextEncoding

/// Why a plugin cannot be used.
package enum PluginError: Error, Equatable {
    /// The file cannot be read; with the system's reason.
    case unreadable(path: String, reason: String)
    /// Somebody else could change the file.
    case untrusted(path: String, reason: String)
    /// The file is not loaded because a process died in it; with what releases it.
    case quarantined(path: String, sha256: String, reason: String, release: String)
    /// The file could not be tried in a process of its own, which says nothing of it.
    case untried(path: String, reason: String)
    /// The file failed in a process of its own.
    case probe(path: String, reason: String)
    /// The file was refused in a process of its own, with the whole sentence.
    case probeRefused(path: String, reason: String)
    /// The list of plugins is fixed.
    case fixed(path: String)
    /// A plugin's thread did not come to a change in time.
    case noAnswer(instance: String)
    /// A newer file lacks a plugin that is in use.
    case lacks(path: String, id: String, instances: [String])
    /// Nothing that a file could replace is loaded.
    case nothingToReplace(path: String, ids: [String])
    /// The file is not a shared library for this machine.
    case notALibrary(path: String, reason: String)
    /// The loader refused the library; with its text.
    case cannotLoad(path: String, reason: String)
    /// The library exports no entry of any ABI version.
    case noEntry(path: String)
    /// The library was built for another major version of the ABI.
    case wrongMajor(path: String, found: Int)
    /// The entry or a descriptor breaks a rule of the ABI.
    case invalid(path: String, reason: String)
    /// The plugin offers no table for what its descriptor says that it is.
    case noTable(path: String, extensionID: String)
    /// The library needs an extension that this host does not offer.
    case missingExtension(path: String, id: String, extensionID: String)
    /// Another library has a plugin with this id.
    case duplicate(id: String, path: String, first: String)
    /// A file is to be loaded beside the one that has its plugin.
    case inUse(id: String, path: String, first: String)
    /// No library that was found has a plugin with this id.
    case unknown(id: String, searched: [String], found: [String])
    /// The plugin refused to make an instance.
    case createRefused(instance: String)
    /// The plugin's init or enable returned an error; with the plugin's text.
    case failed(instance: String, call: String, status: Int32, reason: String)
    /// A call into the plugin did not come back, and was given up.
    case stuck(instance: String, path: String, call: String)
    /// The plugin does not offer what was asked of it.
    case notOffered(instance: String, extensionID: String)
    /// The plugin has no such command.
    case noCommand(instance: String, command: String, known: [String])
    /// No tracker of the run has this name.
    case noInstance(name: String, known: [String])
    /// A change is too large for the archive's line.
    case unarchivable(instance: String, reason: String)
    /// A recorded plugin is not there for a replay.
    case notRecorded(instance: String, id: String, version: String, sha256: String, found: [String])
    /// Several recorded plugins are not there for a replay: what is said of each.
    case severalNotRecorded([PluginError])
    /// Two configured instances have the same name.
    case duplicateInstance(name: String)
    /// A replay has no player run open in which a tracker could be changed.
    case noOpenRun(instance: String)
    /// The trackers of a replay are those of the recorded run.
    case recordedSet(instance: String)
    /// An instance is to have a process of its own, and the run was begun without such.
    case notFollowed(instance: String)
    /// An instance in a process of its own could not be made there.
    case refusedElsewhere(instance: String, reason: String)
}

extension PluginError {
    /// Whether nothing of that name was found at all.
    package var isUnknownPlugin: Bool { if case .unknown = self { true } else { false } }

    /// The file that cannot be used; nil for a reason that concerns none.
    package var file: String? {
        switch self {
        case .unreadable(let path, _), .untrusted(let path, _), .quarantined(let path, _, _, _), .untried(let path, _),
            .probe(let path, _), .probeRefused(let path, _), .notALibrary(let path, _), .cannotLoad(let path, _),
            .noEntry(let path), .wrongMajor(let path, _), .invalid(let path, _), .noTable(let path, _),
            .missingExtension(let path, _, _), .duplicate(_, let path, _):
            path
        default: nil
        }
    }

    /// Whether the plugin cannot be used at all, whatever it is configured with.
    package var isOfPlugin: Bool {
        switch self {
        case .unreadable, .notALibrary, .cannotLoad, .noEntry, .wrongMajor, .invalid, .noTable, .missingExtension,
            .createRefused:
            true
        default: false
        }
    }

    /// SHA-256 of the file that is in quarantine; nil for any other reason.
    package var quarantined: String? { if case .quarantined(_, let sha256, _, _) = self { sha256 } else { nil } }
}

extension PluginError: CustomStringConvertible {
    /// What happened and what to do; begins with the name of the instance that it concerns.
    package var description: String { instance.map { "\($0): \(reason)" } ?? reason }

    /// The instance that it concerns, nil when it concerns none, several, or a file.
    package var instance: String? {
        switch self {
        case .noAnswer(let instance), .createRefused(let instance), .failed(let instance, _, _, _),
            .stuck(let instance, _, _), .notOffered(let instance, _), .noCommand(let instance, _, _),
            .unarchivable(let instance, _), .refusedElsewhere(let instance, _), .notFollowed(let instance),
            .notRecorded(let instance, _, _, _, _), .noOpenRun(let instance), .recordedSet(let instance):
            instance
        default: nil
        }
    }

    /// Whether a call was given up, behind which the plugin must not be called again.
    package var isStuck: Bool {
        if case .stuck = self { true } else { false }
    }

    /// What happened and what to do, for a line that names the instance already.
    package var reason: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot read the plugin file: \(reason)"
        case .untrusted(let path, let reason): "\(path): not loaded, because somebody else could change it: \(reason)"
        case .quarantined(let path, _, let reason, let release): "\(path): in quarantine: \(reason). \(release)"
        case .untried(let path, let reason):
            "\(path): not loaded, because it could not be tried in a process of its own: \(reason)"
        case .probe(let path, let reason):
            "\(path): not loaded, because it failed when it was tried in a process of its own: \(reason). "
                + "The plugin's author has to mend it."
        case .probeRefused(_, let reason): reason
        case .fixed(let path):
            "\(path): not loaded: the list of plugins is fixed (plugins.fixed). Start anew with another list."
        case .noAnswer:
            "no answer in time: a plugin takes too long; try again, or disable it"
        case .lacks(let path, let id, let instances):
            "\(path): does not replace the file before it: it has no \(id), which is in use as "
                + "\(instances.joined(separator: ", "))"
        case .nothingToReplace(let path, let ids):
            "\(path): there is nothing to replace: no loaded file has \(ids.joined(separator: ", ")). Load it instead."
        case .notALibrary(let path, let reason):
            "\(path): not a plugin for this machine: \(reason). Build it as a shared library for this system."
        case .cannotLoad(let path, let reason):
            "\(path): the library cannot be loaded: \(reason). Install what it needs, or rebuild it."
        case .noEntry(let path):
            "\(path): not a Tally plugin: it exports no function tally_plugin_entry_v1. See docs/plugin-authors-guide.md."
        case .wrongMajor(let path, let found):
            "\(path): built for plugin ABI \(found), this host offers ABI 1. Use a version of the plugin for ABI 1, "
                + "or a host for ABI \(found)."
        case .invalid(let path, let reason):
            "\(path): breaks the plugin ABI: \(reason). The plugin's author has to mend it."
        case .noTable(let path, let extensionID):
            "\(path): breaks the plugin ABI: it offers no \(extensionID). The plugin's author has to mend it."
        case .missingExtension(let path, let id, let extensionID):
            "\(path): \(id) needs the host extension \(extensionID), which this host does not offer. "
                + "Use a newer host, or an older version of the plugin."
        case .duplicate(let id, let path, let first):
            "\(path): \(id) is loaded already from \(first). Remove one of the two files."
        case .inUse(let id, let path, let first):
            "\(path): \(id) is loaded already from \(first). To put this file into its place, say plugin replace."
        case .unknown(let id, let searched, let found):
            "no plugin \(id) in \(Self.places(searched)); " + Self.proposal(for: id, among: found)
        case .createRefused: "the plugin refused to make an instance. Its author has to mend it."
        // The sentence on a configuration, a file or a device says which and what to do.
        case .failed(_, _, TALLY_ERR_CONFIG, let reason) where !reason.isEmpty: reason
        case .failed(_, _, TALLY_ERR_IO, let reason) where !reason.isEmpty: reason
        case .failed(_, let call, let status, let reason):
            "\(call) failed with \(status): \(reason.isEmpty ? "the plugin gave no reason" : reason)"
        case .stuck(_, let path, let call):
            "\(path): \(call) did not come back. It was left there, and everything else goes on without the plugin, whose "
                + "author has to mend it."
        case .notOffered(_, let extensionID):
            "the plugin does not offer \(extensionID): it cannot do this while it runs"
        case .noCommand(_, let command, let known):
            "the plugin has no command \(command)"
                + (known.isEmpty ? "" : "; it has \(known.joined(separator: ", "))")
        case .noInstance(let name, let known):
            "no tracker of the run is named \(name); there "
                + (known.isEmpty ? "are none" : "is \(known.joined(separator: ", "))")
        case .unarchivable(_, let reason):
            "the change cannot be archived, so it is not made: \(reason)"
        case .notRecorded(_, let id, let version, let sha256, let found):
            "the run was recorded with \(id) \(version)"
                + (sha256.isEmpty ? "" : " (SHA-256 \(sha256.prefix(12)))")
                + ", which is not here; \(found.isEmpty ? "no version of it was found" : "found: \(found.joined(separator: ", "))")"
                + ". Add the folder that has it with --plugin-dir, or name what to use with --substitute."
        case .severalNotRecorded(let errors): errors.map(\.description).joined(separator: " ")
        case .refusedElsewhere(_, let reason): reason
        case .notFollowed:
            "it is to have a process of its own, and this run was begun without such trackers: "
                + "give it the isolation none, or begin the player with --isolate"
        case .duplicateInstance(let name):
            "two plugins are configured under the name \(name): give one of them another name"
        case .noOpenRun:
            "no player run is open at this place of the replay, so the tracker cannot be tried; "
                + "pause in a run, then try again"
        case .recordedSet:
            "with --as-recorded the trackers are those of the recorded run, and change as they did in it; "
                + "replay without it to change them"
        }
    }

    /// The folder that counts first, and how many there are besides: all of them would fill a screen.
    private static func places(_ searched: [String]) -> String {
        guard let first = searched.first else { return "no folder at all" }
        switch searched.count - 1 {
        case 0: return first
        case 1: return "\(first) and 1 more folder"
        case let more: return "\(first) and \(more) more folders"
        }
    }

    /// The plugin that a name may have meant, or some of those that there are.
    private static func proposal(for id: String, among found: [String]) -> String {
        let name = id.split(separator: ".").last.map(String.init) ?? id
        if let nearest = NearestName.among(found, to: name) { return "did you mean \(nearest)?" }
        let named = found.prefix(mostNamed).joined(separator: ", ")
        let more = found.count > mostNamed ? " and \(found.count - mostNamed) more" : ""
        let all = found.isEmpty ? "none" : named + more
        return "found: \(all). Name its folder with --plugin-dir; --list-plugins shows all."
    }

    private static let mostNamed = 3
}
