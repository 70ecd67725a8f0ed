internal import EventModel
internal import Metrics
internal import TextEncoding

/// What players said last of each error that is counted, so that a code need not stand alone.
struct ErrorTexts {
    /// How many codes are kept, those that came first.
    private static let codes = 1_000
    /// How many bytes of a text are kept.
    private static let longestText = 300

    private var texts: [String: StoredErrorText] = [:]
    private var unsaved: Set<String> = []
    private let stores: Bool

    /// Nothing is known yet; with `stores` it is kept in mind what is new, until it is handed out to be stored.
    init(stores: Bool) { self.stores = stores }

    /// Takes an event: without `personal` no personal attribute, and none of the values `hiding`.
    mutating func add(_ event: EventView, personal: Bool, hiding: PersonalTexts) {
        guard event.type == .playerError else { return }
        let code = event.attributes.errorWord.description
        guard texts.count < Self.codes || texts[code] != nil else { return }
        func text(_ key: AttributeKey) -> String? {
            guard let attribute = event.attributes[key], personal || !attribute.isPersonal,
                let text = attribute.string, text.count > 0
            else { return nil }
            let shown = hiding.hidden(in: text).map { String(decoding: $0, as: UTF8.self) } ?? text.string
            guard shown.utf8.count > Self.longestText else { return shown }
            return String(decoding: shown.utf8.prefix(Self.longestText), as: UTF8.self) + "…"
        }
        let found = StoredErrorText(
            code: code,
            message: text(.errorMessage),
            id: text(.errorID),
            domain: text(.errorDomain)
        )
        guard texts[code] != found else { return }
        texts[code] = found
        if stores { unsaved.insert(code) }
    }

    /// Writes an object of what is known, by code.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (code, texts) in texts.sorted(by: { $0.key < $1.key }) {
            writer.key(code)
            writer.beginObject()
            for (key, text) in [("message", texts.message), ("id", texts.id), ("domain", texts.domain)] {
                writer.key(key)
                if let text { writer.string(text) } else { writer.null() }
            }
            writer.endObject()
        }
        writer.endObject()
    }

    /// The texts that have changed since this was asked last.
    mutating func removeUnsaved() -> [StoredErrorText] {
        defer { unsaved = [] }
        return unsaved.compactMap { texts[$0] }
    }

    /// Takes over texts that were stored.
    mutating func restore(_ stored: [StoredErrorText]) {
        for one in stored where texts.count < Self.codes { texts[one.code] = one }
    }
}

/// What a player said of an error, as it is stored.
package struct StoredErrorText: Equatable, Sendable {
    /// What it is counted by.
    package let code: String
    /// Its text for people.
    package let message: String?
    /// Its identifier.
    package let id: String?
    /// The part of the software that the code belongs to.
    package let domain: String?

    /// A row that was read.
    package init(code: String, message: String?, id: String?, domain: String?) {
        self.code = code
        self.message = message
        self.id = id
        self.domain = domain
    }
}
