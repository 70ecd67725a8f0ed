internal import Chapters
internal import EventModel
internal import MediaRules
internal import Tally

// What is played, and in which quality.
extension SignalCourse {
    /// The time between two quality samples.
    private static let qualityNs: Int64 = 10_000_000_000
    /// How many requests are remembered, for the error that may follow from them.
    private static let requestLimit = 16

    // MARK: - Renditions

    mutating func formatChanged(to format: StreamRendition) {
        guard let item, self.item?.renditions.formatChanged(to: format) == true, item.isLoaded else { return }
        if let visible = self.item?.renditions.visible { show(visible) }
    }

    /// Tells what is on screen.
    mutating func show(_ rendition: StreamRendition) {
        var rendition = rendition
        rendition.bitrate = rendition.bitrate ?? item?.renditions.current.bitrate
        keep(rendition)
        guard let change = item?.reporting.visible(rendition) else { return }
        call(.renditionChange(change))
        sampleQuality(isDue: true)
    }

    private mutating func keep(_ rendition: StreamRendition) {
        known.state.bitrate = rendition.bitrate ?? known.state.bitrate
        known.state.framesPerSecond = rendition.framesPerSecondMilli.map { Int32(clamping: $0) }
        guard let width = rendition.width, let height = rendition.height else { return }
        known.state.size = ReportedState.Size(width: Int32(clamping: width), height: Int32(clamping: height))
    }

    mutating func variantChosen(_ bitrate: Int64) {
        guard let item else { return }
        guard item.isLoaded else {
            self.item?.held.variant = bitrate
            return
        }
        guard self.item?.renditions.choose(bitrate: bitrate) == true else { return }
        let variant = item.renditions.variant(of: bitrate)
        if let change = self.item?.reporting.decided(variant) { call(.renditionChange(change)) }
    }

    /// Samples the quality when it is due, or when something changed.
    mutating func sampleQuality(isDue: Bool = false) {
        guard let item, item.isLoaded, isDue || nowNs >= item.nextQualityNs else { return }
        self.item?.nextQualityNs = nowNs + Self.qualityNs
        known.state.bitrate = item.renditions.current.bitrate ?? known.state.bitrate
        call(.event(.qualitySample))
    }

    // MARK: - Frames

    mutating func countDropped(_ source: UInt, _ count: Int64, _ isEvent: Bool) {
        var total = dropped[source, default: RunningTotal()]
        total.read(count, isEvent: isEvent)
        dropped[source] = total
        if item != nil { known.state.droppedFrames = dropped.values.reduce(0) { $0 &+ $1.total } }
    }

    mutating func countRendered(_ count: Int64) {
        rendered.read(count)
        if item != nil { known.state.renderedFrames = rendered.total }
    }

    // MARK: - Settings

    mutating func change(_ setting: PlayerSetting) {
        let before = known.state
        if let volume = setting.volume, !volume.isNaN {
            known.state.volume = Int32((min(max(volume, 0), 1) * 1_000).rounded())
        }
        if let isMuted = setting.isMuted { known.state.isMuted = isMuted }
        if let rate = setting.rate { known.state.rate = Canonical.thousandths(rate) }
        if let isFullscreen = setting.isFullscreen { known.state.isFullscreen = isFullscreen }
        if let size = setting.playerSize { known.state.playerSize = size }
        if known.state != before, item?.hasStarted == true, item?.isSeeking == false {
            call(.event(.playheadSample))
        }
    }

    // MARK: - Chapters

    mutating func list(_ found: [SignalledChapter]) {
        guard item != nil, item?.chapters.current == nil else { return }
        let chapters = found.map { Chapter(startMs: max(0, $0.startMs), endMs: $0.endMs, title: $0.title) }
        item?.chapters = ChapterCourse(ChapterList(chapters))
    }

    mutating func tell(_ steps: [ChapterCourse.Step]) {
        for step in steps {
            switch step {
            case .start(let index):
                known.chapter = chapter(index)
                call(.event(.chapterStart))
            case .complete: call(.event(.chapterComplete))
            case .skip: call(.event(.chapterSkip))
            }
        }
        if item?.chapters.current == nil { known.chapter = [] }
    }

    private func chapter(_ index: Int) -> [TrackedCall.Attribute] {
        guard let chapter = item?.chapters.list.chapters[index] else { return [] }
        let endMs = chapter.endMs ?? known.state.duration.flatMap { $0 > 0 ? $0 : nil }
        var attributes: [TrackedCall.Attribute] = [
            .init("chapter_name", .string(chapter.title)),
            .init("chapter_position", .int(Int64(index + 1))),
            .init("chapter_start_ms", .int(chapter.startMs)),
        ]
        attributes.set("chapter_duration_ms", endMs.map { .int($0 - chapter.startMs) })
        return attributes
    }

    // MARK: - Requests

    mutating func answered(_ request: EngineRequest) {
        guard let item else { return }
        guard item.isLoaded else {
            if item.held.requests.count < Self.requestLimit { self.item?.held.requests.append(request) }
            return
        }
        if item.requests.count == Self.requestLimit { self.item?.requests.removeFirst() }
        self.item?.requests.append(request)
        if request.succeeded, !request.isIncomplete {
            call(.requestCompleted(NetworkRequest(request)))
        } else {
            call(.requestFailed(NetworkRequest(request), PlayerErrorDetails(failed: request)))
        }
    }
}
