/// Says which chapter begins and which is over as the playhead moves.
package struct ChapterCourse: Sendable {
    /// Something that happens to a chapter, named by its index.
    package enum Step: Sendable, Equatable {
        /// It begins.
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
