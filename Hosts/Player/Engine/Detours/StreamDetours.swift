internal import Streaming
internal import System
package import XML

/// Leads the requests of an HLS stream's demuxer around what its servers do not have.
///
/// GStreamer 1.22 ends a stream over one missing segment, tries no redundant variant, knows no `EXT-X-GAP`, and ends
/// the process over some playlists. So each media playlist is looked at before the demuxer has it, and a segment that
/// is refused for good is asked for elsewhere, or replaced by nothing.
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
    private static let playlistLimitMs: Int64 = 5000
    private static let segmentLimitMs: Int64 = 10_000
    private static let segmentLimit = 64 << 20
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

    private struct Refusal: Sendable {
        var count = 0
        var status: Int?
    }

    private struct State {
        var isHLS = false
        var master: MasterPlaylist?
        var base = ""
        /// The media playlists as they were read last.
        var playlists: [String: MediaPlaylist] = [:]
        var looked: Set<String> = []
        var gaps: Set<Part> = []
        var refusals: [Part: Refusal] = [:]
        /// The media sequence numbers that were left out, by variants or the rendition.
        var skipped: [String: Set<Int64>] = [:]
        var fillers: [Part: String] = [:]
        /// What came last, or was left out, the newest at the end.
        var answered: [Part] = []
    }

    private let state = Lock(State())
    private let get: @Sendable (_ url: String, _ timeoutMs: Int64, _ limit: Int) -> Result<[UInt8], FetchFailure>
    private let answer: @Sendable (LocalAnswer) -> String?

    /// Creates what knows nothing of a stream; requests of its own are made by `get`, and `answer` gives the address
    /// under which the demuxer gets an answer from this process.
    package init(
        get: @escaping @Sendable (_ url: String, _ timeoutMs: Int64, _ limit: Int) -> Result<[UInt8], FetchFailure>,
        answer: @escaping @Sendable (LocalAnswer) -> String?
    ) {
        self.get = get
        self.answer = answer
    }

    private func fetch(_ url: String, _ timeoutMs: Int64, _ limit: Int) throws(FetchFailure) -> [UInt8] {
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
        state.with { state in
            state.isHLS = !master.variants.isEmpty
            state.master = master
            state.base = address
        }
        return .asItIs
    }

    /// Where a request of the demuxer goes that has not begun yet.
    package func route(_ part: Part, tell: (Finding) -> Void) -> Route {
        guard state.with({ $0.isHLS }) else { return .asItIs }
        if isPlaylist(part.address) { return routePlaylist(part.address, tell) }
        if state.with({ $0.gaps.contains(part) }) { return leaveOut(part, status: nil, tell) ?? .asItIs }
        guard let refusal = state.with({ $0.refusals[part] }), let place = place(of: part) else { return .asItIs }
        if let other = redundant(place, of: part, tell) { return .to(other) }
        guard isFinal(refusal, isLive: !place.playlist.isEnded) else { return .asItIs }
        return leaveOut(part, status: refusal.status, tell) ?? .asItIs
    }

    /// Takes the end of a request that was made somewhere; without a status nobody answered.
    package func finished(_ asked: Part, status: Int?, succeeded: Bool) {
        state.with { state in
            if succeeded {
                state.refusals[asked] = nil
                Self.remember(asked, &state)
                return
            }
            state.refusals[asked, default: Refusal()].count += 1
            state.refusals[asked]?.status = status
            // The next one asks where else it is.
            if !Self.redundant(asked.address, state).isEmpty { state.looked.remove(asked.address) }
        }
    }

    private static func remember(_ part: Part, _ state: inout State) {
        state.answered.append(part)
        if state.answered.count > answeredLimit { state.answered.removeFirst() }
    }

    private func isFinal(_ refusal: Refusal, isLive: Bool) -> Bool {
        switch refusal.status {
        case 404, 410: refusal.count >= (isLive ? Self.liveTries : 1)
        case .some(500...599): refusal.count >= Self.tries
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
    private static func redundant(_ address: String, _ state: State) -> [String] {
        guard let variants = state.master?.variants else { return [] }
        let places = variants.map { WebAddress.resolve($0.uri, from: state.base) ?? "" }
        guard let own = places.firstIndex(of: address) else { return [] }
        return variants.indices.filter { variants[$0].isRedundant(to: variants[own]) && places[$0] != address }
            .map { places[$0] }
    }

    private static func add(_ playlist: MediaPlaylist, at address: String, to state: inout State) {
        state.playlists[address] = playlist
        state.looked.insert(address)
        for segment in playlist.segments where segment.isGap {
            guard let part = part(of: segment, in: address) else { continue }
            state.gaps.insert(part)
        }
    }

    private static func part(of segment: MediaSegment, in playlist: String) -> Part? {
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

    private enum Look {
        case playlist(MediaPlaylist)
        case hazard(PlaylistHazard)
        case nothing
    }

    /// What lies at the address of a media playlist; that is known from now on.
    ///
    /// Where there is no other one, the demuxer's own request fails too, and is told.
    private func look(at address: String, isOnlyOne: Bool, _ tell: (Finding) -> Void) -> Look {
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

    private static func request(_ address: String, status: Int?, _ startNs: Int64) -> EngineRequest {
        var request = EngineRequest(url: address, status: status)
        request.startNs = startNs
        request.durationMs = (MonotonicClock.nowNs() - startNs) / 1_000_000
        request.isOfDemuxer = true
        return request
    }
}

// MARK: Segments

extension StreamDetours {
    private struct Place {
        var list: String
        var playlist: MediaPlaylist
        var index: Int

        var segment: MediaSegment { playlist.segments[index] }
    }

    /// The playlist that has a segment; nil for what is none, such as a key.
    private func place(of part: Part) -> Place? {
        if let known = known(part) { return known }
        // That of a live stream has changed since.
        for (list, playlist) in state.with({ $0.playlists }) where !playlist.isEnded {
            guard let bytes = try? fetch(list, Self.playlistLimitMs, MediaPlaylist.byteLimit),
                let newer = MediaPlaylist(text: String(decoding: bytes, as: UTF8.self))
            else { continue }
            state.with { Self.add(newer, at: list, to: &$0) }
        }
        return known(part)
    }

    private func known(_ part: Part) -> Place? {
        for (list, playlist) in state.with({ $0.playlists }) {
            let index = playlist.segments.firstIndex { segment in
                segment.isAt(part.address) && Self.part(of: segment, in: list) == part
            }
            if let index { return Place(list: list, playlist: playlist, index: index) }
        }
        return nil
    }

    /// Where a redundant variant has the same segment, and did not refuse it yet.
    private func redundant(_ place: Place, of part: Part, _ tell: (Finding) -> Void) -> String? {
        for list in state.with({ Self.redundant(place.list, $0) }) {
            var playlist = state.with { $0.playlists[list] }
            if playlist?.isEnded != true, case .playlist(let newest) = look(at: list, isOnlyOne: false, tell) {
                playlist = newest
            }
            guard let segment = playlist?.segments.first(where: { $0.sequence == place.segment.sequence }),
                !segment.isGap, let other = Self.part(of: segment, in: list), other.range == part.range
            else { continue }
            if state.with({ $0.refusals[other] == nil }) { return other.address }
        }
        return nil
    }

    /// Replaces a segment by nothing, unless too many before it are missing.
    private func leaveOut(_ part: Part, status: Int?, _ tell: (Finding) -> Void) -> Route? {
        guard let place = place(of: part) else { return nil }
        let sequence = place.segment.sequence
        let (isNew, isAllowed) = state.with { state -> (Bool, Bool) in
            let isVariant = !Self.isRendition(place.list, state)
            let others = state.skipped[isVariant ? "" : place.list] ?? []
            let isAllowed = !(1...Int64(Self.skipLimit)).allSatisfy { others.contains(sequence - $0) }
            if isAllowed { state.skipped[isVariant ? "" : place.list, default: []].insert(sequence) }
            return (!others.contains(sequence), isAllowed)
        }
        guard isAllowed, let filler = filler(for: part, place) else { return nil }
        if isNew { tell(.skipped(part.address, status: status)) }
        return .to(filler)
    }

    private static func isRendition(_ list: String, _ state: State) -> Bool {
        state.master?.renditions.contains { WebAddress.resolve($0, from: state.base) == list } ?? false
    }

    /// The address of what stands for nothing.
    ///
    /// It is an answer without a byte, but where the demuxer has the initialization of fragmented MP4 and waits for a
    /// fragment: that is one without samples, with the time that the missing one had.
    private func filler(for part: Part, _ place: Place) -> String? {
        if let made = state.with({ $0.fillers[part] }) { return made }
        var bytes: [UInt8] = []
        if let initialization = place.segment.initialization,
            let address = WebAddress.resolve(initialization.uri, from: place.list), awaitsFragment(address, in: place)
        {
            guard let fragment = fragment(for: place, behind: address, initialization) else { return nil }
            bytes = fragment
        }
        guard let address = answer(.bytes(bytes)) else { return nil }
        state.with { Self.remember(part, &$0) }
        if !bytes.isEmpty { state.with { $0.fillers[part] = address } }
        return address
    }

    /// Whether the demuxer has got an initialization, and no segment with it since.
    private func awaitsFragment(_ initialization: String, in place: Place) -> Bool {
        for part in state.with({ $0.answered }).reversed() {
            if part.address == initialization { return true }
            if place.playlist.segments.contains(where: { Self.part(of: $0, in: place.list) == part }) { return false }
        }
        return false
    }

    private func fragment(for place: Place, behind address: String, _ part: SegmentInitialization) -> [UInt8]? {
        guard !part.isPart, let head = try? fetch(address, Self.segmentLimitMs, Self.segmentLimit) else { return nil }
        let segments = place.playlist.segments
        let reach = 1...Self.skipLimit + 1
        for index in reach.map({ place.index + $0 }) + reach.map({ place.index - $0 }) {
            guard segments.indices.contains(index), !segments[index].isGap, segments[index].bytes == nil,
                let other = WebAddress.resolve(segments[index].uri, from: place.list),
                let bytes = try? fetch(other, Self.segmentLimitMs, Self.segmentLimit)
            else { continue }
            let between = segments[min(index, place.index)..<max(index, place.index)].reduce(0) { $0 + $1.durationUs }
            let distanceUs = index > place.index ? between : -between
            return EmptyFragment.bytes(initialization: head, other: bytes, distanceUs: distanceUs)
        }
        return nil
    }
}
