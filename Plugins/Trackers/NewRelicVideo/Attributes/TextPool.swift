package import PluginKit

/// Texts that an event brings along, kept until it has been recorded; the memory is used again.
package final class TextPool {
    private var texts: [KeptText] = []

    /// How many texts are kept; giving it back to ``release(to:)`` lets go of those that came later.
    package private(set) var count = 0

    /// Copies a text and lends the copy.
    package func keep(_ text: String) -> UTF8Text { keep { $0.append(text) } }

    /// Writes a text and lends it.
    package func keep(_ write: (ByteBuffer) -> Void) -> UTF8Text {
        if count == texts.count { texts.append(KeptText()) }
        let place = texts[count]
        count += 1
        place.build(write)
        return place.text ?? UTF8Text("")
    }

    /// Lets go of the texts that were kept since there were so many.
    package func release(to count: Int) { self.count = count }
}

/// A text that is copied out of an event and lent to later ones; setting it again uses the same memory.
package final class KeptText {
    private let bytes = ByteBuffer(capacity: 32)
    private var isSet = false

    /// Begins with a text.
    package convenience init(_ text: String) {
        self.init()
        build { $0.append(text) }
    }

    /// The text, lent until it is set again.
    package var text: UTF8Text? {
        guard isSet else { return nil }
        return unsafe bytes.withBytes { bytes in
            // A ByteBuffer always has memory, be it empty, and keeps it until something is appended.
            guard let start = bytes.baseAddress else { return UTF8Text("") }
            return unsafe UTF8Text(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
    }

    /// Copies a text, or takes it away.
    package func set(_ text: UTF8Text?) {
        isSet = false
        if let text { build { unsafe $0.append(text.bytes) } }
    }

    /// Writes a new text in the place of the old one.
    package func build(_ write: (ByteBuffer) -> Void) {
        bytes.removeAll()
        write(bytes)
        isSet = true
    }
}
