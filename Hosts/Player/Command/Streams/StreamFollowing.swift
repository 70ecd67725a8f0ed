internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import PlayerSignals
internal import Streaming
internal import Tally

/// Follows an HLS stream's playlists for its wall clock and its ads; used on the thread of the main content's engine.
final class StreamFollowing {
    /// How many requests of the engine are remembered until it is known where in the stream it began.
    private static let fragmentLimit = 64

    private let tracking: PlaybackTracking
    private let requests: DocumentRequests
    private let inStream: InStreamAds
    /// Takes breaks that are to be put into the main content.
    private let insert: ([ScheduledBreak]) -> Void
    /// Has playback begin at a place that a playlist names.
    private let begin: (Int64) -> Void
    private var watch: PlaylistWatch?
    /// Whether the manifest names playlists, of which the first one that the engine asks for is followed.
    private var awaitsPlaylist = false
    private var fragments: [String] = []
    private var startMs: Int64?
    private var isLive = false
    /// Whether the playlist's segments have dates.
    private var isDated = true
    /// Whether the engine was told where the stream wants to begin, or knows that itself.
    private var isStartKnown = false
    /// Whether it was told that a playlist is cut off.
    private var isCutToldOf = false
    /// The variables of the manifest.
    private var variables = PlaylistVariables()
    /// The newest playlist, as long as it is not known where in it the engine began.
    private var waiting: MediaPlaylist?
    private var markers = StreamMarkers()
    private var inserted: Set<String> = []
    /// Where the stream's media lies on the wall clock; nil as long as nobody knows.
    private(set) var timeline: ProgramTimeline?

    init(
        tracking: PlaybackTracking,
        timeoutMs: Int64,
        settings: RequestSettings,
        begin: @escaping (Int64) -> Void,
        insert: @escaping ([ScheduledBreak]) -> Void
    ) {
        self.tracking = tracking
        self.begin = begin
        self.insert = insert
        requests = DocumentRequests(
            type: "manifest",
            timeoutMs: timeoutMs,
            limit: MediaPlaylist.byteLimit,
            platform: tracking.platform,
            settings: settings
        )
        inStream = InStreamAds(tracking: tracking)
    }

    /// Does what has to come before the report is told.
    func prepare(for report: EngineReport) {
        switch report.event {
        case .manifest(let text): open(text)
        case .requestCompleted(let request) where request.isOfDemuxer: remember(request)
        case .loaded(let media):
            isLive = media.isLive
            startMs = report.positionMs
        case .seekCompleted(let positionMs): inStream.jumped(toMs: positionMs)
        case .endOfStream: inStream.ended()
        case .failed, .stopped: stop()
        default: break
        }
    }

    func tick(_ positionMs: Int64?) {
        tracking.track(requests)
        let playlists = watch?.removePlaylists() ?? []
        for playlist in playlists { follow(playlist) }
        if playlists.isEmpty, startMs != nil, let waiting { follow(waiting) }
        if let positionMs { inStream.tick(positionMs) }
    }

    /// The segment's start that is nearest to a place in the stream.
    func boundaryMs(nearMs positionMs: Int64) -> Int64 { timeline?.boundaryMs(nearMs: positionMs) ?? positionMs }
    func stop() { watch?.stop() }

    /// Whether nothing goes on any more.
    var isStopped: Bool { watch?.isStopped ?? true }
    func waitUntilStopped() { watch?.waitUntilStopped() }

    private func open(_ text: String) {
        if let manifest = DASHManifest(text: text) {
            warnOfAds(in: manifest)
            // The places of the engine are the stream's own, which begins when it is said to be available.
            if manifest.isDynamic, let startUs = manifest.availabilityStartUs {
                tracking.snapshot.with { $0.timeline = ProgramTimeline(startUs: startUs) }
            }
            return
        }
        guard watch == nil, text.hasPrefix("#EXTM3U") || text.hasPrefix("\u{FEFF}#EXTM3U") else { return }
        let source = tracking.snapshot.with { $0.source }
        variables = PlaylistVariables(text: text, at: source)
        if let playlist = MediaPlaylist(text: variables.replaced(in: text)) {
            isStartKnown = true
            watch = PlaylistWatch(
                source,
                first: playlist,
                variables: variables,
                requests: requests,
                on: tracking.platform
            )
        } else if AdLocation.isWeb(source) {
            awaitsPlaylist = true
        } else if let variant = MasterPlaylist(text: variables.replaced(in: text)).variants.first(where: {
            !$0.uri.isEmpty
        }),
            let location = AdLocation.resolve(variant.uri, from: source)
        {
            watch = PlaylistWatch(location, first: nil, variables: variables, requests: requests, on: tracking.platform)
        }
    }

    private func warnOfAds(in manifest: DASHManifest) {
        guard !manifest.adSchemes.isEmpty else { return }
        let schemes = manifest.adSchemes.joined(separator: ", ")
        tracking.notes.warn("ads that the DASH manifest marks (\(schemes)) are not reported: name them with --ads")
    }

    private func remember(_ request: EngineRequest) {
        if NetworkRequest(request).type == "manifest" {
            guard awaitsPlaylist else { return }
            awaitsPlaylist = false
            watch = PlaylistWatch(
                request.url,
                first: nil,
                variables: variables,
                requests: requests,
                on: tracking.platform
            )
        } else if timeline == nil, fragments.count < Self.fragmentLimit {
            fragments.append(request.url)
        }
    }

    private func follow(_ playlist: MediaPlaylist) {
        if playlist.isCutOff, !isCutToldOf {
            isCutToldOf = true
            tracking.notes.warn("a media playlist ends behind #EXTINF: that segment is left out, as it has no address")
        }
        markers.add(playlist)
        if timeline == nil {
            waiting = playlist
            guard let startMs, let sequence = firstSequence(in: playlist) else { return tellStart(in: playlist) }
            isDated = playlist.isDated
            // Where nothing is dated, marks between segments have places all the same.
            let dated = isDated ? playlist : playlist.dated(fromUs: 0)
            timeline = ProgramTimeline(dated, sequence: sequence, atUs: isLive ? startMs * 1000 : 0)
            tellStart(in: playlist)
        } else {
            timeline?.update(from: playlist)
        }
        waiting = nil
        guard let timeline else { return }
        markers.addCues(of: playlist, on: timeline)
        if isLive, isDated { tracking.snapshot.with { $0.timeline = timeline } }
        inStream.follow(markers.breaks, on: timeline)
        if isDated { insertInterstitials(on: timeline) }
    }

    /// Tells the engine where the first playlist that was read wants playback to begin.
    ///
    /// In a live stream that is a place only when it is known where the engine has begun.
    private func tellStart(in playlist: MediaPlaylist) {
        guard !isStartKnown, let placeMs = playlist.startPlaceMs else { return }
        let isRecording = playlist.isEnded
        guard isRecording || timeline != nil else { return }
        isStartKnown = true
        guard !isRecording, let first = playlist.segments.first, let timeline else { return begin(placeMs) }
        begin(placeMs + (timeline.positionMs(ofSequence: first.sequence) ?? 0))
    }

    /// The segment that the engine began with: that of a live stream is the first one that it asked for.
    private func firstSequence(in playlist: MediaPlaylist) -> Int64? {
        guard isLive else { return playlist.segments.first?.sequence }
        for url in fragments {
            let found = playlist.segments.filter { $0.isAt(url) }
            if found.count == 1 { return found[0].sequence }
        }
        return nil
    }

    private func insertInterstitials(on timeline: ProgramTimeline) {
        guard let watch else { return }
        var breaks: [ScheduledBreak] = []
        for interstitial in markers.interstitials where !inserted.contains(interstitial.id) {
            inserted.insert(interstitial.id)
            var placeMs = timeline.positionMs(ofUs: interstitial.startUs)
            if interstitial.snapsOut { placeMs = timeline.boundaryMs(nearMs: placeMs) }
            // What lay before the place at which the viewer joined is over.
            if isLive, let startMs, placeMs < startMs { continue }
            if let scheduled = ScheduledBreak(interstitial, atMs: placeMs, base: watch.location) {
                breaks.append(scheduled)
            }
        }
        if !breaks.isEmpty { insert(breaks) }
    }
}

extension ScheduledBreak {
    /// What a playlist at `base` wants shown at a place of the main content; nil when it names nothing that it may.
    init?(_ interstitial: Interstitial, atMs placeMs: Int64, base: String) {
        let source: AdSource
        switch interstitial.asset {
        case .uri(let uri):
            guard let location = AdLocation.resolve(uri, from: base) else { return nil }
            source = .asset(location, durationMs: interstitial.durationUs.map { $0 / 1000 })
        case .list(let uri):
            guard let location = AdLocation.resolve(uri, from: base) else { return nil }
            source = .assetList(location)
        }
        let offset: AdBreakOffset =
            switch interstitial.cue {
            case .pre: .start
            case .post: .end
            case .date: .time(max(0, placeMs))
            }
        self.init(offset: offset, source: source)
        id = interstitial.id
        self.interstitial = interstitial
    }
}
