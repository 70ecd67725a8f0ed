/// Takes what is known of a chapter (Adobe VHL 1.4, `ADB_VHB_ChapterInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct ChapterInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Title for people.
    public func name(_ text: String) { unsafe encoder.pointee.set(.chapterName, text) }

    /// Length of the chapter, seconds; kept in whole milliseconds.
    public func length(seconds: Double) {
        unsafe encoder.pointee.set(.chapterDurationMs, Canonical.milliseconds(seconds))
    }

    /// Index in the main content, from 1.
    public func position(_ number: Int) { unsafe encoder.pointee.set(.chapterPosition, Int64(number)) }

    /// Where in the main content the chapter begins, seconds; kept in whole milliseconds.
    public func startTime(seconds: Double) {
        unsafe encoder.pointee.set(.chapterStartMs, Canonical.milliseconds(seconds))
    }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }
}
