internal import XML

/// What the player has a use for of a DASH manifest (ISO/IEC 23009-1, 5.3).
package struct DASHManifest: Sendable, Equatable {
    /// The largest manifest that is read, in bytes.
    package static let byteLimit = 1_048_576
    /// How many representations are read; further ones are left out.
    package static let representationLimit = 1000

    /// Whether the manifest may change: a live stream.
    package private(set) var isDynamic = false
    /// The wall clock of the stream's place 0, in microseconds since 1970.
    package private(set) var availabilityStartUs: Int64?
    /// The forms in which the picture is there; their bitrates are without the sound.
    package private(set) var pictures: [StreamRendition] = []

    /// The schemes of its events that mark or bring ads, in their order (5.10); the player shows none of them.
    package private(set) var adSchemes: [String] = []

    /// What the names of such schemes begin with: SCTE 35, Google's dynamic insertion, and other manifests put in.
    private static let adSchemes = ["urn:scte:scte35:", "urn:google:dai:", "urn:mpeg:dash:event:alternativempd:"]
    /// How many of them are named; further ones are left out.
    private static let schemeLimit = 10

    /// Reads a manifest; nil when the text is none.
    package init?(text: String) {
        guard text.utf8.count <= Self.byteLimit, let root = try? XMLReading.root(of: Array(text.utf8)),
            root.name == "MPD"
        else { return nil }
        isDynamic = root.attributes["type"] == "dynamic"
        availabilityStartUs = root.attributes["availabilityStartTime"].flatMap { ProgramDate.microseconds($0) }
        findAds(in: root)
        for set in root.children("Period").flatMap({ $0.children("AdaptationSet") }) {
            for representation in set.children("Representation") where pictures.count < Self.representationLimit {
                // What a representation does not say itself, the set says for all of its own.
                add(representation.attributes.merging(set.attributes) { own, _ in own })
            }
        }
    }

    private mutating func findAds(in root: XMLElement) {
        let periods = root.children("Period")
        let sets = periods.flatMap { $0.children("AdaptationSet") }
        let inMedia = (sets + sets.flatMap { $0.children("Representation") }).flatMap {
            $0.children("InbandEventStream")
        }
        for stream in periods.flatMap({ $0.children("EventStream") }) + inMedia {
            guard let scheme = stream.attributes["schemeIdUri"], adSchemes.count < Self.schemeLimit,
                Self.adSchemes.contains(where: scheme.lowercased().hasPrefix), !adSchemes.contains(scheme)
            else { continue }
            adSchemes.append(scheme)
        }
    }

    private mutating func add(_ attributes: [String: String]) {
        guard let bitrate = attributes["bandwidth"].flatMap({ Int64($0) }), bitrate > 0,
            let width = attributes["width"].flatMap({ Int($0) }), let height = attributes["height"].flatMap({ Int($0) })
        else { return }
        var picture = StreamRendition(width: width, height: height, bitrate: bitrate)
        let rate = (attributes["frameRate"] ?? "").split(separator: "/").compactMap { Int64($0) }
        if let frames = rate.first, (1..<1000).contains(frames) || rate.count == 2 && frames < 1_000_000 {
            let seconds = rate.count == 2 ? max(1, rate[1]) : 1
            picture.framesPerSecondMilli = frames * 1000 / seconds
        }
        if !pictures.contains(picture) { pictures.append(picture) }
    }
}
