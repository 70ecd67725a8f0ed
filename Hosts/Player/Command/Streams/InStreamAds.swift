internal import Advertising
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// Tells the course of ads that are part of the stream itself: nothing waits for them, and the playhead goes on.
final class InStreamAds {
    /// What is on screen.
    private struct Current {
        let breakID: String
        var adID: String?
        var durationMs: Int64?
        var course = AdCourse(durationMs: nil)
    }

    /// An ad with its place in the stream.
    private struct Placed {
        let id: String
        let position: Int
        let startMs: Int64
        let endMs: Int64?
    }

    private let tracking: PlaybackTracking
    private var breaks: [StreamBreak] = []
    private var timeline: ProgramTimeline?
    private var current: Current?

    init(tracking: PlaybackTracking) {
        self.tracking = tracking
    }

    /// Follows these breaks from now on: what is known of them.
    func follow(_ breaks: [StreamBreak], on timeline: ProgramTimeline) {
        self.breaks = breaks
        self.timeline = timeline
    }

    func tick(_ positionMs: Int64) {
        guard !breaks.isEmpty, tracking.isMoving, tracking.hasShownContent else { return }
        follow(positionMs, isJump: false)
    }

    /// A seek is over: what it left is not shown to its end.
    func jumped(toMs positionMs: Int64) {
        guard current != nil else { return }
        follow(positionMs, isJump: true)
    }

    /// The media is over.
    func ended() {
        guard current != nil else { return }
        finishAd(isJump: false)
        finishBreak()
    }

    private func follow(_ positionMs: Int64, isJump: Bool) {
        let index = breaks.lastIndex { contains($0.startUs, $0.endUs, positionMs) }
        let ads = index.map { placed(breaks[$0]) } ?? []
        let ad = ads.last { $0.startMs <= positionMs && $0.endMs.map { positionMs < $0 } ?? true }
        if let current, current.adID != nil, current.breakID != index.map({ breaks[$0].id }) || current.adID != ad?.id {
            finishAd(isJump: isJump)
        }
        if let current, current.breakID != index.map({ breaks[$0].id }) { finishBreak() }
        guard let index else { return }
        if current == nil { start(index, positionMs) }
        if let ad, current?.adID == nil { start(ad) }
        guard let ad, let milestones = current?.course.moved(toMs: positionMs - ad.startMs) else { return }
        tracking.snapshot.with { $0.ad?.playheadMs = max(0, positionMs - ad.startMs) }
        report(milestones)
    }

    private func contains(_ startUs: Int64, _ endUs: Int64?, _ positionMs: Int64) -> Bool {
        guard let timeline, timeline.positionMs(ofUs: startUs) <= positionMs else { return false }
        return endUs.map { positionMs < timeline.positionMs(ofUs: $0) } ?? true
    }

    private func placed(_ found: StreamBreak) -> [Placed] {
        guard let timeline else { return [] }
        return found.ads.enumerated().map { index, ad in
            Placed(
                id: ad.id,
                position: index + 1,
                startMs: timeline.positionMs(ofUs: ad.startUs),
                endMs: ad.endUs.map(timeline.positionMs)
            )
        }
    }

    private func start(_ index: Int, _ positionMs: Int64) {
        let startMs = timeline?.positionMs(ofUs: breaks[index].startUs) ?? positionMs
        let isFirst = startMs <= 0 && !(tracking.snapshot.with { $0.streamType != .vod })
        current = Current(breakID: breaks[index].id)
        let info = AdSnapshot.Break(
            id: breaks[index].id,
            position: index + 1,
            startMs: max(0, startMs),
            type: isFirst ? "pre" : "mid"
        )
        tracking.adBreakStarted(info, playheadMs: positionMs)
        tracking.notes.say("ad break '\(breaks[index].id)' in the stream")
    }

    private func start(_ ad: Placed) {
        let durationMs = ad.endMs.map { $0 - ad.startMs }
        current?.adID = ad.id
        current?.durationMs = durationMs
        current?.course = AdCourse(durationMs: durationMs)
        tracking.adStarted(AdSnapshot.Ad(id: ad.id, position: ad.position, durationMs: durationMs))
    }

    private func finishAd(isJump: Bool) {
        guard current?.adID != nil else { return }
        if isJump {
            tracking.track(tracking.run.trackAdSkip())
        } else {
            if let durationMs = current?.durationMs { tracking.adEnds(atMs: durationMs) }
            report(current?.course.ended() ?? [])
            tracking.track(tracking.run.trackAdComplete())
        }
        current?.adID = nil
        tracking.adLeft()
    }

    private func finishBreak() {
        current = nil
        tracking.adBreakEnded()
    }

    private func report(_ milestones: [AdCourse.Milestone]) {
        for milestone in milestones {
            if case .quartile(let number) = milestone { tracking.adReached(quartile: number) }
        }
    }
}
