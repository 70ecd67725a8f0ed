import EventModel
import Tally
import TallyTesting

/// Runs on a virtual clock with outputs in memory, as the tests of the track API need them.
enum QuickRun {
    static let witness = PluginSelection(
        "org.tally.fixture.witness",
        name: "witness",
        configuration: ["timers": 0, "seed": 1]
    )
    static let sources: [PluginSource] = [
        .file(PluginFiles.fixture("witness")), .file(PluginFiles.fixture("errors-without-end")),
    ]

    static func virtual(_ plugins: [PluginSelection] = [witness]) -> VirtualRun {
        VirtualRun(plugins: plugins, sources: sources)
    }
}

extension OutputTranscript {
    /// What the witness heard: the names of the events, in order.
    var heard: [String] {
        lines.compactMap { line in
            guard line.kind == "event", case .string(let name) = line.attributes["type_name"] else { return nil }
            return name
        }
    }

    /// What the witness said of the first event with a name.
    func witnessed(_ name: String) -> Line? {
        lines.first { $0.kind == "event" && $0.attributes["type_name"] == .string(name) }
    }
}
