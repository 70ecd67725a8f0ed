package import PluginABI

extension UTF8Text {
    /// Takes a text that the other side lends.
    package init(_ text: tally_str) {
        guard let start = unsafe text.ptr, unsafe text.len > 0 else {
            self.init("")
            return
        }
        unsafe self.init(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: text.len)
    }
}

extension tally_str {
    /// Lends bytes to the other side.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(ptr: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), len: bytes.count)
    }

    /// Lends a text to the other side.
    init(_ text: UTF8Text) {
        unsafe self.init(text.bytes)
    }

    /// Lends a string to the other side until the closure returns.
    package static func lend<Result>(_ text: String, _ body: (tally_str) -> Result) -> Result {
        var text = text
        return text.withUTF8 { unsafe body(tally_str(UnsafeRawBufferPointer($0))) }
    }
}

/// A text that is lent to the host as long as its owner lives.
@safe final class LastingText {
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
        unsafe bytes = .allocate(capacity: text.utf8.count)
        _ = unsafe bytes.initialize(from: text.utf8)
    }

    deinit {
        unsafe bytes.deallocate()
    }

    /// The text as the ABI hands it over.
    var lent: tally_str {
        unsafe tally_str(UnsafeRawBufferPointer(bytes))
    }
}
