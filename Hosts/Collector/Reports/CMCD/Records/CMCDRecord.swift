internal import TextEncoding

/// One report of a player in the words of CMCD, versions 1 and 2, with all that the specification and practice allow.
///
/// A value that is not right costs its key, not the record: what was left out is in ``dropped``.
package struct CMCDRecord: Equatable, Sendable {
    /// How a report came, which decides on the keys that it may have.
    package enum Mode: Sendable {
        /// With a request for media, by query or headers.
        case request
        /// By itself, at an event or an interval.
        case event
    }

    /// Why a report cannot be used.
    package enum Refusal: String, Error, CaseIterable, Sendable {
        /// It is no dictionary of structured fields.
        case syntax
        /// It has more than 64 KiB.
        case tooLong = "too_long"
        /// It has more than 256 keys.
        case tooManyKeys = "too_many_keys"
        /// It is of a version above 2, or an event of version 1, which had none.
        case version
        /// An event that does not say which one.
        case noEvent = "no_event"
        /// An event that does not say when.
        case noTime = "no_time"

        init(_ fault: StructuredParser.Fault) {
            self =
                switch fault {
                case .syntax: .syntax
                case .tooLong: .tooLong
                case .tooManyKeys: .tooManyKeys
                }
        }
    }

    /// A reserved key with its value.
    package struct Field: Equatable, Sendable {
        package let key: CMCDKey
        package let value: CMCDValue
    }

    /// A key that somebody made up, with its value.
    package struct CustomField: Equatable, Sendable {
        package let key: String
        package let value: CMCDValue
    }

    /// The version that it is read by, 1 or 2; what version 1 says is put as version 2 does.
    package let version: Int
    /// The reserved keys in their order.
    package private(set) var fields: [Field] = []
    /// The custom keys in their order.
    package private(set) var custom: [CustomField] = []
    /// The keys that were left out: of the wrong type, out of limits, or not of this mode or event.
    package private(set) var dropped: [String] = []
    /// Whether an event lacks the key that says what it is about.
    package private(set) var isIncomplete = false

    /// Reads a record.
    package init(_ text: some StringProtocol, as mode: Mode) throws(Refusal) {
        try self.init(Self.dictionary(text), as: mode)
    }

    /// Reads a record whose syntax was right.
    package init(_ dictionary: StructuredDictionary, as mode: Mode) throws(Refusal) {
        version = Self.version(of: dictionary)
        if version > 2 || (mode == .event && version < 2) { throw .version }
        for member in dictionary.members { add(member) }
        if version < 2 { raise() }
        leaveOutStrangers(to: mode)
        guard mode == .event else { return }
        guard let event else { throw .noEvent }
        guard time != nil else { throw .noTime }
        if let companion = event.companion, self[companion] == nil { isIncomplete = true }
    }

    private static func dictionary(_ text: some StringProtocol) throws(Refusal) -> StructuredDictionary {
        do throws(StructuredParser.Fault) {
            return try StructuredParser.dictionary(text)
        } catch {
            throw Refusal(error)
        }
    }

    private static func version(of dictionary: StructuredDictionary) -> Int {
        guard case .item(let item) = dictionary["v"], case .integer(let number) = item.value else { return 1 }
        return Int(max(number, 1))
    }

    private mutating func add(_ member: StructuredDictionary.Member) {
        guard let key = CMCDKey.named[member.key] else { return addCustom(member) }
        guard let kind = version < 2 ? key.rule.first : key.rule.kind else { return }
        guard let value = kind.value(member.value) else { return dropped.append(member.key) }
        fields.append(Field(key: key, value: value))
    }

    private mutating func addCustom(_ member: StructuredDictionary.Member) {
        guard Self.isCustom(member.key) else { return }
        guard case .item(let item) = member.value, let value = Self.customValue(item.value) else {
            return dropped.append(member.key)
        }
        custom.append(CustomField(key: member.key, value: value))
    }

    /// Whether a key has a prefix, which keys that are not reserved must have.
    private static func isCustom(_ key: String) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard key.utf8.contains(hyphen), key.utf8.first != hyphen, key.utf8.last != hyphen else { return false }
        return key.utf8.first != UInt8(ascii: "*")
            && key.utf8.allSatisfy { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "*") }
    }

    private static func customValue(_ value: StructuredDictionary.Bare) -> CMCDValue? {
        switch value {
        case .integer(let number): .integer(number)
        case .decimal(let thousandths): .decimal(thousandths: thousandths)
        case .boolean(let truth): .boolean(truth)
        case .string(let text): text.unicodeScalars.count <= 64 ? .string(text) : nil
        case .token(let word): word.utf8.count <= 64 ? .token(word) : nil
        case .bytes(let base64): .bytes(base64: base64)
        case .date(let seconds): .date(seconds)
        }
    }

    /// Leaves out the keys that have no place in this mode, or on this event.
    private mutating func leaveOutStrangers(to mode: Mode) {
        let event = event
        let strangers = fields.filter { field in
            switch field.key.rule.place {
            case .both: false
            case .request: mode == .event
            case .event: mode == .request
            case .response: mode == .request || event != .response
            case .customEvent: mode == .request || event != .custom
            }
        }
        for stranger in strangers { leaveOut(stranger.key) }
    }

    private mutating func leaveOut(_ key: CMCDKey) {
        fields.removeAll { $0.key == key }
        dropped.append(key.rawValue)
    }

    /// Puts what version 1 says as version 2 does.
    private mutating func raise() {
        let type = token(.ot).flatMap { ["v", "a", "av"].contains($0) ? $0 : nil }
        let range = string(.nrr)
        for place in fields.indices.reversed() {
            let field = fields[place]
            switch (field.key, field.value) {
            case (.bl, .integer(let number)), (.mtp, .integer(let number)):
                fields[place] = Field(key: field.key, value: .integers([CMCDValue.Typed(number, type)]))
            case (.br, .decimal(let thousandths)), (.tb, .decimal(let thousandths)):
                guard thousandths >= 0 else {
                    leaveOut(field.key)
                    continue
                }
                let nearest = (thousandths + 500) / 1000
                fields[place] = Field(key: field.key, value: .integers([CMCDValue.Typed(nearest, type)]))
            case (.nor, .string(let path)):
                guard let decoded = PercentEncoding.decode(path) else {
                    leaveOut(.nor)
                    continue
                }
                fields[place] = Field(key: .nor, value: .strings([CMCDValue.Ranged(decoded, range)]))
            default: break
            }
        }
        fields.removeAll { $0.key == .nrr }
    }
}

extension CMCDRecord {
    /// The value of a reserved key; nil when it is not there, or a list of nothing, which is the same.
    package subscript(key: CMCDKey) -> CMCDValue? {
        switch fields.first(where: { $0.key == key })?.value {
        case .integers(let numbers)? where numbers.isEmpty: nil
        case .strings(let texts)? where texts.isEmpty: nil
        case let value: value
        }
    }

    /// The whole number that a key has.
    package func integer(_ key: CMCDKey) -> Int64? {
        if case .integer(let number)? = self[key] { number } else { nil }
    }

    /// The text that a key has.
    package func string(_ key: CMCDKey) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    /// The word that a key has.
    package func token(_ key: CMCDKey) -> String? {
        if case .token(let word)? = self[key] { word } else { nil }
    }

    /// Whether a key says yes or no; nil when it says nothing.
    package func truth(_ key: CMCDKey) -> Bool? {
        if case .boolean(let truth)? = self[key] { truth } else { nil }
    }

    /// The numbers that a key lists; none when it is not there.
    package func integers(_ key: CMCDKey) -> [CMCDValue.Typed] {
        if case .integers(let numbers)? = self[key] { numbers } else { [] }
    }

    /// The texts that a key lists; none when it is not there.
    package func strings(_ key: CMCDKey) -> [CMCDValue.Ranged] {
        if case .strings(let texts)? = self[key] { texts } else { [] }
    }

    /// Which event it is.
    package var event: CMCDEvent? { token(.e).flatMap(CMCDEvent.init(rawValue:)) }
    /// The state of the player.
    package var state: CMCDState? { token(.sta).flatMap(CMCDState.init(rawValue:)) }
    /// When it happened, ms since 1970 by the player's clock.
    package var time: Int64? { integer(.ts) }
}
