/// The chapters of the main content in their order, none of which overlap.
package struct ChapterList: Sendable, Equatable {
    /// The chapters; each has an end except the last, which may have none.
    package let chapters: [Chapter]

    /// Puts chapters in order; where two overlap, the earlier one ends as the later begins.
    package init(_ found: [Chapter]) {
        let usable = found.filter { $0.startMs >= 0 && ($0.endMs ?? .max) > $0.startMs }
        var ordered: [Chapter] = []
        for (_, chapter) in usable.enumerated().sorted(by: {
            ($0.element.startMs, $0.offset) < ($1.element.startMs, $1.offset)
        }) {
            if let last = ordered.last {
                // Of two that begin together the first counts.
                guard last.startMs < chapter.startMs else { continue }
                ordered[ordered.count - 1].endMs = min(last.endMs ?? chapter.startMs, chapter.startMs)
            }
            ordered.append(chapter)
        }
        chapters = ordered
    }

    /// The index of the chapter at a place; nil where there is none.
    package func index(atMs positionMs: Int64) -> Int? {
        guard let index = chapters.lastIndex(where: { $0.startMs <= positionMs }) else { return nil }
        return positionMs < chapters[index].endMs ?? .max ? index : nil
    }
}

/// A part of the main content.
package struct Chapter: Sendable, Equatable {
    /// Where it begins, in milliseconds.
    package var startMs: Int64
    /// Where it ends; nil for the beginning of the next one, or the end of the main content.
    package var endMs: Int64?
    /// The title for people; may be empty.
    package var title: String

    /// Makes a chapter.
    package init(startMs: Int64, endMs: Int64?, title: String) {
        self.startMs = startMs
        self.endMs = endMs
        self.title = title
    }
}

/// Says which chapter begins and which is over as the playhead moves.
package struct ChapterCourse: Sendable {
    /// Something that happens to a chapter, named by its index.
    package enum Step: Sendable, Equatable {
        case start(Int)
        /// It was played to its end.
        case complete(Int)
        /// It was left before its end.
        case skip(Int)
    }

    /// The chapters.
    package let list: ChapterList
    /// The chapter that is shown.
    package private(set) var current: Int?

    /// No chapter is shown.
    package init(_ list: ChapterList) {
        self.list = list
    }

    /// Playback came to a place: what happens to chapters, in order.
    package mutating func moved(toMs positionMs: Int64) -> [Step] {
        let next = list.index(atMs: positionMs)
        guard next != current else { return [] }
        defer { current = next }
        return (current.map { [Step.complete($0)] } ?? []) + (next.map { [Step.start($0)] } ?? [])
    }

    /// A seek came to a place: the chapter that it left, if any; ``moved(toMs:)`` has what begins there.
    package mutating func jumped(toMs positionMs: Int64) -> [Step] {
        guard let left = current, list.index(atMs: positionMs) != left else { return [] }
        current = nil
        return [.skip(left)]
    }

    /// The main content was played to its end.
    package mutating func ended() -> [Step] {
        defer { current = nil }
        return current.map { [.complete($0)] } ?? []
    }
}
