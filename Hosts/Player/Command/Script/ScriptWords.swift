/// The words of a script's line: what stands between spaces, where quotes keep spaces and `#` begins a comment.
struct ScriptWords {
    /// Quotes that are open at the end of the line.
    struct OpenQuote: Error {}

    let words: [String]

    init(_ line: some StringProtocol) throws(OpenQuote) {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            if isQuoted {
                if character == "\"" { isQuoted = false } else { word?.append(character) }
            } else if character == "\"" {
                isQuoted = true
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
        if isQuoted { throw OpenQuote() }
        if let word { words.append(word) }
        self.words = words
    }
}
