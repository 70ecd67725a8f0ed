import Coordinator
import Tally
import TallyTesting

/// The plugins in C that only tests load.
enum Fixture {
    /// Loads a fixture's file anew; gives why that cannot be done.
    static func loadError(_ path: String) -> PluginError? {
        do throws(PluginError) {
            _ = try PluginLibrary(path: path)
            return nil
        } catch {
            return error
        }
    }

    /// Makes a run with one tracker of a fixture; gives why that cannot be done.
    static func runError(_ fixture: String, id: String) throws -> PluginError? {
        let catalog = PluginCatalog()
        do throws(PluginError) {
            try catalog.add(PluginLibrary(path: PluginFiles.fixture(fixture)))
            let setup = TrackerSetup(
                name: "mine", entry: try catalog.find(id), configuration: "{}", enabled: true)
            _ = try Coordinator(
                run: RunDescription(id: "run", epoch: 0), trackers: [setup], consumers: [], recorder: nil, log: .silent)
            return nil
        } catch {
            return error
        }
    }
}
