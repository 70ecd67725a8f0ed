extension JSONWriter {
    /// Writes a key that is a literal; it must hold nothing that needs an escape, which debug builds check.
    @inlinable
    public mutating func key(_ name: StaticString) {
        assert(JSONWriter.isPlain(name), "this key needs an escape: write it as a String")
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(name)
        buffer.append("\":")
        needsComma = false
    }

    /// Writes a key.
    @inlinable @_disfavoredOverload
    public mutating func key(_ name: String) {
        string(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that is given as UTF-8.
    @inlinable
    public mutating func key(_ utf8: UnsafeRawBufferPointer) {
        unsafe string(utf8)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    @inlinable @_disfavoredOverload
    public mutating func string(_ text: String) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        buffer.append(jsonEscaped: text)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Writes a string that is given as UTF-8.
    @inlinable
    public mutating func string(_ utf8: UnsafeRawBufferPointer) {
        separate()
        buffer.append(UInt8(ascii: "\""))
        unsafe buffer.append(jsonEscaped: utf8)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Writes a string that is a literal.
    @inlinable
    public mutating func string(_ text: StaticString) {
        if text.hasPointerRepresentation {
            unsafe string(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        } else {
            string(String(describing: text))
        }
    }

    /// Writes an integer.
    @inlinable
    public mutating func int(_ value: Int64) {
        separate()
        buffer.append(decimal: value)
    }

    /// Writes an unsigned integer.
    @inlinable
    public mutating func unsigned(_ value: UInt64) {
        separate()
        buffer.append(decimal: value)
    }

    /// Writes a floating-point number, shortest form; null for NaN and infinities, which JSON does not have.
    @inlinable
    public mutating func double(_ value: Double) {
        separate()
        if value.isFinite {
            buffer.append(double: value)
        } else {
            buffer.append("null")
        }
    }

    /// Writes true or false.
    @inlinable
    public mutating func bool(_ value: Bool) {
        separate()
        buffer.append(value ? "true" as StaticString : "false")
    }

    /// Writes null.
    @inlinable
    public mutating func null() {
        separate()
        buffer.append("null")
    }

    /// Writes a value that is JSON text already.
    @inlinable
    public mutating func raw(_ json: UnsafeRawBufferPointer) {
        separate()
        unsafe buffer.append(json)
    }

    /// Writes a value that is JSON text already.
    @inlinable
    public mutating func raw(_ json: String) {
        separate()
        buffer.append(json)
    }

    @usableFromInline
    internal static func isPlain(_ text: StaticString) -> Bool {
        String(describing: text).utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
