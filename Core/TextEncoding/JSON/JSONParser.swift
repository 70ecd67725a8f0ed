/// Reads JSON (RFC 8259) or JSON5 into values.
///
/// The input is checked to be UTF-8, nesting is bounded, and a key that occurs twice in one object is an error. A
/// number without fraction and exponent becomes an integer when it fits in 64 bits, any other a double.
public struct JSONParser: Sendable {
    /// The language to read.
    public enum Dialect: Sendable {
        /// JSON and nothing else.
        case json
        /// JSON5: comments, trailing commas, keys without quotes, single quotes, hexadecimal numbers and the like.
        case json5
    }

    /// A value with the places of its parts.
    public struct Document: Sendable {
        /// The value.
        public let value: JSONValue
        /// The place of each key and array element by its dotted path (`plugins.0.name`), of the root by "".
        public let positions: [String: JSONPosition]
    }

    /// The language to read.
    public let dialect: Dialect

    /// How deep arrays and objects may be nested.
    public let maximumDepth: Int

    /// Makes a parser.
    public init(_ dialect: Dialect = .json, maximumDepth: Int = 64) {
        self.dialect = dialect
        self.maximumDepth = maximumDepth
    }

    /// Reads one value, which must be all that the bytes hold.
    public func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONParseError) -> JSONValue {
        var scanner = unsafe JSONScanner(bytes, parser: self, records: false)
        return try scanner.document()
    }

    /// Reads one value, which must be all that the text holds.
    public func parse(_ text: String) throws(JSONParseError) -> JSONValue {
        try document(Array(text.utf8), records: false).value
    }

    /// Reads one value, which must be all that the bytes hold.
    public func parse(_ bytes: [UInt8]) throws(JSONParseError) -> JSONValue {
        try document(bytes, records: false).value
    }

    /// Reads one value and notes where each key stands.
    public func document(_ bytes: [UInt8]) throws(JSONParseError) -> Document {
        try document(bytes, records: true)
    }

    /// Reads one value and notes where each key stands.
    public func document(_ text: String) throws(JSONParseError) -> Document {
        try document(Array(text.utf8), records: true)
    }

    private func document(_ bytes: [UInt8], records: Bool) throws(JSONParseError) -> Document {
        // The result goes through Result, because withUnsafeBytes does not pass a typed error on.
        let result = unsafe bytes.withUnsafeBytes { (raw) -> Result<Document, JSONParseError> in
            var scanner = unsafe JSONScanner(raw, parser: self, records: records)
            do throws(JSONParseError) {
                let value = try scanner.document()
                return .success(Document(value: value, positions: scanner.positions))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
