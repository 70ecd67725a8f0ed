internal import PluginKit

/// One passage through a chapter.
final class Chapter: StatePart {
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

    init(saved state: SavedState) throws(TrackerFault) {
        information = try state.part("information")
        id = try state.text("id")
        sessionID = try state.text("session")
    }

    var saved: SavedState {
        var state = SavedState()
        state.set("information", information)
        state.set("id", id)
        state.set("session", sessionID)
        return state
    }
}
