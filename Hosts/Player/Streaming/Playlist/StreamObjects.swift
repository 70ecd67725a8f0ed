internal import XML

/// What a manifest says of the objects that its addresses name, as far as it says it without further documents.
package struct StreamObjects: Sendable, Equatable {
    /// What an object has in it.
    package enum Kind: Sendable, Equatable {
        /// Sound alone.
        case audio
        /// A picture alone.
        case video
        /// Both.
        case muxed
        /// What a decoder has to know before.
        case initialization
        /// Texts.
        case captions
    }

    /// One object.
    package struct Object: Sendable, Equatable {
        /// What it has in it; nil when the manifest does not say.
        package var kind: Kind?
        /// Bits per second of the form that it belongs to.
        package var bitrate: Int64?
        /// How long it is, in ms.
        package var durationMs: Int64?

        /// Creates an object of which only the given is known.
        package init(kind: Kind? = nil, bitrate: Int64? = nil, durationMs: Int64? = nil) {
            self.kind = kind
            self.bitrate = bitrate
            self.durationMs = durationMs
        }
    }

    /// How addresses of a kind of object are written: what stands before and behind the part that differs.
    private struct Pattern: Sendable, Equatable {
        let start: String
        let end: String
        let object: Object

        func fits(_ path: Substring) -> Bool {
            path.hasSuffix(end) && (start.isEmpty || path.contains("/" + start))
        }
    }

    private var patterns: [Pattern] = []
    private var segments: [MediaSegment] = []
    /// What each segment of an HLS stream has, when all have the same.
    private var ofAll: Object?
    /// The largest and smallest bitrate among the forms of the picture, bits per second.
    package private(set) var topBitrate: Int64?
    package private(set) var lowestBitrate: Int64?
    /// Whether it is a DASH manifest, and not one of HLS.
    package private(set) var isDASH = false

    /// Reads a manifest; nil when it is none that is known.
    package init?(manifest text: String) {
        if let manifest = DASHManifest(text: text), let root = try? XMLReading.root(of: Array(text.utf8)) {
            isDASH = true
            take(manifest.pictures.compactMap(\.bitrate))
            for set in root.children("Period").flatMap({ $0.children("AdaptationSet") }) { add(set) }
        } else if let playlist = MediaPlaylist(text: text) {
            segments = playlist.segments
            if let map = playlist.mapURI { add(map, Object(kind: .initialization)) }
        } else if text.contains("#EXTM3U") {
            take(MasterPlaylist(text: text).variants.compactMap(\.bitrate))
            guard !text.contains("#EXT-X-MEDIA:TYPE=AUDIO") else { return }
            ofAll = Object(kind: .muxed)
        } else {
            return nil
        }
    }

    /// What an address names; nil when the manifest says nothing of it.
    package func object(at url: String) -> Object? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        if path.hasSuffix(".vtt") { return Object(kind: .captions) }
        if let pattern = patterns.first(where: { $0.fits(path) }) { return pattern.object }
        if let segment = segments.first(where: { $0.isAt(url) }) {
            return Object(durationMs: (segment.durationUs + 500) / 1000)
        }
        // A master playlist does not name what its playlists begin with; packagers call it so.
        let name = (path.split(separator: "/").last ?? "").lowercased()
        if !isDASH, name.hasPrefix("init"), [".mp4", ".m4s", ".cmfv", ".cmfa"].contains(where: name.hasSuffix) {
            return Object(kind: .initialization)
        }
        return ofAll
    }

    private mutating func take(_ bitrates: [Int64]) {
        topBitrate = bitrates.max()
        lowestBitrate = bitrates.min()
    }

    private mutating func add(_ template: String, _ object: Object) {
        let parts = template.split(separator: "$", omittingEmptySubsequences: false)
        let reference = parts[0].drop { $0 == "/" || $0 == "." }
        let end = parts.count > 1 ? parts[parts.count - 1] : reference
        patterns.append(Pattern(start: String(reference), end: String(end), object: object))
    }

    /// Adds the templates of a set's representations (ISO/IEC 23009-1, 5.3.9.4).
    private mutating func add(_ set: XMLElement) {
        for representation in set.children("Representation") {
            let attributes = representation.attributes.merging(set.attributes) { own, _ in own }
            let templates = representation.children("SegmentTemplate") + set.children("SegmentTemplate")
            guard let template = templates.first else { continue }
            let kind: Kind? =
                switch (attributes["contentType"] ?? attributes["mimeType"] ?? "").prefix(5) {
                case "video": .video
                case "audio": .audio
                case "text", "text/": .captions
                default: nil
                }
            let written = { (name: String) in
                template.attributes[name]?.replacing("$RepresentationID$", with: attributes["id"] ?? "")
                    .replacing("$Bandwidth$", with: attributes["bandwidth"] ?? "")
            }
            if let initialization = written("initialization") { add(initialization, Object(kind: .initialization)) }
            guard let media = written("media") else { continue }
            var object = Object(kind: kind, bitrate: attributes["bandwidth"].flatMap { Int64($0) })
            let scale = template.attributes["timescale"].flatMap { Int64($0) } ?? 1
            if let duration = template.attributes["duration"].flatMap({ Int64($0) }), scale > 0, duration < 1 << 40 {
                object.durationMs = duration * 1000 / scale
            }
            add(media, object)
        }
    }
}
