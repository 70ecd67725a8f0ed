internal import Database
internal import PluginKit

/// Sets the parameters of a statement one after another.
struct RowBinder {
    private let statement: Statement
    private var place: Int32 = 0

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Sets the next parameter to a number, or to NULL.
    mutating func int(_ number: Int64?) {
        place += 1
        if let number { statement.bind(place, number) } else { statement.bindNull(place) }
    }

    /// Sets the next parameter to 0 or 1, or to NULL.
    mutating func truth(_ truth: Bool?) {
        int(truth.map { $0 ? 1 : 0 })
    }

    /// Sets the next parameter to text, or to NULL.
    mutating func text(_ text: UTF8Text?) {
        place += 1
        if let text { unsafe statement.bind(place, text: text.bytes) } else { statement.bindNull(place) }
    }

    /// Sets the next parameter to text when the bytes are UTF-8, else to bytes.
    mutating func textOrBytes(_ bytes: UTF8Text) {
        if unsafe isValidUTF8(bytes.bytes) { return text(bytes) }
        place += 1
        unsafe statement.bind(place, [UInt8](bytes.bytes))
    }

    /// Sets the next parameter to the JSON text that the closure writes into the buffer, which is used again and again.
    mutating func json(_ buffer: ByteBuffer, _ write: (inout JSONWriter) -> Void) {
        place += 1
        buffer.removeAll()
        var writer = JSONWriter(buffer)
        write(&writer)
        let place = place
        let statement = statement
        unsafe buffer.withBytes { bytes in
            unsafe statement.bind(place, text: UnsafeRawBufferPointer(bytes))
        }
    }
}
