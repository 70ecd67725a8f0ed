internal import Streaming
internal import System
package import XML

/// Leads the requests of an adaptive stream's demuxer around what its servers do not have.
///
/// GStreamer 1.22 ends a stream over one missing segment, tries no redundant variant, knows no `EXT-X-GAP`, and ends
/// the process over some playlists. So each media playlist is looked at before the demuxer has it, and a segment that
/// is refused for good is asked for elsewhere, or replaced by nothing. What is missing of texts never ends a stream.
///
/// It makes requests of its own, on the thread that makes those of the demuxer.
package final class StreamDetours: Sendable {
    /// Where a request goes.
    package enum Route: Equatable, Sendable {
        /// Where the demuxer sends it.
        case asItIs
        /// To another address.
        case to(String)
        /// Nowhere: what would come kills the engine, or cannot be played.
        case nowhere(EngineError.Code, reason: String)
    }

    /// What may be said of the stream on the way.
    package enum Finding: Equatable, Sendable {
        /// A segment is left out: its address, and how it was answered, nil when its playlist marks it as a gap.
        case skipped(String, status: Int?)
        /// A request that was made in place of the demuxer's: none of its own follows.
        case asked(EngineRequest)
        /// A media playlist has keys that other players have.
        case protected
    }

    /// How many segments are left out in a row; where more are missing, the stream has failed.
    package static let skipLimit = 3
    /// How often a segment is asked for that a server cannot give now.
    package static let tries = 5
    /// How often one of a live stream is asked for that is not there: it may come late.
    package static let liveTries = 3
    static let playlistLimitMs: Int64 = 5000
    static let segmentLimitMs: Int64 = 10_000
    static let segmentLimit = 64 << 20
    private static let answeredLimit = 64

    /// A part of a resource.
    package struct Part: Hashable, Sendable {
        /// Where the resource lies.
        package var address: String
        /// The header `Range`, nil for all of it.
        package var range: String?

        /// Names a part.
        package init(address: String, range: String? = nil) {
            self.address = address
            self.range = range
        }
    }

    struct Refusal: Sendable {
        var count = 0
        var status: Int?
    }

    struct State {
        var isHLS = false
        /// The segments of a DASH stream.
        var dash: DASHSegments?
        var master: MasterPlaylist?
        var base = ""
        /// The media playlists as they were read last.
        var playlists: [String: MediaPlaylist] = [:]
        var looked: Set<String> = []
        var gaps: Set<Part> = []
        var refusals: [Part: Refusal] = [:]
        /// The numbers of segments that were left out, by variants or the rendition.
        var skipped: [String: Set<Int64>] = [:]
        var fillers: [Part: String] = [:]
        /// What came last, or was left out, the newest at the end.
        var answered: [Part] = []
    }

    let state = Lock(State())
    private let get: @Sendable (_ url: String, _ timeoutMs: Int64, _ limit: Int) -> Result<[UInt8], FetchFailure>
    let answer: @Sendable (LocalAnswer) -> String?
    let peek: @Sendable (_ url: String, _ timeoutMs: Int64, _ count: Int) -> Result<[UInt8], FetchFailure>

    /// Creates what knows nothing of a stream; requests of its own are made by `get`, and `answer` gives the address
    /// under which the demuxer gets an answer from this process; `peek` asks for the first bytes of what may be long.
    package init(
        get: @escaping @Sendable (_ url: String, _ timeoutMs: Int64, _ limit: Int) -> Result<[UInt8], FetchFailure>,
        answer: @escaping @Sendable (LocalAnswer) -> String?,
        peek: @escaping @Sendable (String, Int64, Int) -> Result<[UInt8], FetchFailure> = { _, _, _ in .success([]) }
    ) {
        self.get = get
        self.answer = answer
        self.peek = peek
    }

    func fetch(_ url: String, _ timeoutMs: Int64, _ limit: Int) throws(FetchFailure) -> [UInt8] {
        try get(url, timeoutMs, limit).get()
    }

    /// Takes the manifest that was opened, and its address; says what forbids to go on with it.
    package func begin(_ text: String, at address: String) -> Route {
        let master = MasterPlaylist(text: text)
        if let playlist = MediaPlaylist(text: text) {
            state.with { state in
                state.isHLS = true
                Self.add(playlist, at: address, to: &state)
            }
            return PlaylistHazard(playlist).map { .nowhere($0.code, reason: $0.reason) } ?? .asItIs
        }
        let dash = DASHSegments(text: text, at: address) { WebAddress.resolve($0, from: $1) }
        state.with { state in
            state.isHLS = !master.variants.isEmpty
            state.master = master
            state.base = address
            state.dash = dash
        }
        return .asItIs
    }

    /// Where a request of the demuxer goes that has not begun yet.
    package func route(_ part: Part, tell: (Finding) -> Void) -> Route {
        let (isHLS, isKnown) = state.with { ($0.isHLS, $0.isHLS || $0.dash != nil) }
        guard isKnown else { return .asItIs }
        if isHLS, isPlaylist(part.address) {
            return withoutTexts(part, tell) ?? routePlaylist(part.address, tell)
        }
        if !isHLS, let route = withoutText(part, tell) { return route }
        if let other = lastElsewhere(part, tell) { return .to(other) }
        let (refusal, isGap) = state.with { ($0.refusals[part], $0.gaps.contains(part)) }
        guard refusal != nil || isGap else { return .asItIs }
        let listed = listed(part)
        guard let place = listed.map(place) ?? numbered(part) else { return .asItIs }
        guard let refusal, !isGap else { return leaveOut(part, place, status: nil, tell) ?? .asItIs }
        if let listed, let other = redundant(listed, of: part, tell) { return .to(other) }
        guard isFinal(refusal, isLive: place.isLive, isText: place.isText, isInRow: isInRow(place)) else {
            return .asItIs
        }
        return leaveOut(part, place, status: refusal.status, tell) ?? .asItIs
    }

    /// Takes the end of a request that was made somewhere; without a status nobody answered.
    package func finished(_ asked: Part, status: Int?, succeeded: Bool, tell: (Finding) -> Void = { _ in }) {
        let refusal = state.with { state -> Refusal? in
            if succeeded {
                state.refusals[asked] = nil
                Self.remember(asked, &state)
                return nil
            }
            state.refusals[asked, default: Refusal()].count += 1
            state.refusals[asked]?.status = status
            // The next one asks where else it is.
            if !Self.redundant(asked.address, state).isEmpty { state.looked.remove(asked.address) }
            return state.refusals[asked]
        }
        if let refusal { finishLast(asked, refusal, tell) }
    }

    static func remember(_ part: Part, _ state: inout State) {
        state.answered.append(part)
        if state.answered.count > answeredLimit { state.answered.removeFirst() }
    }

    /// Whether nobody will give it; of texts, which nobody sees, there is no more than one try within a row.
    func isFinal(_ refusal: Refusal, isLive: Bool, isText: Bool = false, isInRow: Bool = false) -> Bool {
        switch refusal.status {
        case 404, 410: refusal.count >= (isLive ? Self.liveTries : 1)
        case .some(400...499): isText
        case .some(500...599): refusal.count >= (isInRow ? 1 : Self.tries)
        default: false
        }
    }
}

// MARK: Playlists

extension StreamDetours {
    private func isPlaylist(_ address: String) -> Bool {
        EngineRequest.isPlaylist(url: address)
            || state.with { state in
                state.master?.playlists.contains { WebAddress.resolve($0, from: state.base) == address } ?? false
            }
    }

    /// The other media playlists of the same rendition, in the order of the master playlist.
    static func redundant(_ address: String, _ state: State) -> [String] {
        guard let master = state.master else { return [] }
        let places = master.variants.map { WebAddress.resolve($0.uri, from: state.base) ?? "" }
        guard let own = places.firstIndex(of: address) else { return [] }
        return master.redundant(to: own).map { places[$0] }.filter { $0 != address }
    }

    static func add(_ playlist: MediaPlaylist, at address: String, to state: inout State) {
        state.playlists[address] = playlist
        state.looked.insert(address)
        for segment in playlist.segments where segment.isGap {
            guard let part = part(of: segment, in: address) else { continue }
            state.gaps.insert(part)
        }
    }

    static func part(of segment: MediaSegment, in playlist: String) -> Part? {
        WebAddress.resolve(segment.uri, from: playlist).map { place in
            Part(address: place, range: segment.bytes.map { "bytes=\($0.lowerBound)-\($0.upperBound - 1)" })
        }
    }

    private func routePlaylist(_ address: String, _ tell: (Finding) -> Void) -> Route {
        let others = state.with { state -> [String]? in
            guard state.looked.insert(address).inserted else { return nil }
            return Self.redundant(address, state)
        }
        guard let others else { return .asItIs }
        for place in [address] + others {
            switch look(at: place, isOnlyOne: others.isEmpty, tell) {
            case .nothing: continue
            case .hazard(let hazard): return .nowhere(hazard.code, reason: hazard.reason)
            case .playlist(let playlist): if playlist.isForOthers { tell(.protected) }
            }
            guard place != address, let moved = answer(.moved(to: place)) else { return .asItIs }
            return .to(moved)
        }
        return .asItIs
    }

    enum Look {
        case playlist(MediaPlaylist)
        case hazard(PlaylistHazard)
        case nothing
    }

    /// What lies at the address of a media playlist; that is known from now on.
    ///
    /// Where there is no other one, the demuxer's own request fails too, and is told.
    func look(at address: String, isOnlyOne: Bool, _ tell: (Finding) -> Void) -> Look {
        let startNs = MonotonicClock.nowNs()
        do throws(FetchFailure) {
            let bytes = try fetch(address, Self.playlistLimitMs, MediaPlaylist.byteLimit)
            let playlist = MediaPlaylist(text: String(decoding: bytes, as: UTF8.self))
            if let playlist { state.with { Self.add(playlist, at: address, to: &$0) } }
            if let hazard = bytes.isEmpty ? .empty : playlist.flatMap({ PlaylistHazard($0) }) {
                var request = Self.request(address, status: 200, startNs)
                request.contentLength = Int64(bytes.count)
                tell(.asked(request))
                return .hazard(hazard)
            }
            return playlist.map { .playlist($0) } ?? .nothing
        } catch {
            if !isOnlyOne { tell(.asked(Self.request(address, status: error.status, startNs))) }
            return .nothing
        }
    }

    static func request(_ address: String, status: Int?, _ startNs: Int64) -> EngineRequest {
        var request = EngineRequest(url: address, status: status)
        request.startNs = startNs
        request.durationMs = (MonotonicClock.nowNs() - startNs) / 1_000_000
        request.isOfDemuxer = true
        return request
    }
}
