package import TextEncoding

/// One event in the form of Open Analytics: what a player says at once.
package struct OpenAnalyticsEvent: Equatable, Sendable {
    /// What happened; events of one time are in this order.
    package enum Kind: String, Sendable, CaseIterable {
        case initialized = "init"
        case metadata
        case loading
        case loaded
        case playing
        case paused
        /// Paused, as a chart of the specification and its interface call it.
        case pause
        case resume
        case buffering
        case buffered
        case seeking
        case seeked
        case bitrateChanged = "bitrate_changed"
        case heartbeat
        case error
        case warning
        /// An event of one player library's own.
        case report
        case stopped

        /// Where it stands among events of one time.
        var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Why a text is no event.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        /// It is no JSON object.
        case syntax(String)
        /// A required member is missing.
        case missing(String)
        /// A member has a value of another type.
        case wrongType(String, wants: String)
        /// There is no event of this name.
        case unknownEvent
        /// The session's id is empty or longer than 64 bytes.
        case sessionLength
        /// Something that the schema does not have, where it is held to it.
        case notInSchema(String)

        /// A word for counting.
        package var word: String {
            switch self {
            case .syntax: "syntax"
            case .missing: "missing"
            case .wrongType, .sessionLength: "type"
            case .unknownEvent: "unknown"
            case .notInSchema: "schema"
            }
        }

        package var description: String {
            switch self {
            case .syntax(let reason): "the body is no event: \(reason)"
            case .missing(let member): "\(member) is missing"
            case .wrongType(let member, let wanted): "\(member) is not \(wanted)"
            case .unknownEvent:
                "event is none of "
                    + Kind.allCases.filter { $0 != .pause && $0 != .report }.map(\.rawValue).joined(separator: ", ")
            case .sessionLength: "sessionId has no characters, or more than 64 bytes"
            case .notInSchema(let what): "\(what) is not in the schema of Open Analytics, to which this tenant holds"
            }
        }
    }

    /// What happened.
    package let kind: Kind
    /// The session's id; nil when the player gave none.
    package let session: String?
    /// When it happened, ms since 1970 by the player's clock.
    package let timestamp: Int64
    /// Where playback stands, in the player's unit; nil when it is not known.
    let playhead: Double?
    /// How long the content is, in the player's unit; nil when it is not known.
    let duration: Double?
    /// What is said of the event.
    let payload: JSONObject

    /// Reads an event.
    ///
    /// Members that are not the specification's, and those of `payload` that are wrong, are passed over: players send
    /// them, and what they say besides is true. A strict reading refuses them.
    package init(_ text: String) throws(Refusal) {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONParser().parse(text)
        } catch {
            throw .syntax(error.message)
        }
        try self.init(value)
    }

    /// Reads an event of a value; `isStrict` holds it to the letter of the schema.
    package init(_ value: JSONValue, isStrict: Bool = false) throws(Refusal) {
        guard let members = value.object else { throw .syntax("it is \(value.kind), and no object") }
        guard let name = try Self.required("event", of: members).string else {
            throw .wrongType("event", wants: "a string")
        }
        guard let kind = Kind(rawValue: name) else { throw .unknownEvent }
        self.kind = kind
        switch members["sessionId"] {
        case nil: session = nil
        case .string(let text)?:
            guard 1...64 ~= text.utf8.count else { throw .sessionLength }
            session = text
        default: throw .wrongType("sessionId", wants: "a string")
        }
        let time = try Self.number("timestamp", of: members)
        // What is no time is dated by its coming.
        timestamp = abs(time) < 0x1p53 ? Int64(time) : -1
        playhead = Self.known(try Self.number("playhead", of: members))
        duration = Self.known(try Self.number("duration", of: members)).flatMap { $0 > 0 ? $0 : nil }
        switch members["payload"] {
        case nil, .null?: payload = JSONObject()
        case .object(let members)?: payload = members
        default: throw .wrongType("payload", wants: "an object")
        }
        if isStrict { try OpenAnalyticsSchema.check(members, kind) }
    }

    private static func required(_ name: String, of members: JSONObject) throws(Refusal) -> JSONValue {
        guard let value = members[name] else { throw .missing(name) }
        return value
    }

    private static func number(_ name: String, of members: JSONObject) throws(Refusal) -> Double {
        guard let number = try required(name, of: members).double else { throw .wrongType(name, wants: "a number") }
        return number
    }

    /// -1 says that it is not known, and some platforms send their own smallest number.
    private static func known(_ number: Double) -> Double? { number >= 0 && number < 0x1p53 ? number : nil }

    /// A member of the payload as text; a number is text too.
    func text(_ name: String) -> String? {
        switch payload[name] {
        case .string(let text)?: text.isEmpty ? nil : text
        case .int(let number)?: String(number)
        default: nil
        }
    }

    /// A positive number of the payload.
    func amount(_ name: String) -> Double? {
        payload[name]?.double.flatMap { $0 > 0 && $0 < 0x1p31 ? $0 : nil }
    }
}
