internal import Chapters
internal import PlaybackEngine
internal import Tally

/// Tells which chapter is shown; used on the thread of the main content's engine.
final class ChapterReporting {
    private let tracking: PlaybackTracking
    /// Whether the chapters come from a file, which counts more than what the media says.
    private let isGiven: Bool
    private var course: ChapterCourse

    init(_ given: ChapterList?, tracking: PlaybackTracking) {
        self.tracking = tracking
        isGiven = given != nil
        course = ChapterCourse(given ?? ChapterList([]))
    }

    /// Does what has to come before the report is told.
    func prepare(for report: EngineReport) {
        switch report.event {
        case .chapters(let found):
            guard !isGiven, course.current == nil else { return }
            course = ChapterCourse(ChapterList(found))
        case .seekCompleted(let positionMs): track(course.jumped(toMs: positionMs))
        case .endOfStream: track(course.ended())
        default: break
        }
    }

    func tick(_ positionMs: Int64?) {
        guard let positionMs, tracking.isMoving, tracking.hasShownContent else { return }
        let steps = course.moved(toMs: positionMs)
        guard !steps.isEmpty else { return }
        tracking.snapshot.with { $0.playheadMs = positionMs }
        track(steps)
    }

    private func track(_ steps: [ChapterCourse.Step]) {
        for step in steps {
            switch step {
            case .start(let index): start(index)
            case .complete: tracking.track(tracking.run.trackChapterComplete())
            case .skip: tracking.track(tracking.run.trackChapterSkip())
            }
        }
        if course.current == nil { tracking.snapshot.with { $0.chapter = nil } }
    }

    private func start(_ index: Int) {
        let chapter = course.list.chapters[index]
        tracking.snapshot.with { snapshot in
            let endMs = chapter.endMs ?? snapshot.media?.durationMs
            snapshot.chapter = ChapterSnapshot(
                title: chapter.title,
                position: index + 1,
                startMs: chapter.startMs,
                durationMs: endMs.map { $0 - chapter.startMs }
            )
        }
        tracking.track(tracking.run.trackChapterStart())
        tracking.notes.say("chapter \(index + 1): \(chapter.title)")
    }
}
