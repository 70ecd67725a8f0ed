package import EventModel

/// What a signal is told with: the one list of their names and attributes.
package struct SignalShape: Equatable, Sendable {
    /// What values an attribute has.
    package enum Kind: String, Sendable {
        case text
        /// A whole number; other numbers are rounded.
        case integer
        case number
        case truth
    }

    package struct Attribute: Equatable, Sendable {
        package let name: String
        package let kind: Kind
        /// Whether the signal says nothing without it.
        package let isRequired: Bool
    }

    package let name: String
    package let attributes: [Attribute]
    /// Whether it is told with any attributes of the data model, in place of those that are listed.
    package var isOpen: Bool { name == "described" }

    private init(
        _ name: String,
        needs required: KeyValuePairs<String, Kind> = [:],
        _ others: KeyValuePairs<String, Kind> = [:]
    ) {
        self.name = name
        attributes =
            required.map { Attribute(name: $0.key, kind: $0.value, isRequired: true) }
            + others.map { Attribute(name: $0.key, kind: $0.value, isRequired: false) }
    }

    /// All signals, in the order of the page that explains them.
    package static let all = [
        SignalShape("opening", needs: ["url": .text], ["playing": .truth]),
        SignalShape("redirected"),
        SignalShape("opened", ["duration_ms": .integer, "live": .truth, "video": .truth]),
        SignalShape("described"),
        SignalShape("wanted", needs: ["playing": .truth]),
        SignalShape("running", needs: ["running": .truth]),
        SignalShape("buffering", needs: ["percent": .integer]),
        SignalShape("seeking", ["to_ms": .integer, "rate": .number]),
        SignalShape("seeked", ["at_ms": .integer]),
        SignalShape("picture"),
        SignalShape("position", ["ms": .integer]),
        SignalShape("tick"),
        SignalShape("format", ["width": .integer, "height": .integer, "fps": .number]),
        SignalShape("bitrate", ["video": .integer, "audio": .integer]),
        SignalShape("variant", needs: ["bitrate": .integer]),
        SignalShape("dropped", needs: ["count": .integer], ["source": .integer, "event": .truth]),
        SignalShape("rendered", needs: ["count": .integer]),
        SignalShape("throughput", needs: ["bitrate": .integer]),
        SignalShape("buffered", needs: ["ms": .integer]),
        SignalShape(
            "setting",
            [
                "volume": .number, "muted": .truth, "rate": .number, "fullscreen": .truth,
                "player_width": .integer, "player_height": .integer,
            ]
        ),
        SignalShape("chapters"),
        SignalShape("chapter", needs: ["start_ms": .integer], ["end_ms": .integer, "title": .text]),
        SignalShape(
            "request",
            needs: ["url": .text],
            ["status": .integer, "bytes": .integer, "type": .text, "duration_ms": .integer]
        ),
        SignalShape("missing_decoder", needs: ["media_type": .text], ["name": .text]),
        SignalShape(
            "failed",
            ["domain": .text, "code": .integer, "http_status": .integer, "message": .text, "debug": .text]
        ),
        SignalShape("ended", ["limited": .truth]),
        SignalShape("closed", ["cause": .text]),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The signal with a name, if there is one.
    package static func named(_ name: String) -> SignalShape? { byName[name] }

    /// What is wrong with the attributes that a signal came with, the gravest first; nil when nothing is.
    func fault(in given: [TrackedCall.Attribute]) -> SignalFault? {
        guard !isOpen else { return nil }
        for attribute in attributes {
            let value = given.last { $0.name == attribute.name }?.value
            guard let value else {
                if attribute.isRequired { return SignalFault(name, attribute.name, .missing(attribute.kind)) }
                continue
            }
            if !attribute.kind.takes(value) { return SignalFault(name, attribute.name, .mismatched(attribute.kind)) }
            if attribute.isRequired, !value.isMeant { return SignalFault(name, attribute.name, .noNumber) }
        }
        let unknown = given.first { one in !attributes.contains { $0.name == one.name } }
        return unknown.map { SignalFault(name, $0.name, .unknown(attributes.map(\.name))) }
    }
}

extension SignalShape.Kind {
    /// Whether a value is of the kind.
    package func takes(_ value: PlainValue) -> Bool {
        switch (self, value) {
        case (.text, .string), (.truth, .bool), (.integer, .int), (.integer, .double), (.number, .int),
            (.number, .double):
            true
        default: false
        }
    }
}

extension PlainValue {
    /// Beyond this no player means a number.
    static let greatest = 0x1p53

    /// Whether it is no number that nobody means: infinite, none at all, or far beyond what any player counts.
    fileprivate var isMeant: Bool {
        switch self {
        case .double(let number): abs(number) <= Self.greatest
        case .int(let number): Double(number).magnitude <= Self.greatest
        default: true
        }
    }
}

/// What is wrong with how a signal was told.
package struct SignalFault: Error, Hashable, CustomStringConvertible, Sendable {
    package enum Reason: Hashable, Sendable {
        /// It has to be there.
        case missing(SignalShape.Kind)
        /// It has to be of this kind.
        case mismatched(SignalShape.Kind)
        /// It has to be a number that counts something.
        case noNumber
        /// The signal has no such attribute but these.
        case unknown([String])
    }

    package let signal: String
    package let attribute: String
    package let reason: Reason

    init(_ signal: String, _ attribute: String, _ reason: Reason) {
        (self.signal, self.attribute, self.reason) = (signal, attribute, reason)
    }

    /// Whether the signal is left out for it.
    package var isGrave: Bool {
        if case .unknown = reason { false } else { true }
    }

    /// What was wrong, what became of it, and where to look.
    package var description: String {
        let what =
            switch reason {
            case .missing(let kind): "has no '\(attribute)', \(kind.described)"
            case .mismatched(let kind): "came with another kind of '\(attribute)' than \(kind.described)"
            case .noNumber: "came with a '\(attribute)' that counts nothing"
            case .unknown(let known) where known.isEmpty: "has no attributes, and came with '\(attribute)'"
            case .unknown(let known): "has no attribute '\(attribute)' but \(known.joined(separator: ", "))"
            }
        let outcome = isGrave ? "it was left out" : "it was heeded without that"
        return "the signal '\(signal)' \(what): \(outcome); the page 'Signals' lists them"
    }
}

extension SignalShape.Kind {
    fileprivate var described: String {
        switch self {
        case .text: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .truth: "true or false"
        }
    }
}
