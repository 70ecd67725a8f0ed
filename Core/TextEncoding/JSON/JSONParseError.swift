/// Why a text could not be read as JSON, and where.
public struct JSONParseError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Equatable {
        /// The text is not valid UTF-8.
        case invalidUTF8
        /// The text is empty or holds only white space.
        case empty
        /// The text ended in the middle of something, which is named.
        case unexpectedEnd(inside: String)
        /// A character cannot stand here; the second text says what could.
        case unexpected(character: String, expected: String)
        /// Something follows the value.
        case trailingText(character: String)
        /// A key occurs a second time in one object.
        case duplicateKey(String)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// A number is not written as this format allows.
        case badNumber(String)
        /// A number is too large to be held.
        case numberOutOfRange(String)
        /// An escape in a string is not known.
        case badEscape(String)
        /// Half of a surrogate pair stands alone.
        case loneSurrogate(String)
        /// A control character stands in a string without an escape.
        case controlCharacter(UInt8)
        /// A string has no closing quote on its line.
        case lineEndInString
        /// The text uses something that only JSON5 allows.
        case needsJSON5(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// Where.
    public let position: JSONPosition

    /// The line, from 1.
    public var line: Int { position.line }
    /// The column in Unicode scalars, from 1.
    public var column: Int { position.column }
    /// The offset in bytes, from 0.
    public var offset: Int { position.offset }

    /// Makes an error.
    public init(reason: Reason, position: JSONPosition) {
        self.reason = reason
        self.position = position
    }

    /// Place and reason in one line.
    public var description: String { "\(position): \(message)" }

    /// The reason without the place.
    public var message: String {
        switch reason {
        case .invalidUTF8: "the text is not valid UTF-8; save it as UTF-8"
        case .empty: "there is no value, the text is empty"
        case .unexpectedEnd(let inside): "the text ends inside \(inside)"
        case .unexpected(let character, let expected): "found \(character) where \(expected) is expected"
        case .trailingText(let character): "found \(character) after the end of the value"
        case .duplicateKey(let key): "the key \"\(key)\" is given twice in one object; keep one of them"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit)"
        case .badNumber(let detail): "not a number: \(detail)"
        case .numberOutOfRange(let text): "the number \(text) is out of range"
        case .badEscape(let text): "the escape \(text) is not known"
        case .loneSurrogate(let text): "\(text) is half of a surrogate pair; the other half is missing"
        case .controlCharacter(let byte): "a control character (code \(byte)) in a string must be written as an escape"
        case .lineEndInString: "the line ends inside a string; the closing quote is missing"
        case .needsJSON5(let what): "\(what) not allowed in JSON"
        }
    }
}

/// A place in a text.
public struct JSONPosition: Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The offset in bytes, from 0.
    public let offset: Int

    /// Makes a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// Line and column as compilers write them: `3:14`.
    public var description: String { "\(line):\(column)" }
}
