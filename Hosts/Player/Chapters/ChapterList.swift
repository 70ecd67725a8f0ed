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
