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
    private var unsaved: Set<Place> = []
    private let stores: Bool

    private struct Place: Hashable {
        let asset: String
        let minute: Int64
    }

    /// Nothing is known yet; with `stores` it is kept in mind what is new, until it is handed out to be stored.
    init(stores: Bool) { self.stores = stores }

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
        if stores { unsaved.insert(Place(asset: name, minute: place / 60_000)) }
    }

    /// The minutes that have changed since this was asked last.
    mutating func removeUnsaved() -> [StoredCourse] {
        defer { unsaved = [] }
        return unsaved.compactMap { place in
            courses[place.asset]?[place.minute].map { counts in
                let numbers = [counts.seeksIn, counts.seeksOut, counts.adBreaks]
                return StoredCourse(asset: place.asset, minute: place.minute, numbers: numbers)
            }
        }
    }

    /// Takes over minutes that were stored; what is missing is 0.
    mutating func restore(_ stored: [StoredCourse]) {
        for row in stored where courses.count < Self.assets || courses[row.asset] != nil {
            guard (0..<Self.minutes).contains(row.minute) else { continue }
            let numbers = row.numbers.map { max(0, $0) } + [0, 0, 0]
            let counts = Minute(seeksIn: numbers[0], seeksOut: numbers[1], adBreaks: numbers[2])
            courses[row.asset, default: [:]][row.minute] = counts
        }
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

/// A minute of an asset's content as it is stored.
package struct StoredCourse: Sendable {
    /// The asset.
    package let asset: String
    /// Minutes since the begin of the content.
    package let minute: Int64
    /// Seeks into it, seeks out of it, and ad breaks.
    package let numbers: [Int64]

    /// A row that was read.
    package init(asset: String, minute: Int64, numbers: [Int64]) {
        self.asset = asset
        self.minute = minute
        self.numbers = numbers
    }
}
