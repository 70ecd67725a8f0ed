internal import PluginKit

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

    /// The passage as values.
    struct Parts {
        var information = ChapterInformation.blank
        var id = ""
        var sessionID = ""
    }

    /// Goes on with a passage that was saved.
    init(_ parts: Parts) {
        information = parts.information
        id = parts.id
        sessionID = parts.sessionID
    }

    /// What it consists of.
    var parts: Parts {
        Parts(information: information, id: id, sessionID: sessionID)
    }
}

extension Chapter.Parts: StateValue {
    static var blank: Chapter.Parts { Chapter.Parts() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&information)
        transfer.carry(&id)
        transfer.carry(&sessionID)
    }
}
