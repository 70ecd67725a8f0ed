/// Text that somebody else wrote, as a terminal may show it.
///
/// Asset names, run ids, what plugins say, paths: a program that prints them as they are lets them move the cursor,
/// begin lines that look like another's, or turn the direction of what stands beside them. Programs and reporters print
/// none but through here.
package enum PrintableText {
    /// The text with an escape such as `\u{1b}` for each character that is obeyed rather than shown, and `\xe9` for a
    /// byte of a name that is no UTF-8.
    ///
    /// `longest` is how many characters are shown; three dots stand for the others.
    package static func escaped(_ text: String, longest: Int = .max) -> String {
        if isPlain(text), text.utf8.count <= longest { return text }
        var result = ""
        var count = 0
        for character in text {
            if count == longest { return result + "..." }
            count += 1
            for scalar in character.unicodeScalars {
                if isShown(scalar) {
                    result.unicodeScalars.append(scalar)
                } else if let byte = UndecodedText.byte(scalar) {
                    result += "\\x" + String(byte, radix: 16)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return result
    }

    /// Lines of the program's own with such text in them: all but the breaks between them is escaped.
    package static func escaped(lines text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The value as one line of JSON without its break, which reads back the same and has escapes in the same places.
    package static func json(_ value: JSONValue) -> String {
        json(text: value.canonicalText)
    }

    /// The same of a value in its canonical text.
    package static func json(text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isShown(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    /// Whether the text has nothing but the printable characters of ASCII, as nearly every text.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: UndecodedText.byte(scalar) == nil
        }
    }
}
