internal import MetricTables
internal import PluginKit

/// Writes a row in COPY's text form: values between tabulators, a break at the end.
///
/// PostgreSQL's texts are UTF-8 without U+0000: what is not becomes U+FFFD.
struct CopyRow: RowWriter {
    private let rows: ByteBuffer
    /// Texts of JSON, one after another.
    private let scratch: ByteBuffer
    private var isFirst = true

    init(_ rows: ByteBuffer, _ scratch: ByteBuffer) {
        self.rows = rows
        self.scratch = scratch
    }

    /// Ends the row.
    func end() { rows.append("\n") }

    private mutating func begin() {
        if !isFirst { rows.append("\t") }
        isFirst = false
    }

    private mutating func null() {
        begin()
        rows.append("\\N")
    }

    mutating func int(_ number: Int64?) {
        guard let number else { return null() }
        begin()
        rows.append("\(number)")
    }

    mutating func truth(_ truth: Bool?) {
        guard let truth else { return null() }
        begin()
        rows.append(truth ? "t" : "f")
    }

    mutating func text(_ text: UTF8Text?) {
        guard let text else { return null() }
        begin()
        if unsafe isValidUTF8(text.bytes) {
            unsafe escape(text.bytes)
        } else {
            var repaired = text.string
            repaired.withUTF8 { bytes in unsafe escape(UnsafeRawBufferPointer(bytes)) }
        }
    }

    /// Two values: the text, and the bytes of what is none.
    mutating func textOrBytes(_ bytes: UTF8Text) {
        let isText = unsafe isValidUTF8(bytes.bytes) && !bytes.bytes.contains(0)
        if isText {
            text(bytes)
            return null()
        }
        null()
        begin()
        rows.append("\\\\x")
        let raw = unsafe bytes.bytes
        for index in raw.indices { rows.append(Self.hexadecimal[Int(unsafe raw[index])]) }
    }

    private static let hexadecimal = (0...255).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    mutating func json(_ write: (inout JSONWriter) -> Void) {
        var text = StorableJSON.text(scratch, write)
        begin()
        text.withUTF8 { bytes in unsafe escape(UnsafeRawBufferPointer(bytes)) }
    }

    /// What COPY reads as the text again.
    private func escape(_ bytes: UnsafeRawBufferPointer) {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            switch byte {
            case 0: rows.append("\u{FFFD}")
            case UInt8(ascii: "\t"): rows.append("\\t")
            case UInt8(ascii: "\n"): rows.append("\\n")
            case UInt8(ascii: "\r"): rows.append("\\r")
            case UInt8(ascii: "\\"): rows.append("\\\\")
            default: rows.append(byte)
            }
        }
    }
}

/// Collects the values of a row as parameters of a statement.
struct ParameterRow: RowWriter {
    private(set) var values: [String?] = []
    private let scratch = ByteBuffer(capacity: 256)

    mutating func int(_ number: Int64?) { values.append(number.map { "\($0)" }) }
    mutating func truth(_ truth: Bool?) { values.append(truth.map { $0 ? "t" : "f" }) }
    mutating func text(_ text: UTF8Text?) { values.append(text.map { Self.storable($0.string) }) }
    mutating func textOrBytes(_ bytes: UTF8Text) { text(bytes) }

    mutating func json(_ write: (inout JSONWriter) -> Void) {
        values.append(StorableJSON.text(scratch, write))
    }

    private static func storable(_ text: String) -> String {
        text.contains("\0") ? text.replacing("\0", with: "\u{FFFD}") : text
    }
}

/// JSON as PostgreSQL's `jsonb` takes it: without the character U+0000, which becomes U+FFFD.
private enum StorableJSON {
    static func text(_ scratch: ByteBuffer, _ write: (inout JSONWriter) -> Void) -> String {
        scratch.removeAll()
        var writer = JSONWriter(scratch)
        write(&writer)
        let text = unsafe scratch.withBytes { unsafe String(decoding: UnsafeRawBufferPointer($0), as: UTF8.self) }
        guard text.contains("\\u0000") else { return text }
        // A backslash that is escaped itself may stand before what looks like the character.
        return text.replacing(/(?<backslash>\\\\)|\\u0000/) { $0.output.backslash == nil ? "\\ufffd" : "\\\\" }
    }
}
