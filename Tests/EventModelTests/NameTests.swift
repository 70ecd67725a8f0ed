import EventModel
import Testing
import TextEncoding

/// Names of the vocabulary and the numbers that stand for them.
struct NameTests {
    @Test("Every attribute's name is found, with its flags, and its number tells the name")
    func attributes() {
        for definition in AttributeKey.wellKnown {
            let name = UTF8Text(definition.name)
            #expect(AttributeNames.key(named: name) == definition.key)
            let flags = AttributeNames.flags(of: definition.key)
            #expect((flags & 2 != 0) == definition.isPersonal && flags & 1 == 0)
        }
        #expect(AttributeNames.flags(of: .none) == 1)
    }

    @Test("Every event's name is found, and its number tells the name")
    func events() {
        for definition in EventType.wellKnown {
            #expect(EventTypeNames.wellKnown(named: UTF8Text(definition.name)) == definition.type)
            #expect(EventTypeNames.type(named: UTF8Text(definition.name)) == definition.type)
            #expect(EventTypeNames.name(of: definition.type).map { $0 == UTF8Text(definition.name) } == true)
        }
    }

    @Test("No other name is found: a byte changed, lost, added or in capitals makes another name")
    func others() {
        let known = Set(AttributeKey.wellKnown.map { "\($0.name)" } + EventType.wellKnown.map { "\($0.name)" })
        for name in known.map({ Array($0.utf8) }) {
            for place in name.indices {
                var changed = name
                changed[place] ^= 1
                Self.expectUnknown(changed, known)
                changed[place] = name[place] & 0xDF
                Self.expectUnknown(changed, known)
                changed.remove(at: place)
                Self.expectUnknown(changed, known)
                Self.expectUnknown(Array(name[..<place]), known)
                Self.expectUnknown(Array(name[place...]), known)
            }
            for end in [[UInt8(ascii: "s")], [0x20], [0], Array("_ms".utf8)] {
                Self.expectUnknown(name + end, known)
                Self.expectUnknown(end + name, known)
            }
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let name = (0..<random.next() % 24).map { _ in UInt8(0x5F + random.next() % 27) }
            Self.expectUnknown(name, known)
        }
    }

    private static func expectUnknown(_ name: [UInt8], _ known: Set<String>) {
        let text = String(decoding: name, as: UTF8.self)
        guard !known.contains(text) else { return }
        unsafe name.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            let view = unsafe UTF8Text(start: start, count: bytes.count)
            // Without #expect, which takes its time, for there are tens of thousands.
            if AttributeNames.key(named: view) != .none || EventTypeNames.wellKnown(named: view) != nil {
                Issue.record("\(text) is found")
            }
        }
    }

    @Test("Numbers outside the vocabulary have no name")
    func numbers() {
        let keys = Set(AttributeKey.wellKnown.map(\.key.rawValue))
        for number in UInt16.min...UInt16.max where !keys.contains(number) {
            let key = AttributeKey(rawValue: number)
            if AttributeNames.flags(of: key) != 1 {
                Issue.record("\(number) has the marks of a name")
            }
        }
        let types = Set(EventType.wellKnown.map(\.type.rawValue))
        for number in Array(UInt32(0)..<2000) + [EventType.firstUnknown, .max] where !types.contains(number) {
            #expect(EventTypeNames.name(of: EventType(rawValue: number)) == nil)
        }
    }

    @Test("A new event name gets a number of its own, the same each time, by its bytes")
    func unknownTypes() {
        let names = UnknownTypeNames()
        let composed = WithUTF8.of("org.example.\u{E9}") { names.type(named: $0) }
        let decomposed = WithUTF8.of("org.example.e\u{301}") { names.type(named: $0) }
        #expect(composed != decomposed)
        #expect(composed.rawValue == EventType.firstUnknown && decomposed.rawValue == EventType.firstUnknown + 1)
        #expect(WithUTF8.of("org.example.\u{E9}") { names.type(named: $0) } == composed)
    }

    @Test("Beyond the limit all new names share the last number, so that a hostile archive does not fill the memory")
    func tooManyTypes() {
        let names = UnknownTypeNames()
        for index in 0..<Limits.unknownTypes {
            let type = WithUTF8.of("type-\(index)") { names.type(named: $0) }
            #expect(type.rawValue == EventType.firstUnknown + UInt32(index))
        }
        #expect(WithUTF8.of("one more") { names.type(named: $0) }.rawValue == .max)
        #expect(WithUTF8.of("and one more") { names.type(named: $0) }.rawValue == .max)
        #expect(WithUTF8.of("type-7") { names.type(named: $0) }.rawValue == EventType.firstUnknown + 7)
    }
}
