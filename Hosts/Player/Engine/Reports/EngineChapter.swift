/// A chapter as the container has it.
package struct EngineChapter: Sendable, Equatable {
    /// Where it begins.
    package var startMs: Int64
    /// Where it ends, nil when the container does not say.
    package var endMs: Int64?
    /// Its title; may be empty.
    package var title: String
}
