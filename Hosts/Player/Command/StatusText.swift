internal import HostSupport
internal import PlaybackEngine

/// What the status line says.
enum StatusText {
    static func text(_ snapshot: PlayerSnapshot, _ figures: PlaybackFigures, outputs: UInt64) -> String {
        var parts = [snapshot.name]
        if let playheadMs = snapshot.playheadMs {
            let length = snapshot.durationMs.map { "/" + ReadableTime.text(milliseconds: $0) } ?? ""
            parts.append(ReadableTime.text(milliseconds: playheadMs) + length)
        }
        parts.append(figures.activity.rawValue)
        if let rendition = snapshot.rendition, snapshot.media?.hasVideo == true {
            parts.append(rendition.shortText)
        }
        if let bufferedMs = snapshot.bufferedMs {
            parts.append("\(bufferedMs / 1000).\(bufferedMs / 100 % 10) s buffered")
        }
        parts.append("\(ReadableNumber.grouped(figures.events)) events")
        parts.append("\(ReadableNumber.grouped(outputs)) outputs")
        return parts.joined(separator: "  ")
    }
}
