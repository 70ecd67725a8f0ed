internal import Advertising
internal import PlaybackEngine
internal import Streaming
internal import System
internal import XML

/// Reads a media playlist, as long as it changes, on a thread: the engine keeps its dates and markers to itself.
final class PlaylistWatch: Sendable {
    private struct State: Sendable {
        var playlists: [MediaPlaylist] = []
        var isStopped = false
        var isRunning = true
    }

    /// The shortest and the longest time between two looks, whatever the playlist says.
    private static let waitsMs: ClosedRange<Int64> = 500...60_000
    /// The time between two looks as long as there is no playlist.
    private static let retryMs: Int64 = 1000
    /// How often the thread looks whether it is to stop.
    private static let stepMs: Int64 = 20
    /// How many playlists wait; as the newest says all, the older ones are left out.
    private static let limit = 100

    let location: String
    /// Those of the playlist's master.
    private let variables: PlaylistVariables
    private let requests: DocumentRequests
    private let platform: any MediaPlatform
    private let state = Lock(State())

    /// Begins with a playlist that is there already, or asks for it at once.
    init(
        _ location: String,
        first: MediaPlaylist?,
        variables: PlaylistVariables,
        requests: DocumentRequests,
        on platform: any MediaPlatform
    ) {
        self.location = location
        self.variables = variables
        self.requests = requests
        self.platform = platform
        platform.startThread { [self] in
            run(first)
            state.with { $0.isRunning = false }
        }
    }

    /// The playlists since the last call, in their order; the same one is there once.
    func removePlaylists() -> [MediaPlaylist] { state.with { $0.playlists.drain() } }
    func stop() { state.with { $0.isStopped = true } }
    var isStopped: Bool { state.with { !$0.isRunning } }
    func waitUntilStopped() { while !isStopped { platform.sleep(milliseconds: 5) } }

    private func run(_ first: MediaPlaylist?) {
        var last = first
        if let first { put(first) }
        while !isEnding {
            if let last {
                if last.isEnded { return }
                wait(last.targetDurationUs / 1000)
            }
            while !isEnding, let playlist = read() {
                if playlist != last {
                    put(playlist)
                    last = playlist
                    break
                }
                // RFC 8216, 6.3.4: what has not changed is looked at again after half the time.
                wait(playlist.targetDurationUs / 2000)
            }
            if last == nil { wait(Self.retryMs) }
        }
    }

    private var isEnding: Bool { state.with { $0.isStopped } }

    private func put(_ playlist: MediaPlaylist) {
        state.with { state in
            state.playlists.append(playlist)
            if state.playlists.count > Self.limit { state.playlists.removeFirst() }
        }
    }

    private func wait(_ milliseconds: Int64) {
        let waitMs = min(max(milliseconds, Self.waitsMs.lowerBound), Self.waitsMs.upperBound)
        let untilNs = platform.nowNs + waitMs * 1_000_000
        while !isEnding, platform.nowNs < untilNs { platform.sleep(milliseconds: Self.stepMs) }
    }

    private func read() -> MediaPlaylist? {
        guard let bytes = try? requests.document(location) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let own = PlaylistVariables(text: text, at: location, importing: variables)
        return MediaPlaylist(text: own.replaced(in: text))
    }
}
