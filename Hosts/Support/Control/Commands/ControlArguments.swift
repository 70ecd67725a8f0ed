internal import Tally
internal import TextEncoding

/// The words behind a command's name, read as what they have to be.
struct ControlArguments {
    let name: String
    let words: [String]

    init(_ name: String, _ words: [String]) {
        self.name = name
        self.words = words
    }

    /// What is wrong with them, and what is expected.
    func wrong(_ expected: String) -> ControlError {
        let text = words.joined(separator: " ")
        let found = words.isEmpty ? "nothing" : "\"" + (text.count > 80 ? text.prefix(80) + "..." : text) + "\""
        return ControlError(kind: .invalidArgument, "\(name) needs \(expected), found \(found)")
    }

    /// There must be none.
    func none() throws(ControlError) {
        guard words.isEmpty else { throw wrong("nothing behind it") }
    }

    /// There must be one.
    func one(_ expected: String) throws(ControlError) -> String {
        guard words.count == 1, let word = words.first, !word.isEmpty else { throw wrong(expected) }
        return word
    }

    /// The name of a plugin.
    func plugin() throws(ControlError) -> String {
        try one("the name of a plugin")
    }

    /// A sound or subtitles.
    func track(_ name: TrackName) throws(ControlError) -> String {
        guard words.count == 1, name.fits(words[0]) else { throw wrong(name.expected) }
        return words[0]
    }

    /// A time, ms.
    func seconds() throws(ControlError) -> Int64 {
        guard words.count == 1, let milliseconds = Self.milliseconds(words[0]) else {
            throw wrong("a number of seconds")
        }
        return milliseconds
    }

    /// A number of seconds as milliseconds; nil when it is none, negative, or more than a year.
    static func milliseconds(_ text: some StringProtocol) -> Int64? {
        guard let seconds = Double(String(text)), (0...31_536_000).contains(seconds) else { return nil }
        return Int64((seconds * 1000).rounded())
    }

    /// A number.
    func number(in range: ClosedRange<Double>) throws(ControlError) -> Double {
        guard words.count == 1, let number = Double(words[0]), range.contains(number) else {
            throw wrong("a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number.
    func count(in range: ClosedRange<Int>) throws(ControlError) -> Int {
        guard words.count == 1, let number = Int(words[0]), range.contains(number) else {
            throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of some words.
    func choice(_ known: [String]) throws(ControlError) -> String {
        guard words.count == 1, known.contains(words[0]) else { throw wrong(known.joined(separator: " or ")) }
        return words[0]
    }

    /// JSON5 in one of the words.
    func json(_ text: String) throws(ControlError) -> JSONValue {
        do throws(JSONParseError) {
            return try JSONParser(.json5).parse(text)
        } catch {
            throw ControlError(kind: .invalidArgument, "\(name): the argument is not JSON5: \(error)")
        }
    }

    /// A JSON5 object in one of the words.
    func object(_ text: String) throws(ControlError) -> JSONValue {
        let value = try json(text)
        guard value.object != nil else {
            throw ControlError(kind: .invalidArgument, "\(name) needs a JSON object, found \(value.kind)")
        }
        return value
    }
}
