internal import PluginKit

/// Who watches, and in which session: views that follow each other within 25 minutes are one session.
///
/// Both outlast the player run, so the host keeps them.
struct ViewerSession {
    /// How long a session lasts after a view's begin or end, ms.
    static let length: Int64 = 25 * 60_000

    /// Keys of the values that the host keeps.
    static let storeKeys = ["muxViewerId", "sessionId", "sessionStart", "sessionExpires"]

    private(set) var viewerID: String?
    private(set) var id: String?
    private(set) var start: Int64 = 0
    private(set) var expires: Int64 = 0

    /// Takes what an earlier run left.
    init(_ stored: [String: PlainValue]) {
        viewerID = Self.text(stored["muxViewerId"])
        guard let id = Self.text(stored["sessionId"]), let start = Self.number(stored["sessionStart"]),
            let expires = Self.number(stored["sessionExpires"])
        else { return }
        self.id = id
        self.start = start
        self.expires = expires
    }

    /// Sets the viewer's id and keeps it.
    mutating func identify(_ viewer: String, host: TrackerHost) {
        guard viewer != viewerID else { return }
        viewerID = viewer
        host.store("muxViewerId", viewer)
    }

    /// Goes on with the session at a time, or begins another one when it is over.
    mutating func renew(at time: Int64, host: TrackerHost, makeID: () -> String) {
        if id == nil || time > expires {
            let new = makeID()
            id = new
            start = time
            host.store("sessionId", new)
            host.store("sessionStart", "\(start)")
        }
        guard expires != time + Self.length else { return }
        expires = time + Self.length
        host.store("sessionExpires", "\(expires)")
    }

    private static func text(_ value: PlainValue?) -> String? {
        guard case .string(let text)? = value, !text.isEmpty else { return nil }
        return text
    }

    private static func number(_ value: PlainValue?) -> Int64? {
        text(value).flatMap { Int64($0) }
    }
}

extension ViewerSession: StateValue {
    static var blank: ViewerSession { ViewerSession([:]) }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&viewerID)
        transfer.carry(&id)
        transfer.carry(&start)
        transfer.carry(&expires)
    }
}
