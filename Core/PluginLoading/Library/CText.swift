package import PluginABI

/// Lends Swift text to C for a call.
package enum CText {
    package static func with<Result>(_ text: String, _ body: (tally_str) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe body(tally_str(ptr: bytes.baseAddress, len: bytes.count))
            }
        }
    }
}

extension tally_str {
    /// A copy; bytes that are not UTF-8 are replaced.
    package var text: String {
        guard let ptr = unsafe ptr, unsafe len > 0 else { return "" }
        return unsafe ptr.withMemoryRebound(to: UInt8.self, capacity: len) { start in
            unsafe String(decoding: UnsafeBufferPointer(start: start, count: len), as: UTF8.self)
        }
    }
}
