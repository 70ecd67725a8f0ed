import EventModel
import Testing

/// The numbers of tally_vocabulary.h against the tables of the event model.
struct VocabularyTests {
    /// One `#define PREFIX_NAME NUMBERu /* name */`.
    private struct Word: Hashable {
        let macro: String
        let number: Int
        let name: String
    }

    private static func words(_ prefix: String) throws -> [Word] {
        let header = try #require(try Header.all.first { $0.name == "tally_vocabulary.h" })
        return try header.definitions.filter { $0[1].hasPrefix(prefix) && $0.count > 3 }.map { definition in
            #expect(definition.count == 6 && definition[3] == "/*" && definition[5] == "*/", "\(definition)")
            let digits = definition[2].dropLast()
            return Word(
                macro: String(definition[1].dropFirst(prefix.count)),
                number: try #require(Int(digits)),
                name: definition[4]
            )
        }
    }

    @Test("Numbers and names of event types are those of the event model, in its order")
    func eventTypes() throws {
        let words = try Self.words("TALLY_EVENT_TYPE_")
        #expect(words.map(\.number) == EventType.wellKnown.map { Int($0.type.rawValue) })
        #expect(words.map(\.name) == EventType.wellKnown.map { "\($0.name)" })
    }

    @Test("Numbers and names of attributes are those of the event model, in its order")
    func attributes() throws {
        let words = try Self.words("TALLY_KEY_")
        #expect(words.map(\.number) == AttributeKey.wellKnown.map { Int($0.key.rawValue) })
        #expect(words.map(\.name) == AttributeKey.wellKnown.map { "\($0.name)" })
    }

    @Test("No number and no name is used twice", arguments: ["TALLY_EVENT_TYPE_", "TALLY_KEY_"])
    func unique(prefix: String) throws {
        let words = try Self.words(prefix)
        #expect(!words.isEmpty)
        #expect(Set(words.map(\.number)).count == words.count)
        #expect(Set(words.map(\.name)).count == words.count)
    }

    @Test("A macro is its name in capitals", arguments: ["TALLY_EVENT_TYPE_", "TALLY_KEY_"])
    func spelling(prefix: String) throws {
        for word in try Self.words(prefix) {
            #expect(word.macro == word.name.uppercased())
        }
    }

    @Test("The player's types are below 256, the core's below 0x10000, and 0 is no number")
    func ranges() throws {
        for word in try Self.words("TALLY_EVENT_TYPE_") {
            #expect((1..<0x10000).contains(word.number))
        }
        for word in try Self.words("TALLY_KEY_") {
            #expect((1...Int(UInt16.max)).contains(word.number))
        }
        let header = try #require(try Header.all.first { $0.name == "tally_vocabulary.h" })
        let first = header.definitions.first { $0[1] == "TALLY_EVENT_TYPE_FIRST_UNKNOWN" }
        #expect(first?[2] == "0x10000u")
        #expect(EventType.firstUnknown == 0x10000)
    }
}
