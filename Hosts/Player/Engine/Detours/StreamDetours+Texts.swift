internal import Streaming
internal import System
internal import XML

// Texts that nobody has: nobody sees them, so they end nothing.

extension StreamDetours {
    /// Text without a line.
    static let emptyText = Array("WEBVTT\n\n".utf8)
    /// How often a playlist is asked for before it counts as missing: the demuxer gives up soon after.
    private static let listTries = 3
    private static let fileLimit = 16 << 20

    /// Whether texts right before a segment were left out too.
    func isInRow(_ place: SegmentPlace) -> Bool {
        place.isText && state.with { $0.skipped[place.group]?.contains(place.sequence - 1) ?? false }
    }

    /// Looks at a file of texts before the demuxer asks for it, which waits for ever when it gets no text at all; nil
    /// where that is not so.
    func withoutText(_ part: Part, _ tell: (Finding) -> Void) -> Route? {
        guard let place = numbered(part), place.isText, place.initialization == nil, place.others.isEmpty,
            state.with({ $0.looked.insert(part.address).inserted })
        else { return nil }
        let startNs = MonotonicClock.nowNs()
        do throws(FetchFailure) {
            _ = try fetch(part.address, Self.segmentLimitMs, Self.fileLimit)
            return nil
        } catch {
            guard let status = error.status else { return nil }
            tell(.asked(Self.request(part.address, status: status, startNs)))
            return leaveOut(part, place, status: status, tell)
        }
    }

    /// Puts a playlist of empty text in place of one of texts that nobody has; nil where that is not so.
    ///
    /// A live stream's is left as it is: how long it will be is not known.
    func withoutTexts(_ part: Part, _ tell: (Finding) -> Void) -> Route? {
        let (refusal, isText, lists) = state.with { state in
            (state.refusals[part], Self.isAmong(state.master?.texts, part.address, state), state.playlists.values)
        }
        guard isText, let refusal, refusal.status != nil,
            isFinal(refusal, isLive: false, isText: true) || refusal.count >= Self.listTries,
            !lists.contains(where: { !$0.isEnded }),
            let text = answer(.bytes(Self.emptyText))
        else { return nil }
        let us = lists.map { $0.segments.reduce(0) { $0 + $1.durationUs } }.max() ?? 0
        let seconds = max(1, us / 1_000_000)
        let list =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(seconds)\n#EXTINF:\(seconds),\n\(text)\n#EXT-X-ENDLIST\n"
        guard let address = answer(.bytes(Array(list.utf8))) else { return nil }
        let isNew = state.with { $0.skipped[part.address, default: []].insert(-1).inserted }
        if isNew { tell(.skipped(part.address, status: refusal.status)) }
        return .to(address)
    }
}
