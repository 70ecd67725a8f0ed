/// The words of a script's line: what stands between spaces, where quotes keep spaces and `#` begins a comment.
///
/// Double quotes keep all but a double quote, single quotes all but a single one: `'{"interval_seconds": 5}'`.
package struct CommandWords {
    /// Quotes that are open at the end of the line.
    package struct OpenQuote: Error {}

    /// The words.
    package let words: [String]

    /// Takes a line apart.
    package init(_ line: some StringProtocol) throws(OpenQuote) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || (character == "'" && word == nil) {
                quote = character
                word = word ?? ""
            } else if character == "#", word == nil {
                break
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if quote != nil { throw OpenQuote() }
        if let word { words.append(word) }
        self.words = words
    }
}
