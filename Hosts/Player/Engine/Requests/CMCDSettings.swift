/// Whether and how requests say what Common Media Client Data has (CTA-5004).
package struct CMCDSettings: Sendable, Equatable {
    /// How it goes with a request.
    package enum Form: String, Sendable, CaseIterable {
        /// Not at all.
        case off
        /// As the argument `CMCD` of the address.
        case query
        /// As up to four headers.
        case header
    }

    /// How it goes.
    package var form = Form.off
    /// The version of the standard, 1 or 2.
    package var version = 1
    /// What names the session; empty for nothing.
    package var sessionID = ""
    /// What names the content; empty for nothing.
    package var contentID = ""

    /// Nothing is said.
    package init() {}

    /// What a request for a playlist says that the player makes apart from its engine.
    var ofPlaylist: CMCDRecord {
        var record = session
        record.objectType = .manifest
        record.format = .hls
        return record
    }

    /// What any request of the session says.
    package var session: CMCDRecord {
        var record = CMCDRecord()
        record.sessionID = sessionID
        record.contentID = contentID
        return record
    }
}
