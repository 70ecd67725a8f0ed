internal import HostSupport
internal import Tally
internal import TextEncoding

/// Shows how playback goes: on a terminal as a line that is written over, otherwise as lines of JSON.
struct StatusDisplay {
    private static let countsIntervalNs: Int64 = 500_000_000
    private static let patienceMs: Int64 = 50
    private static let lineIntervalNs: Int64 = 1_000_000_000

    private let materials: PlayerMaterials
    /// What the plugins did when they were last asked.
    private var plugins: [PluginCount] = []
    private var nextCountsNs: Int64 = 0
    private var nextLineNs: Int64 = 0
    private var lastActivity: PlaybackFigures.Activity?

    init(_ materials: PlayerMaterials) {
        self.materials = materials
    }

    /// Shows what is known now.
    mutating func show(_ played: PlayedRun) {
        let nowNs = Clock.bootNs()
        askPlugins(played, nowNs)
        let (snapshot, figures) = (played.snapshot.with { $0 }, played.figures.with { $0 })
        if materials.hasStatus {
            materials.status.show(StatusText.text(snapshot, figures, plugins: plugins))
        } else if nowNs >= nextLineNs || figures.activity != lastActivity {
            nextLineNs = nowNs + Self.lineIntervalNs
            lastActivity = figures.activity
            let line = StatusText.json(snapshot, figures, plugins: plugins).canonicalText
            materials.status.write(above: line + "\n")
        }
    }

    /// Shows in a last line of JSON how playback ended; a terminal's line is about to go.
    mutating func end(_ played: PlayedRun) {
        if !materials.hasStatus { show(played) }
    }

    /// Asks what the plugins did so far; what a plugin that holds the run up does not let them say is left as it was.
    private mutating func askPlugins(_ played: PlayedRun, _ nowNs: Int64) {
        guard nowNs >= nextCountsNs, let counts = played.pluginCounts(limitMs: Self.patienceMs) else { return }
        nextCountsNs = nowNs + Self.countsIntervalNs
        plugins = counts
    }
}
