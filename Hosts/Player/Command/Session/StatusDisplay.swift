internal import HostSupport
internal import PlaybackEngine
internal import Streaming
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

    mutating func show(_ played: PlayedRun) {
        let nowNs = materials.nowNs
        askPlugins(played, nowNs)
        let (snapshot, figures) = (played.snapshot.with { $0 }, played.figures.with { $0 })
        if materials.hasStatus {
            materials.status.show(StatusText.text(snapshot, figures, plugins: plugins))
        } else if nowNs >= nextLineNs || figures.activity != lastActivity {
            nextLineNs = nowNs + Self.lineIntervalNs
            lastActivity = figures.activity
            let line = PrintableText.json(StatusText.json(snapshot, figures, plugins: plugins))
            materials.status.write(above: line + "\n")
        }
    }

    /// Shows in a last line of JSON how playback ended; a terminal's line is about to go.
    mutating func end(_ played: PlayedRun) { if !materials.hasStatus { show(played) } }

    /// Asks what the plugins did so far; what a plugin that holds the run up does not let them say is left as it was.
    private mutating func askPlugins(_ played: PlayedRun, _ nowNs: Int64) {
        guard nowNs >= nextCountsNs, let counts = played.pluginCounts(limitMs: Self.patienceMs) else { return }
        nextCountsNs = nowNs + Self.countsIntervalNs
        plugins = counts
    }
}

enum StatusText {
    static func text(_ snapshot: PlayerSnapshot, _ figures: PlaybackFigures, plugins: [PluginCount]) -> String {
        var parts = [snapshot.name]
        if let playheadMs = snapshot.playheadMs {
            let length = snapshot.durationMs.map { "/" + ReadableTime.text(milliseconds: $0) } ?? ""
            parts.append(ReadableTime.text(milliseconds: playheadMs) + length)
        }
        parts.append(figures.activity.rawValue)
        if snapshot.rate != 1 { parts.append("\(snapshot.rate)x") }
        if snapshot.isMuted { parts.append("muted") }
        if let rendition = snapshot.rendition, snapshot.media?.hasVideo == true { parts.append(rendition.shortText) }
        if let bufferedMs = snapshot.bufferedMs {
            parts.append("\(bufferedMs / 1000).\(bufferedMs / 100 % 10) s buffered")
        }
        parts.append(ReadableNumber.counted(figures.events, "event"))
        for plugin in plugins {
            parts.append("\(plugin.name) \(plugin.isEnabled ? ReadableNumber.grouped(plugin.count) : "off")")
        }
        return parts.joined(separator: "  ")
    }

    static func json(_ snapshot: PlayerSnapshot, _ figures: PlaybackFigures, plugins: [PluginCount]) -> JSONValue {
        func optional(_ number: Int64?) -> JSONValue { number.map { .int($0) } ?? .null }
        let rendition = snapshot.rendition
        return [
            "status": [
                "name": .string(snapshot.name), "source": .string(snapshot.source),
                "activity": .string(figures.activity.rawValue), "playhead_ms": optional(snapshot.playheadMs),
                "duration_ms": optional(snapshot.durationMs), "rate": .double(snapshot.rate),
                "muted": .bool(snapshot.isMuted), "volume": .double(snapshot.volume),
                "width": optional(rendition?.width.map(Int64.init)),
                "height": optional(rendition?.height.map(Int64.init)), "bitrate": optional(rendition?.bitrate),
                "buffered_ms": optional(snapshot.bufferedMs), "events": .int(Int64(figures.events)),
                "stalls": .int(Int64(figures.stalls)),
                "plugins": .array(
                    plugins.map {
                        [
                            "name": .string($0.name), "enabled": .bool($0.isEnabled),
                            "count": .int(Int64(clamping: $0.count)),
                        ]
                    }
                ),
            ]
        ]
    }
}

/// What a plugin did so far, for the status: a tracker's records and beacons, or the outputs that a reporter took.
struct PluginCount: Sendable, Equatable {
    let name: String
    let count: UInt64
    let isEnabled: Bool
}
