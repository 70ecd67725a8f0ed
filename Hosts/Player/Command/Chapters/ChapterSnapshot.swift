/// What is known of the chapter that is shown.
struct ChapterSnapshot: Sendable {
    let title: String
    /// Its index in the main content, from 1.
    let position: Int
    let startMs: Int64
    let durationMs: Int64?
}
