internal import HostSupport
internal import PlaybackEngine
internal import TextEncoding

/// What the status says.
enum StatusText {
    /// One line for people.
    static func text(_ snapshot: PlayerSnapshot, _ figures: PlaybackFigures, plugins: [PluginCount]) -> String {
        var parts = [snapshot.name]
        if let playheadMs = snapshot.playheadMs {
            let length = snapshot.durationMs.map { "/" + ReadableTime.text(milliseconds: $0) } ?? ""
            parts.append(ReadableTime.text(milliseconds: playheadMs) + length)
        }
        parts.append(figures.activity.rawValue)
        if snapshot.rate != 1 { parts.append("\(snapshot.rate)x") }
        if snapshot.isMuted { parts.append("muted") }
        if let rendition = snapshot.rendition, snapshot.media?.hasVideo == true {
            parts.append(rendition.shortText)
        }
        if let bufferedMs = snapshot.bufferedMs {
            parts.append("\(bufferedMs / 1000).\(bufferedMs / 100 % 10) s buffered")
        }
        parts.append("\(ReadableNumber.grouped(figures.events)) events")
        for plugin in plugins {
            parts.append("\(plugin.name) \(plugin.isEnabled ? ReadableNumber.grouped(plugin.count) : "off")")
        }
        return parts.joined(separator: "  ")
    }

    /// The same for programs.
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
