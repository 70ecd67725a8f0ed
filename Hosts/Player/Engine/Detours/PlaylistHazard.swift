import Streaming

/// What makes a media playlist one that GStreamer 1.22 cannot play, and may end the process over.
struct PlaylistHazard: Equatable {
    let code: EngineError.Code
    let reason: String

    /// That of a playlist without a byte.
    static let empty = PlaylistHazard(.invalidManifest, "a media playlist is empty")

    /// Finds the hazard of a playlist, nil when there is none.
    init?(_ playlist: MediaPlaylist) {
        guard !playlist.segments.isEmpty else {
            let cut = playlist.isCutOff ? ": it ends behind its first #EXTINF" : ""
            let reason = "a media playlist names no segment" + cut
            self.init(.invalidManifest, reason)
            return
        }
        // What follows such a segment is looked for again and again at the wrong place; behind the last one is nothing.
        let isOnly = playlist.segments.count == 1
        if let empty = playlist.segments.dropLast(isOnly ? 0 : 1).first(where: { $0.durationUs == 0 && !$0.isGap }) {
            self.init(.invalidManifest, "a media playlist says that \(empty.uri) lasts 0 s")
        } else if let method = playlist.segments.lazy.compactMap(Self.method).first {
            self.init(.encrypted, method)
        } else if playlist.segments.allSatisfy(\.isForOthers) {
            // The demuxer would ask for an address such as skd://key; the engine was seen to crash with such a stream.
            self.init(.encrypted, "its key is for another player")
        } else {
            return nil
        }
    }

    private init(_ code: EngineError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    private static func method(_ segment: MediaSegment) -> String? {
        guard let key = segment.keys.first(where: { $0.format == "identity" }) ?? segment.keys.first else { return nil }
        switch key.method {
        case "AES-128" where segment.initialization != nil: return "fragmented MP4 with METHOD=AES-128"
        case "AES-128": return nil
        // What other players have keys for may have a beginning without, and says for itself that it cannot be played.
        case "SAMPLE-AES" where key.format != "identity": return nil
        case "SAMPLE-AES-CTR" where key.format != "identity": return nil
        default: return "METHOD=\(key.method)"
        }
    }
}

extension MediaPlaylist {
    /// Whether some segment has keys, and none that anybody may ask for.
    var isForOthers: Bool { segments.contains(where: \.isForOthers) }
}

extension MediaSegment {
    fileprivate var isForOthers: Bool {
        !keys.isEmpty && keys.allSatisfy { $0.format != "identity" && $0.method != "AES-128" }
    }
}
