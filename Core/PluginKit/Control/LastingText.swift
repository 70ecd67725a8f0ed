internal import PluginABI

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
