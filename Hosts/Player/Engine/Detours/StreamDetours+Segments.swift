internal import Streaming
internal import System
internal import XML

// Where segments lie, who else has them, and what takes their place.

/// A segment of a stream, with what of its neighbours matters when it is missing.
struct SegmentPlace {
    /// What is left out in a row: of the variants, which take each other's place, or of another rendition.
    var group: String
    /// Its number in there.
    var sequence: Int64
    var isLive: Bool
    var isText: Bool
    /// Whether nothing comes behind it.
    var isLast: Bool
    /// The address of what a decoder has to know before it; nil for nothing.
    var initialization: String?
    /// Whether that is a part of a resource, which nobody asks for here.
    var isInitializationPart: Bool
    /// Whether others are segments of the same form.
    var isOfSameForm: (StreamDetours.Part) -> Bool
    /// Where others lie that are whole, the next ones first, and how much later they begin, in microseconds.
    var others: [(address: String, distanceUs: Int64)]
}

extension StreamDetours {
    /// A segment of a media playlist.
    struct ListedSegment {
        var list: String
        var playlist: MediaPlaylist
        var index: Int

        var segment: MediaSegment { playlist.segments[index] }
    }

    /// Where the neighbours of a segment are.
    private static let steps = (1...Int64(skipLimit) + 1).map { $0 } + (1...Int64(skipLimit) + 1).map { -$0 }

    /// The segment of a DASH stream that lies somewhere; nil for what is none, such as an initialization.
    func numbered(_ part: Part) -> SegmentPlace? {
        guard part.range == nil, let dash = state.with({ $0.dash }),
            let (track, index) = dash.segment(at: part.address)
        else { return nil }
        let others = Self.steps.compactMap { step in
            track.address(of: index + step).map { ($0, track.distanceUs(from: index, to: index + step)) }
        }
        return SegmentPlace(
            group: track.set,
            sequence: index,
            isLive: dash.isDynamic,
            isText: track.isText,
            isLast: !dash.isDynamic && track.count == index + 1 && dash.tracks.contains { $0.set != track.set },
            initialization: track.initialization,
            isInitializationPart: false,
            isOfSameForm: { other in
                dash.segment(at: other.address)?.track.initialization == track.initialization
            },
            others: others
        )
    }

    func place(of listed: ListedSegment) -> SegmentPlace {
        let segments = listed.playlist.segments
        let others = Self.steps.compactMap { step -> (String, Int64)? in
            let index = listed.index + Int(step)
            guard segments.indices.contains(index), !segments[index].isGap, segments[index].bytes == nil,
                let address = WebAddress.resolve(segments[index].uri, from: listed.list)
            else { return nil }
            let between = segments[min(index, listed.index)..<max(index, listed.index)].reduce(0) { $0 + $1.durationUs }
            return (address, step > 0 ? between : -between)
        }
        let (isRendition, isText, isAlone) = state.with { state in
            (
                Self.isAmong(state.master?.renditions, listed.list, state),
                Self.isAmong(state.master?.texts, listed.list, state), state.master?.renditions.isEmpty ?? true
            )
        }
        let initialization = listed.segment.initialization
        return SegmentPlace(
            group: isRendition ? listed.list : "",
            sequence: listed.segment.sequence,
            isLive: !listed.playlist.isEnded,
            isText: isText,
            // Without it a stream that has no other ends too early, which is told.
            isLast: listed.playlist.isEnded && listed.index == segments.count - 1 && !isAlone,
            initialization: initialization.flatMap { WebAddress.resolve($0.uri, from: listed.list) },
            isInitializationPart: initialization?.isPart ?? false,
            isOfSameForm: { other in segments.contains { Self.part(of: $0, in: listed.list) == other } },
            others: others
        )
    }

    static func isAmong(_ references: [String]?, _ list: String, _ state: State) -> Bool {
        references?.contains { WebAddress.resolve($0, from: state.base) == list } ?? false
    }

    /// The playlist that has a segment; nil when none has.
    func listed(_ part: Part) -> ListedSegment? {
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

    private func known(_ part: Part) -> ListedSegment? {
        for (list, playlist) in state.with({ $0.playlists }) {
            let index = playlist.segments.firstIndex { segment in
                segment.isAt(part.address) && Self.part(of: segment, in: list) == part
            }
            if let index { return ListedSegment(list: list, playlist: playlist, index: index) }
        }
        return nil
    }

    /// Where a redundant variant has the last segment of a recording, if the demuxer's own one does not.
    ///
    /// The demuxer asks for that one once, and ends where it is refused: so it is looked for before.
    func lastElsewhere(_ part: Part, _ tell: (Finding) -> Void) -> String? {
        guard part.range == nil else { return nil }
        let last = state.with { state -> ListedSegment? in
            for (list, playlist) in state.playlists where playlist.isEnded && !Self.redundant(list, state).isEmpty {
                guard let segment = playlist.segments.last, !segment.isGap, segment.isAt(part.address),
                    Self.part(of: segment, in: list) == part, state.looked.insert(part.address).inserted
                else { continue }
                return ListedSegment(list: list, playlist: playlist, index: playlist.segments.count - 1)
            }
            return nil
        }
        guard let last else { return nil }
        let startNs = MonotonicClock.nowNs()
        guard case .failure(let failure) = peek(part.address, Self.peekLimitMs, 1),
            let other = redundant(last, of: part, tell)
        else { return nil }
        tell(.asked(Self.request(part.address, status: failure.status, startNs)))
        state.with { $0.refusals[part] = Refusal(count: 1, status: failure.status) }
        return other
    }

    /// Where a redundant variant has the same segment, and did not refuse it yet.
    func redundant(_ place: ListedSegment, of part: Part, _ tell: (Finding) -> Void) -> String? {
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
}

// MARK: What is none

extension StreamDetours {
    private static let peekLimitMs: Int64 = 2000
    private static let peeks = 4

    /// The address of a segment that is a whole MP4 file, among those that came last.
    package func wholeFile() -> String? {
        let segments = state.with { $0.answered }.reversed().filter { known($0) != nil || numbered($0) != nil }
        return segments.prefix(Self.peeks).first { part in
            part.range == nil
                && (try? peek(part.address, Self.peekLimitMs, WholeFile.beginning).get()).map(WholeFile.begins) ?? false
        }?.address
    }
}

// MARK: What is left out

extension StreamDetours {
    /// Replaces a segment by nothing, unless too many before it are missing.
    func leaveOut(_ part: Part, _ place: SegmentPlace, status: Int?, _ tell: (Finding) -> Void) -> Route? {
        guard isFollowed(place) else { return nil }
        let (isNew, isAllowed) = count(place)
        guard isAllowed, let filler = filler(for: part, place) else { return nil }
        if isNew { tell(.skipped(part.address, status: status)) }
        return .to(filler)
    }

    /// Tells of the last segment of a form: the demuxer does not ask for that again, and the others go on.
    func finishLast(_ part: Part, _ refusal: Refusal, _ tell: (Finding) -> Void) {
        guard refusal.status == 404 || refusal.status == 410, let place = known(part).map(place) ?? numbered(part),
            place.isLast
        else { return }
        let (isNew, isAllowed) = count(place)
        if isAllowed, isNew { tell(.skipped(part.address, status: refusal.status)) }
    }

    /// Counts a segment as left out, if it may be; a row of texts is told once.
    private func count(_ place: SegmentPlace) -> (isNew: Bool, isAllowed: Bool) {
        state.with { state in
            let others = state.skipped[place.group] ?? []
            let isAllowed =
                place.isText
                || !(1...Int64(Self.skipLimit)).allSatisfy { others.contains(place.sequence - $0) }
            if isAllowed { state.skipped[place.group, default: []].insert(place.sequence) }
            let isTold = others.contains(place.sequence) || (place.isText && others.contains(place.sequence - 1))
            return (!isTold, isAllowed)
        }
    }

    /// Whether there is more of a live DASH stream: its next segment may not be there yet, as nobody lists them.
    private func isFollowed(_ place: SegmentPlace) -> Bool {
        guard place.isLive, state.with({ $0.dash }) != nil, let next = place.others.first(where: { $0.distanceUs > 0 })
        else { return true }
        return (try? fetch(next.address, Self.segmentLimitMs, Self.segmentLimit)) != nil
    }

    /// The address of what stands for nothing.
    ///
    /// It is an answer without a byte, but where the demuxer has the initialization of fragmented MP4 and waits for a
    /// fragment: that is one without samples, with the time that the missing one had.
    private func filler(for part: Part, _ place: SegmentPlace) -> String? {
        if let made = state.with({ $0.fillers[part] }) { return made }
        var fragment: [UInt8]?
        if let initialization = place.initialization, awaitsFragment(initialization, in: place) {
            fragment = self.fragment(for: place, behind: initialization)
            if fragment == nil { return nil }
        }
        let isPlainText = place.isText && place.initialization == nil
        guard let address = answer(.bytes(fragment ?? (isPlainText ? Self.emptyText : []))) else { return nil }
        state.with { state in
            Self.remember(part, &state)
            if fragment != nil { state.fillers[part] = address }
        }
        return address
    }

    /// Whether the demuxer has got an initialization, and no segment with it since.
    private func awaitsFragment(_ initialization: String, in place: SegmentPlace) -> Bool {
        for part in state.with({ $0.answered }).reversed() {
            if part.address == initialization { return true }
            if place.isOfSameForm(part) { return false }
        }
        return false
    }

    private func fragment(for place: SegmentPlace, behind initialization: String) -> [UInt8]? {
        guard !place.isInitializationPart,
            let head = try? fetch(initialization, Self.segmentLimitMs, Self.segmentLimit)
        else { return nil }
        for other in place.others {
            guard let bytes = try? fetch(other.address, Self.segmentLimitMs, Self.segmentLimit) else { continue }
            return EmptyFragment.bytes(initialization: head, other: bytes, distanceUs: other.distanceUs)
        }
        return nil
    }
}
