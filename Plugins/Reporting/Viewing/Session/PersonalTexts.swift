internal import EventModel
internal import TextEncoding

/// The personal values that a player has said, which are hidden in its other texts and in what trackers make of them.
struct PersonalTexts {
    /// Shorter texts are too likely to stand for something else.
    private static let shortest = 3
    /// What stands for a value.
    private static let placeholder = Array("(personal)".utf8)

    /// Each value as it is, and as URLs have it.
    private var texts: [[UInt8]] = []

    /// Adds the value of a personal attribute, when it has a text.
    mutating func add(_ value: ValueView) {
        let text: String
        switch value {
        case .string(let string): text = string.string
        case .int(let number): text = String(number)
        case .list(let list):
            for element in list { add(element.value) }
            return
        default: return
        }
        guard text.utf8.count >= Self.shortest else { return }
        for form in [text, PercentEncoding.encode(text)] where !texts.contains(Array(form.utf8)) {
            texts.append(Array(form.utf8))
        }
        // A value within another one must not break it up.
        texts.sort { $0.count > $1.count }
    }

    /// The text with each of the values replaced; nil when it has none of them.
    func hidden(in text: UTF8Text) -> [UInt8]? {
        guard !texts.isEmpty else { return nil }
        let bytes = unsafe text.bytes
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        while position < bytes.count {
            if let length = unsafe length(at: position, bytes) {
                unsafe result.append(contentsOf: bytes[copied..<position])
                result += Self.placeholder
                position += length
                copied = position
            } else {
                position += 1
            }
        }
        guard copied > 0 else { return nil }
        unsafe result.append(contentsOf: bytes[copied...])
        return result
    }

    /// How long the value is that begins here; nil when none does.
    private func length(at position: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let first = unsafe bytes[position]
        for text in texts where text[0] == first && text.count <= bytes.count - position {
            var isEqual = true
            for index in 1..<text.count where unsafe bytes[position + index] != text[index] {
                isEqual = false
                break
            }
            if isEqual { return text.count }
        }
        return nil
    }
}
