internal import Tally
internal import TallyTesting

/// Generates player actions, legal and illegal, on a virtual clock; the replay has to equal the live run.
package struct DeterminismCampaign: Campaign {
    private let binaries: String

    /// Uses the plugins in `binaries`.
    package init(binaries: String) {
        self.binaries = binaries
    }

    package func round(seed: UInt64) async -> String? {
        let plugins = [
            PluginSelection(
                "org.tally.fixture.witness",
                name: "witness",
                configuration: ["timers": 6, "seed": .int(Int64(seed % 1_000)), "span_us": 3_000_000]
            ),
            PluginSelection("com.newrelic.video", name: "newrelic", configuration: ["heartbeatSeconds": 1]),
            PluginSelection(
                "com.nielsen.dcr",
                name: "nielsen",
                configuration: ["appid": "P10DF14BA-937E-436D-99DF-ED39A0422387", "segmentSeconds": 2]
            ),
            PluginSelection("org.tally.example.c", name: "c"),
            PluginSelection("org.tally.example.swift", name: "swift"),
        ]
        let sources: [PluginSource] = [
            .file("\(binaries)/libwitness.fixture.so"), .file("\(binaries)/libnew-relic-video.tallyplugin.so"),
            .file("\(binaries)/libnielsen-dcr.tallyplugin.so"), .file("\(binaries)/libexample-c.tallyplugin.so"),
            .file("\(binaries)/libexample-swift.tallyplugin.so"),
        ]
        let sequence = ActionSequence(
            seed: seed,
            count: 300,
            legal: seed % 3 == 0 ? 40 : 90,
            longestWait: 4_000_000,
            switching: ["newrelic", "c"]
        )
        do {
            let run = try VirtualRun(plugins: plugins, sources: sources).record(sequence, seed: seed)
            return OutputTranscript.difference(run.live, try run.replay(through: plugins, from: sources))
        } catch {
            return "\(error)"
        }
    }
}
