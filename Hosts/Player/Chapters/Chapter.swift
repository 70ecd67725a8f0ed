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
