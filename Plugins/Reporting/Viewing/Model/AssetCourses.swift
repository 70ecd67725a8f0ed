internal import EventModel
internal import TextEncoding

/// Where in the content of each asset viewers sought to and from, and where ad breaks lay, by minute.
struct AssetCourses {
    /// How many assets are kept, those that came first.
    private static let assets = 2_000
    /// How many minutes of an asset.
    private static let minutes: Int64 = 1_440

    private struct Minute {
        var seeksIn: Int64 = 0
        var seeksOut: Int64 = 0
        var adBreaks: Int64 = 0
    }

    private var courses: [String: [Int64: Minute]] = [:]

    /// Takes an event of a session that plays the asset.
    mutating func add(_ event: EventView, asset: UTF8Text) {
        switch event.type {
        case .seekStart:
            let from = event.attributes[.seekFromMs]?.int ?? event.state.playheadMilliseconds
            let to = event.attributes[.seekToMs]?.int
            guard from.map({ $0 / 60_000 }) != to.map({ $0 / 60_000 }) else { return }
            count(\.seeksOut, from, asset)
            count(\.seeksIn, to, asset)
        case .adBreakStart: count(\.adBreaks, event.state.playheadMilliseconds ?? 0, asset)
        default: break
        }
    }

    private mutating func count(_ member: WritableKeyPath<Minute, Int64>, _ place: Int64?, _ asset: UTF8Text) {
        guard let place, asset.count > 0, place >= 0, place < Self.minutes * 60_000 else { return }
        let name = asset.string
        guard courses.count < Self.assets || courses[name] != nil else { return }
        courses[name, default: [:]][place / 60_000, default: Minute()][keyPath: member] += 1
    }

    /// Writes rows of minute, seeks into it, seeks out of it and ad breaks, by asset.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (asset, minutes) in courses.sorted(by: { $0.key < $1.key }) {
            writer.key(asset)
            writer.beginArray()
            for (minute, counts) in minutes.sorted(by: { $0.key < $1.key }) {
                writer.beginArray()
                for number in [minute, counts.seeksIn, counts.seeksOut, counts.adBreaks] { writer.int(number) }
                writer.endArray()
            }
            writer.endArray()
        }
        writer.endObject()
    }
}
