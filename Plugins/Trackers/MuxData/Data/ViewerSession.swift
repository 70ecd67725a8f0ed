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

    private static func number(_ value: PlainValue?) -> Int64? { text(value).flatMap { Int64($0) } }
}

/// Makes identifiers: UUIDs of version 4 as text, in small letters.
enum IdentifierText {
    /// An identifier from a number of the session's random sequence.
    ///
    /// The time goes in as well: a tracker that joins a session a second time is given the same numbers again.
    static func make(_ random: UInt64, at time: Int64) -> String {
        var generator = SplitMix64(seed: random ^ UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15)
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = ""
        text.reserveCapacity(36)
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { text += "-" }
            let word = position < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (position & 15))) & 0xF
            text.unicodeScalars.append(Unicode.Scalar(Hex.digit(nibble)))
        }
        return text
    }
}
