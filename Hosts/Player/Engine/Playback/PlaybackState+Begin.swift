internal import Streaming

/// Where playback begins: where a seek before it says, or the configuration, or the stream.
extension PlaybackState {
    /// A place that is as good as the one where the engine has begun.
    private static let nearMs: Int64 = 20

    /// Takes what a manifest says; that of a playlist of segments is a place, that of a master playlist an offset.
    mutating func readStart(in manifest: String) {
        if let playlist = MediaPlaylist(text: manifest) {
            streamStart = playlist.startPlaceMs.map { StreamStart(offsetMs: $0, isPrecise: true) }
        } else {
            streamStart = MasterPlaylist(text: manifest).start
        }
    }

    /// Begins at a place that a playlist names which the engine keeps to itself.
    mutating func begin(atMs placeMs: Int64) {
        guard configuration.startMs == nil, !hasPlayed, phase != .ended, phase != .closed else { return }
        streamStart = StreamStart(offsetMs: placeMs, isPrecise: true)
        if phase == .ready, seekInFlight == nil { _ = goToStart() }
    }

    /// Goes to the place where playback begins; false when the engine is there.
    mutating func goToStart() -> Bool {
        if queuedSeekMs == nil, let start, start.offsetMs > 0, let durationMs = media.durationMs,
            start.offsetMs >= durationMs - Self.nearMs
        {
            let place = "\(Double(start.offsetMs) / 1000) s"
            let reason =
                "playback begins at the beginning: \(place) lies at or behind the end, \(Double(durationMs) / 1000) s"
            reject(.begin(atMs: start.offsetMs), reason)
            return false
        }
        if queuedSeekMs == nil, let startMs = configuration.startMs, let durationMs = media.durationMs,
            startMs < -durationMs
        {
            let (place, length) = (Double(startMs) / 1000, Double(durationMs) / 1000)
            let reason = "playback begins at the beginning: \(place) s from the end lies before it, \(length) s"
            reject(.begin(atMs: startMs), reason)
        }
        guard let startMs = startPlaceMs else { return false }
        pendingActions.append(.seek(.begin(atMs: startMs)))
        return true
    }

    /// Where somebody wants playback to begin: who starts the player before the stream.
    private var start: StreamStart? {
        configuration.startMs.map { StreamStart(offsetMs: $0, isPrecise: true) } ?? streamStart
    }

    /// The place where playback begins; nil when that is where the engine is.
    private var startPlaceMs: Int64? {
        guard media.isSeekable, queuedSeekMs == nil else { return nil }
        guard let start, let endMs = media.durationMs ?? media.windowEndMs else { return nil }
        let startMs = start.placeMs(ofDuration: endMs)
        return abs(startMs - (playhead.positionMs ?? 0)) > Self.nearMs ? startMs : nil
    }
}
