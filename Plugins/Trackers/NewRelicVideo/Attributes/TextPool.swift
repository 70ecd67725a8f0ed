package import PluginKit

/// Texts that an event brings along, kept until it has been recorded; the memory is used again.
package final class TextPool {
    private var texts: [KeptText] = []

    /// How many texts are kept; giving it back to ``release(to:)`` lets go of those that came later.
    package private(set) var count = 0

    /// Begins with none.
    package init() {}

    /// Copies a text and lends the copy.
    package func keep(_ text: String) -> UTF8Text {
        keep { $0.append(text) }
    }

    /// Writes a text and lends it.
    package func keep(_ write: (ByteBuffer) -> Void) -> UTF8Text {
        if count == texts.count { texts.append(KeptText()) }
        let place = texts[count]
        count += 1
        place.build(write)
        return place.text ?? UTF8Text("")
    }

    /// Lets go of the texts that were kept since there were so many.
    package func release(to count: Int) {
        self.count = count
    }
}
