/// One passage through a chapter.
final class Chapter {
    let information: ChapterInformation
    /// Which chapter of which video.
    let id: String
    /// Unique among all passages.
    let sessionID: String

    init(_ information: ChapterInformation, id: String, sessionID: String) {
        self.information = information
        self.id = id
        self.sessionID = sessionID
    }
}
