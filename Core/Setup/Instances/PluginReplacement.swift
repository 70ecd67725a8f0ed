internal import Coordinator
internal import PluginLoading

/// A newer file and everything whose place it takes.
struct PluginReplacement {
    /// The newer file's library.
    let library: LoadedLibrary
    /// The library that it takes the place of.
    let old: LoadedLibrary
    /// The trackers that are in use, as they are to be.
    let trackers: [TrackerSetup]
    /// The reporters that are in use, with what they are to be.
    let reporters: [(slot: ReporterSlot, entry: PluginCatalog.Entry)]

    /// Whether the two differ.
    var changesAnything: Bool {
        library.plugins.first?.sha256 != old.plugins.first?.sha256 || library.plugins.first?.sha256 == ""
    }

    /// Finds the library that a newer one takes the place of, and checks that it has all that is in use.
    init(_ library: LoadedLibrary, in catalog: PluginCatalog, _ members: PluginMembers) throws(PluginError) {
        let olds = library.plugins.compactMap { plugin in
            catalog.inUse(plugin.id)?.library
        }
        guard let old = olds.first else { throw .nothingToReplace(path: library.path, ids: library.plugins.map(\.id)) }
        for other in olds where other !== old {
            let id = other.plugins.first?.id ?? ""
            throw .duplicate(id: id, path: library.path, first: other.path)
        }
        var trackers: [TrackerSetup] = []
        for setup in members.setups where setup.entry.library === old {
            let entry = try Self.entry(setup.entry.description.id, of: library, for: setup.name)
            var next = TrackerSetup(
                name: setup.name,
                entry: entry,
                configuration: setup.configuration,
                enabled: setup.enabled
            )
            next.stored = setup.stored
            next.isElsewhere = setup.isElsewhere
            next.isRequired = setup.isRequired
            trackers.append(next)
        }
        var reporters: [(slot: ReporterSlot, entry: PluginCatalog.Entry)] = []
        for slot in members.reporters where slot.entry.library === old {
            reporters.append((slot, try Self.entry(slot.entry.description.id, of: library, for: slot.name)))
        }
        self.library = library
        self.old = old
        self.trackers = trackers
        self.reporters = reporters
    }

    /// Writes the change down for runs that begin later, and what is retired.
    func apply(to members: inout PluginMembers) {
        for setup in trackers {
            guard let place = members.setups.firstIndex(where: { $0.name == setup.name }) else { continue }
            members.setups[place] = setup
        }
        for (slot, entry) in reporters {
            guard let place = members.reporters.firstIndex(where: { $0.name == slot.name }) else { continue }
            members.reporters[place].entry = entry
        }
        let reason = "\(library.path) has taken its place"
        for plugin in old.plugins {
            members.retired.append(PluginStatus(name: plugin.shortName, plugin, state: .retired, reason: reason))
        }
    }

    private static func entry(
        _ id: String,
        of library: LoadedLibrary,
        for instance: String
    ) throws(PluginError) -> PluginCatalog.Entry {
        guard let plugin = library.plugins.first(where: { $0.id == id }) else {
            throw .lacks(path: library.path, id: id, instances: [instance])
        }
        return PluginCatalog.Entry(description: plugin, library: library)
    }
}
