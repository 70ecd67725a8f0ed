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
        guard phase == .ready, seekInFlight == nil, queuedSeekMs == nil, let startMs = startPlaceMs else { return }
        pendingActions.append(.seek(.begin(atMs: startMs)))
    }

    /// Goes to the place where playback begins; false when the engine is there.
    mutating func goToStart() -> Bool {
        guard let startMs = startPlaceMs else { return false }
        pendingActions.append(.seek(.begin(atMs: startMs)))
        return true
    }

    /// The place where playback begins; nil when that is where the engine is.
    private var startPlaceMs: Int64? {
        guard media.isSeekable, queuedSeekMs == nil else { return nil }
        let start = configuration.startMs.map { StreamStart(offsetMs: $0, isPrecise: true) } ?? streamStart
        guard let start, let endMs = media.durationMs ?? media.windowEndMs else { return nil }
        let startMs = start.placeMs(ofDuration: endMs)
        return abs(startMs - (playhead.positionMs ?? 0)) > Self.nearMs ? startMs : nil
    }
}
