/// Reads a dictionary of structured fields from UTF-8.
///
/// It looks at each byte once, and stops at the first fault: a dictionary is right as a whole or refused.
package struct StructuredParser {
    /// Why a text is no dictionary.
    package enum Fault: String, Error, Equatable, Sendable {
        /// It breaks the syntax.
        case syntax
        /// It has more than ``StructuredParser/longest`` bytes.
        case tooLong = "too_long"
        /// It has more than ``StructuredParser/mostKeys`` keys, or a value has more parameters.
        case tooManyKeys = "too_many_keys"
    }

    /// How many bytes a text may have.
    package static var longest: Int { 64 * 1024 }
    /// How many keys a dictionary, and how many parameters a value may have.
    package static var mostKeys: Int { 256 }

    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a dictionary, which must be all that the text holds; a text of nothing is one without members.
    package static func dictionary(_ text: some StringProtocol) throws(Fault) -> StructuredDictionary {
        guard text.utf8.count <= longest else { throw .tooLong }
        return try dictionary(Array(text.utf8))
    }

    /// Reads a dictionary, which must be all that the bytes hold.
    package static func dictionary(_ bytes: [UInt8]) throws(Fault) -> StructuredDictionary {
        guard bytes.count <= longest else { throw .tooLong }
        var parser = StructuredParser(bytes)
        return try parser.dictionary()
    }

    private mutating func dictionary() throws(Fault) -> StructuredDictionary {
        var result = StructuredDictionary()
        skipSpaces()
        while place < bytes.count {
            let key = try key()
            result.set(key, try memberValue())
            guard result.members.count <= Self.mostKeys else { throw .tooManyKeys }
            skipBlanks()
            if place == bytes.count { return result }
            guard skip(",") else { throw .syntax }
            skipBlanks()
            guard place < bytes.count else { throw .syntax }
        }
        return result
    }

    private mutating func memberValue() throws(Fault) -> StructuredDictionary.Value {
        guard skip("=") else {
            return .item(StructuredDictionary.Item(value: .boolean(true), parameters: try parameters()))
        }
        guard peek == UInt8(ascii: "(") else { return .item(try item()) }
        let items = try innerList()
        _ = try parameters()
        return .list(items)
    }

    private mutating func innerList() throws(Fault) -> [StructuredDictionary.Item] {
        var items: [StructuredDictionary.Item] = []
        place += 1
        while true {
            skipSpaces()
            if skip(")") { return items }
            items.append(try item())
            guard peek == UInt8(ascii: " ") || peek == UInt8(ascii: ")") else { throw .syntax }
        }
    }

    private mutating func item() throws(Fault) -> StructuredDictionary.Item {
        let value = try bareItem()
        return StructuredDictionary.Item(value: value, parameters: try parameters())
    }

    private mutating func parameters() throws(Fault) -> [StructuredDictionary.Parameter] {
        var found: [StructuredDictionary.Parameter] = []
        while skip(";") {
            skipSpaces()
            let name = try key()
            let value = skip("=") ? try bareItem() : .boolean(true)
            if let before = found.firstIndex(where: { $0.name == name }) {
                found[before].value = value
            } else {
                found.append(StructuredDictionary.Parameter(name: name, value: value))
            }
            guard found.count <= Self.mostKeys else { throw .tooManyKeys }
        }
        return found
    }

    private mutating func key() throws(Fault) -> String {
        guard let first = peek, isLower(first) || first == UInt8(ascii: "*") else { throw .syntax }
        return text { byte in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
            default: isLower(byte) || isDigit(byte)
            }
        }
    }

    private mutating func bareItem() throws(Fault) -> StructuredDictionary.Bare {
        guard let first = peek else { throw .syntax }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            return .token(text(while: isTokenByte))
        case UInt8(ascii: ":"): return .bytes(base64: try base64())
        case UInt8(ascii: "?"):
            place += 1
            if skip("1") { return .boolean(true) }
            guard skip("0") else { throw .syntax }
            return .boolean(false)
        case UInt8(ascii: "@"):
            place += 1
            guard case .integer(let seconds) = try number() else { throw .syntax }
            return .date(seconds)
        default: throw .syntax
        }
    }
}

extension StructuredParser {
    /// A whole number of at most 15 digits, or one of at most 12 digits, a point and one to three more.
    private mutating func number() throws(Fault) -> StructuredDictionary.Bare {
        let isNegative = skip("-")
        var digits = 0
        let whole = digitRun(&digits)
        guard digits > 0 else { throw .syntax }
        guard skip(".") else {
            guard digits <= 15 else { throw .syntax }
            return .integer(isNegative ? -whole : whole)
        }
        guard digits <= 12 else { throw .syntax }
        var places = 0
        var fraction = digitRun(&places)
        guard (1...3).contains(places) else { throw .syntax }
        for _ in places..<3 { fraction *= 10 }
        let thousandths = whole * 1000 + fraction
        return .decimal(thousandths: isNegative ? -thousandths : thousandths)
    }

    /// The digits from here on; more than 15 are counted, but their number is not right.
    private mutating func digitRun(_ digits: inout Int) -> Int64 {
        var number: Int64 = 0
        while let byte = peek, isDigit(byte) {
            digits += 1
            if digits <= 15 { number = number * 10 + Int64(byte - UInt8(ascii: "0")) }
            place += 1
        }
        return number
    }

    private mutating func string() throws(Fault) -> String {
        place += 1
        let start = place
        var unescaped: [UInt8]?
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let content = unescaped.map { $0[...] } ?? bytes[start..<place]
                place += 1
                guard let text = String(validating: content, as: UTF8.self) else { throw .syntax }
                return text
            case UInt8(ascii: "\\"):
                if unescaped == nil { unescaped = Array(bytes[start..<place]) }
                place += 1
                guard let escaped = peek, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    throw .syntax
                }
                unescaped?.append(escaped)
            case 0..<0x20, 0x7F: throw .syntax
            default: unescaped?.append(byte)
            }
            place += 1
        }
        throw .syntax
    }

    private mutating func base64() throws(Fault) -> String {
        place += 1
        let content = text { byte in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
            default: isDigit(byte) || isLower(byte | 0x20)
            }
        }
        guard skip(":") else { throw .syntax }
        // Padding may be left out, but stands nowhere else.
        let unpadded = content.utf8.prefix { $0 != UInt8(ascii: "=") }.count
        let padding = content.utf8.dropFirst(unpadded)
        guard unpadded % 4 != 1, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }),
            padding.isEmpty || (unpadded + padding.count) % 4 == 0
        else { throw .syntax }
        return content
    }

    private mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = place
        while let byte = peek, belongs(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private var peek: UInt8? {
        place < bytes.count ? bytes[place] : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpaces() {
        while peek == UInt8(ascii: " ") { place += 1 }
    }

    private mutating func skipBlanks() {
        while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { place += 1 }
    }
}

private func isLower(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
}

private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
        UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"),
        UInt8(ascii: "~"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
    default: false
    }
}
