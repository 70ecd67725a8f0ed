internal import XML

/// The segments that a DASH manifest names, as far as their addresses follow from it alone (ISO/IEC 23009-1, 5.3.9).
///
/// Parts of one file (`SegmentBase`) are none: what lies where in it is said by the file.
package struct DASHSegments: Sendable, Equatable {
    /// How many segments of a list or timeline are read; further ones are left out.
    static let segmentLimit = 100_000

    /// The segments of one representation.
    package struct Track: Sendable, Equatable {
        /// The period and the adaptation set, whose representations take each other's place.
        package let set: String
        /// Whether the media are texts.
        package let isText: Bool
        /// The address of what a decoder has to know before; nil when there is nothing, or it is a part of a resource.
        package let initialization: String?
        let names: Names
        let times: Times

        /// How many segments there are; nil when nobody knows.
        package var count: Int64? { names.count ?? times.count }

        /// The address of a segment, by its place from 0 on; nil when there is none, or it is a part of a resource.
        package func address(of index: Int64) -> String? {
            guard index >= 0, count.map({ index < $0 }) ?? true else { return nil }
            return names.address(of: index, times)
        }

        /// The time from the start of a segment to that of another one, in microseconds.
        package func distanceUs(from index: Int64, to other: Int64) -> Int64 {
            times.startUs(of: other) - times.startUs(of: index)
        }

        fileprivate func index(of address: String) -> Int64? {
            guard let index = names.index(of: address, times), count.map({ index < $0 }) ?? true else { return nil }
            return index
        }
    }

    /// How the addresses of segments are made.
    enum Names: Sendable, Equatable {
        /// A number, or the time if that is what stands there, between two texts.
        case template(start: String, end: String, width: Int, first: Int64, isTime: Bool)
        case list([String])

        var count: Int64? { if case .list(let all) = self { Int64(all.count) } else { nil } }

        func address(of index: Int64, _ times: Times) -> String? {
            switch self {
            case .template(let start, let end, let width, let first, let isTime):
                let digits = String(isTime ? times.start(of: index) : first + index)
                return start + String(repeating: "0", count: max(0, width - digits.count)) + digits + end
            case .list(let all): return all[Int(index)]
            }
        }

        func index(of address: String, _ times: Times) -> Int64? {
            switch self {
            case .template(let start, let end, let width, let first, let isTime):
                guard address.hasPrefix(start), address.hasSuffix(end) else { return nil }
                let digits = address.dropFirst(start.count).dropLast(end.count)
                guard digits.count >= width, let number = PlaylistNumber.whole(digits) else { return nil }
                if isTime { return times.index(ofStart: number) }
                return number >= first ? number - first : nil
            case .list(let all): return all.firstIndex(of: address).map { Int64($0) }
            }
        }
    }

    /// When segments begin, in units of a time scale.
    enum Times: Sendable, Equatable {
        case uniform(duration: Int64, scale: Int64, count: Int64?)
        case listed([Int64], scale: Int64)

        var count: Int64? {
            switch self {
            case .uniform(_, _, let count): count
            case .listed(let starts, _): Int64(starts.count)
            }
        }

        func start(of index: Int64) -> Int64 {
            switch self {
            case .uniform(let duration, _, _): index * duration
            case .listed(let starts, _): starts[Int(min(max(0, index), Int64(starts.count) - 1))]
            }
        }

        func startUs(of index: Int64) -> Int64 {
            let scale =
                switch self {
                case .uniform(_, let scale, _), .listed(_, let scale): scale
                }
            return Int64(Double(start(of: index)) * 1_000_000 / Double(scale))
        }

        func index(ofStart time: Int64) -> Int64? {
            switch self {
            case .uniform(let duration, _, _): time % duration == 0 ? time / duration : nil
            case .listed(let starts, _): starts.firstIndex(of: time).map { Int64($0) }
            }
        }
    }

    /// Whether the manifest may change: a live stream.
    package let isDynamic: Bool
    /// What there is, in the order of the manifest.
    package private(set) var tracks: [Track] = []

    /// Reads a manifest, whose references `resolve` puts behind an address; nil when the text is none.
    package init?(
        text: String,
        at address: String,
        resolve: @escaping (_ reference: String, _ base: String) -> String?
    ) {
        guard text.utf8.count <= DASHManifest.byteLimit, let root = try? XMLReading.root(of: Array(text.utf8)),
            root.name == "MPD"
        else { return nil }
        isDynamic = root.attributes["type"] == "dynamic"
        let base = { (element: XMLElement, outer: String) in
            element.text(of: "BaseURL").flatMap { resolve($0, outer) } ?? outer
        }
        let place = base(root, address)
        let periods = root.children("Period")
        for (number, period) in periods.enumerated() {
            let durationUs = Self.duration(of: period, among: periods, in: root)
            for (position, set) in period.children("AdaptationSet").enumerated() {
                for representation in set.children("Representation")
                where tracks.count < DASHManifest.representationLimit {
                    let source = Source(
                        levels: [representation, set, period],
                        base: base(representation, base(set, base(period, place))),
                        durationUs: durationUs,
                        resolve: resolve
                    )
                    if let track = source.track(of: "\(number)/\(position)") { tracks.append(track) }
                }
            }
        }
    }

    /// The segment at an address: its track and its place in that from 0 on.
    package func segment(at address: String) -> (track: Track, index: Int64)? {
        for track in tracks { if let index = track.index(of: address) { return (track, index) } }
        return nil
    }

    private static func duration(of period: XMLElement, among periods: [XMLElement], in root: XMLElement) -> Int64? {
        if let own = period.attributes["duration"].flatMap(durationUs) { return own }
        let startUs = period.attributes["start"].flatMap(durationUs) ?? 0
        let starts = periods.compactMap { $0.attributes["start"].flatMap(durationUs) }
        guard periods.count == 1 || starts.count == periods.count else { return nil }
        let end =
            starts.filter { $0 > startUs }.min() ?? root.attributes["mediaPresentationDuration"].flatMap(durationUs)
        return end.map { $0 - startUs }
    }

    /// A duration such as `PT1M2.5S` in microseconds (XML Schema, `duration`); nil for one with years or months.
    static func durationUs(_ text: String) -> Int64? {
        guard text.utf8.count <= 64, text.hasPrefix("P") else { return nil }
        var totalUs: Int64 = 0
        var number = ""
        var isTime = false
        for character in text.dropFirst() {
            let seconds: Double? =
                switch character {
                case "D": 86_400
                case "H": 3600
                case "M" where isTime: 60
                case "S": 1
                default: nil
                }
            if character == "T" {
                isTime = true
            } else if let seconds {
                guard let value = Double(number), value >= 0, value * seconds < 1e9 else { return nil }
                totalUs += Int64((value * seconds * 1_000_000).rounded())
                number = ""
            } else {
                number.append(character)
            }
        }
        return number.isEmpty ? totalUs : nil
    }
}

/// A representation with all that is said of its segments, from the inside out.
private struct Source {
    /// The representation, its set and its period.
    let levels: [XMLElement]
    let base: String
    let durationUs: Int64?
    let resolve: (_ reference: String, _ base: String) -> String?

    func track(of set: String) -> DASHSegments.Track? {
        let kind = attribute("contentType") ?? attribute("mimeType") ?? ""
        let isText = kind.hasPrefix("text") || kind == "application/ttml+xml"
        if let template = element("SegmentTemplate") {
            guard let times = times(template), let media = template.attributes["media"],
                let names = names(media, template)
            else { return nil }
            let initialization = template.attributes["initialization"].flatMap { filled($0) }.flatMap {
                resolve($0, base)
            }
            return track(set, isText, initialization, names, times)
        }
        if let list = element("SegmentList") {
            // A list of ranges is one of parts of a resource.
            let all = list.children("SegmentURL").prefix(DASHSegments.segmentLimit).compactMap { segment in
                segment.attributes["mediaRange"] == nil
                    ? segment.attributes["media"].flatMap { resolve($0, base) } : nil
            }
            guard !all.isEmpty, let times = times(list) else { return nil }
            let source = list.child("Initialization").flatMap { element in
                element.attributes["range"] == nil ? element.attributes["sourceURL"] : nil
            }
            return track(set, isText, source.flatMap { resolve($0, base) }, .list(all), times)
        }
        // Texts are one file as a rule.
        guard isText, element("SegmentBase") == nil else { return nil }
        return track(set, true, nil, .list([base]), .uniform(duration: 1, scale: 1, count: 1))
    }

    private func track(
        _ set: String,
        _ isText: Bool,
        _ initialization: String?,
        _ names: DASHSegments.Names,
        _ times: DASHSegments.Times
    ) -> DASHSegments.Track {
        DASHSegments.Track(set: set, isText: isText, initialization: initialization, names: names, times: times)
    }

    private func attribute(_ name: String) -> String? { levels.lazy.compactMap { $0.attributes[name] }.first }

    /// An element with the attributes and children that outer levels give it where it has none itself.
    private func element(_ name: String) -> XMLElement? {
        let found = levels.compactMap { $0.child(name) }
        guard var element = found.first else { return nil }
        for outer in found.dropFirst() {
            element.attributes.merge(outer.attributes) { own, _ in own }
            for child in outer.children where element.child(child.name) == nil {
                element.children += outer.children(child.name)
            }
        }
        return element
    }

    private func times(_ element: XMLElement) -> DASHSegments.Times? {
        let scale = element.attributes["timescale"].flatMap { PlaylistNumber.whole($0[...]) } ?? 1
        guard scale > 0 else { return nil }
        if let timeline = element.child("SegmentTimeline") {
            let starts = starts(timeline, scale)
            return starts.isEmpty ? nil : .listed(starts, scale: scale)
        }
        guard let duration = element.attributes["duration"].flatMap({ PlaylistNumber.whole($0[...]) }),
            duration > 0, duration < 1 << 40
        else { return nil }
        let count = durationUs.map { durationUs in
            // A last segment of less than a millisecond is a manifest's rounding.
            let units = Double(max(0, durationUs - 1000)) * Double(scale) / 1_000_000
            return Int64((units / Double(duration)).rounded(.up))
        }
        return .uniform(duration: duration, scale: scale, count: count)
    }

    private func starts(_ timeline: XMLElement, _ scale: Int64) -> [Int64] {
        var starts: [Int64] = []
        var time: Int64 = 0
        let entries = timeline.children("S")
        let number = { (entry: XMLElement, name: String) in
            entry.attributes[name].flatMap { PlaylistNumber.whole($0[...]) }
        }
        for (index, entry) in entries.enumerated() {
            guard let duration = number(entry, "d"), duration > 0, duration < 1 << 40 else { return [] }
            time = number(entry, "t") ?? time
            var last = number(entry, "r") ?? 0
            if entry.attributes["r"]?.hasPrefix("-") == true {
                let next = index + 1 < entries.count ? number(entries[index + 1], "t") : nil
                guard let end = next ?? durationUs.map({ Int64(Double($0) * Double(scale) / 1_000_000) }) else {
                    return []
                }
                last = max(0, (end - time + duration - 1) / duration - 1)
            }
            for _ in 0...min(last, Int64(DASHSegments.segmentLimit)) {
                guard starts.count < DASHSegments.segmentLimit else { return starts }
                starts.append(time)
                time += duration
            }
        }
        return starts
    }

    /// What stands around the number or the time of a template; nil when it has neither, or both.
    private func names(_ template: String, _ element: XMLElement) -> DASHSegments.Names? {
        let pieces = template.split(separator: "$", omittingEmptySubsequences: false)
        let places = pieces.indices.filter { index in
            index % 2 == 1 && (pieces[index].hasPrefix("Number") || pieces[index].hasPrefix("Time"))
        }
        guard pieces.count % 2 == 1, places.count == 1, let place = places.first,
            let end = filled(pieces[(place + 1)...].joined(separator: "$")),
            let head = filled(pieces[..<place].joined(separator: "$"))
        else { return nil }
        let name = pieces[place].prefix { $0 != "%" }
        guard let start = head.isEmpty ? folder : resolve(head, base),
            let width = Self.width(pieces[place].dropFirst(name.count))
        else { return nil }
        let first = element.attributes["startNumber"].flatMap { PlaylistNumber.whole($0[...]) } ?? 1
        return .template(start: start, end: end, width: width, first: first, isTime: name == "Time")
    }

    private var folder: String? {
        base.lastIndex(of: "/").map { String(base[...$0]) }
    }

    /// A template with all but number and time filled in; nil when something else is to stand there.
    private func filled(_ template: String) -> String? {
        var text = ""
        for (index, piece) in template.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
            guard index % 2 == 1 else {
                text += piece
                continue
            }
            let name = piece.prefix { $0 != "%" }
            guard let width = Self.width(piece.dropFirst(name.count)) else { return nil }
            switch name {
            case "": text += "$"
            case "RepresentationID": text += levels[0].attributes["id"] ?? ""
            case "Bandwidth":
                let digits = levels[0].attributes["bandwidth"] ?? ""
                text += String(repeating: "0", count: max(0, width - digits.count)) + digits
            default: return nil
            }
        }
        return text
    }

    /// How many digits a format such as `%05d` asks for; nil for one that is none.
    private static func width(_ format: Substring) -> Int? {
        guard !format.isEmpty else { return 0 }
        guard format.hasPrefix("%0"), format.hasSuffix("d"), let width = Int(format.dropFirst(2).dropLast()),
            (0...20).contains(width)
        else { return nil }
        return width
    }
}
