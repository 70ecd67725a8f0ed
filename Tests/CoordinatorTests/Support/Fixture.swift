import PluginABI
import Tally
import TallyTesting

/// The plugins in C that only tests load.
enum Fixture {
    /// A catalog with fixtures, each loaded anew.
    static func catalog(_ names: String...) throws(PluginError) -> PluginCatalog {
        let catalog = PluginCatalog()
        for name in names {
            try catalog.add(LoadedLibrary(path: PluginFiles.fixture(name)))
        }
        return catalog
    }

    /// A catalog with the plugins that are linked into this program.
    static func catalog(entry: UnsafePointer<tally_entry>) throws(PluginError) -> PluginCatalog {
        let catalog = PluginCatalog()
        unsafe try catalog.add(LoadedLibrary(entry: entry, path: "linked", sha256: ""))
        return catalog
    }

    /// Loads a fixture's file anew; gives why that cannot be done.
    static func loadError(_ path: String) -> PluginError? {
        do throws(PluginError) {
            _ = try LoadedLibrary(path: path)
            return nil
        } catch {
            return error
        }
    }

    /// Makes a run with one tracker of a fixture; gives why that cannot be done.
    static func runError(_ fixture: String, id: String) throws -> PluginError? {
        do throws(PluginError) {
            let catalog = try catalog(fixture)
            let setup = TrackerSetup(
                name: "mine",
                entry: try catalog.find(id),
                configuration: "{}",
                enabled: true
            )
            _ = try Coordinator(
                run: RunDescription(id: "run", epoch: 0),
                trackers: [setup],
                consumers: [],
                recorder: nil,
                log: .silent
            )
            return nil
        } catch {
            return error
        }
    }
}
