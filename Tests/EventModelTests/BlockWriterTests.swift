import EventModel
import PluginABI
import Testing
import TextEncoding

/// Blocks: what is put in is found again, in order, in no more room than it needs.
struct BlockWriterTests {
    private static let everyKind: [(String, PlainValue)] = [
        ("video_id", .string("asset-é")), ("x_null", .null), ("x_true", .bool(true)), ("x_false", .bool(false)),
        ("error_code", .int(-7)), ("x_double", .double(0.1)), ("x_bytes", .bytes([0, 255, 1])),
        ("x_empty", .string("")),
        ("x_list", .list([.int(1), .list([.string("a"), .bytes([9])]), .string("b"), .list([])])),
        ("user_id", .string("u")),
    ]

    private static func values(of event: EventView) -> [String] {
        event.attributes.map { "\($0.name.string) = \(PlainValue($0.value))" }
    }

    private static func expected(_ attributes: [(String, PlainValue)]) -> [String] {
        attributes.map { "\($0.0) = \($0.1)" }
    }

    @Test("Values of every kind are found again in the order in which they came, and the type with them")
    func everyKind() throws {
        let block = TestBlock()
        var writer = block.writer()
        for (name, value) in Self.everyKind {
            #expect(writer.put(name, value) == .written)
        }
        let ended = writer.end("error_x")
        let size = try #require(ended)
        unsafe #expect(block.event.typeName == "error_x" && block.event.block.count == size && size % 8 == 0)
        #expect(Self.values(of: block.event) == Self.expected(Self.everyKind))
        #expect(
            block.event.attributes[.videoID]?.string?.string == "asset-é"
                && block.event.attributes["x_true"]?.bool == true
        )
        #expect(block.event.attributes[.errorCode]?.int == -7 && block.event.attributes["x_double"]?.double == 0.1)
        #expect(block.event.attributes["absent"] == nil && block.event.attributes[.videoName] == nil)
        #expect(block.event.attributes.filter(\.isPersonal).map(\.name.string) == ["user_id"])
        #expect(block.event.attributes.filter(\.isCustom).allSatisfy { $0.name.string.hasPrefix("x_") })
        #expect(block.isWhole)
    }

    @Test("A block holds offsets alone: its bytes say the same anywhere")
    func movable() throws {
        let block = TestBlock()
        var writer = block.writer()
        for (name, value) in Self.everyKind {
            _ = writer.put(name, value)
        }
        let ended = writer.end()
        let size = try #require(ended)
        let copy = TestBlock(capacity: size)
        unsafe copy.memory.copyMemory(from: block.memory, byteCount: size)
        unsafe block.memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
        #expect(Self.values(of: copy.event) == Self.expected(Self.everyKind))
    }

    @Test("Behind header, state and attributes come the texts at once: an ended block has no hole of a word or more")
    func compact() throws {
        for count in 0..<12 {
            let block = TestBlock()
            var writer = block.writer()
            var texts = 0
            for index in 0..<count {
                let text = String(repeating: "t", count: index * 3)
                _ = writer.put("name-\(index)", .string(text))
                texts += text.utf8.count + "name-\(index)".utf8.count
            }
            let ended = writer.end("custom")
            let size = try #require(ended)
            let needed = BlockLayout.attributesOffset + count * BlockLayout.attributeSize + texts + "custom".utf8.count
            #expect(size >= needed && size < needed + 16, "\(count)")
        }
    }

    @Test("A name that is set again keeps its place and gets the new value, of another kind or size as well")
    func replaceInPlace() throws {
        let block = TestBlock()
        var writer = block.writer()
        for (name, _) in Self.everyKind {
            #expect(writer.put(name, .list([.string("old"), .int(1)])) == .written)
        }
        for (name, _) in Self.everyKind.reversed() {
            #expect(writer.put(name, .string("older")) == .written)
        }
        for (name, value) in Self.everyKind.reversed() {
            #expect(writer.put(name, value) == .written)
        }
        #expect(writer.attributeCount == Self.everyKind.count)
        let ended = writer.end()
        #expect(ended != nil)
        #expect(Self.values(of: block.event) == Self.expected(Self.everyKind))
    }

    @Test("Names are told apart by their bytes")
    func bytewise() throws {
        let block = TestBlock()
        var writer = block.writer()
        // é in one scalar and in two: Swift's String says that they are equal.
        for (index, name) in ["\u{E9}", "e\u{301}", "a", "A", "a\u{0}", "a "].enumerated() {
            #expect(writer.put(name, .int(Int64(index))) == .written)
        }
        #expect(writer.attributeCount == 6)
        let ended = writer.end()
        #expect(ended != nil)
        #expect(block.event.attributes.map(\.int) == [0, 1, 2, 3, 4, 5])
    }

    @Test("What does not fit goes on in larger memory, with nothing lost", arguments: [0, 1, 5, 10])
    func relocate(before: Int) throws {
        let small = TestBlock(capacity: 1024)
        let large = TestBlock()
        var writer = small.writer()
        for (name, value) in Self.everyKind.prefix(before) {
            #expect(writer.put(name, value) == .written)
        }
        #expect(writer.put("long", .string(String(repeating: "x", count: 2000))) == .blockFull)
        unsafe writer.relocate(to: large.memory, capacity: large.capacity)
        for (name, value) in Self.everyKind.dropFirst(before) {
            #expect(writer.put(name, value) == .written)
        }
        #expect(writer.put("long", .string(String(repeating: "x", count: 2000))) == .written)
        unsafe small.memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 1024)
        let ended = writer.end()
        #expect(ended != nil)
        let long = PlainValue.string(String(repeating: "x", count: 2000))
        #expect(Self.values(of: large.event) == Self.expected(Self.everyKind + [("long", long)]))
        #expect(small.isWhole && large.isWhole)
    }

    @Test("Lists lie at multiples of 8, nested ones too, whatever lies between", arguments: 0..<9)
    func alignment(length: Int) throws {
        let text = PlainValue.string(String(repeating: "t", count: length))
        let list = PlainValue.list([text, .list([text, .list([.int(1), text])]), text, .list([.int(2)])])
        let block = TestBlock()
        var writer = block.writer()
        for index in 0..<10 {
            #expect(writer.put("l\(String(repeating: "n", count: index))", list) == .written)
            #expect(writer.put("t\(String(repeating: "n", count: index))", text) == .written)
        }
        let ended = writer.end()
        #expect(ended != nil)
        for attribute in block.event.attributes {
            Self.expectAligned(attribute, in: block)
            #expect(PlainValue(attribute.value) == (attribute.name.hasPrefix("l") ? list : text))
        }
    }

    private static func expectAligned(_ attribute: AttributeView, in block: TestBlock) {
        guard case .list(let list) = attribute.value else { return }
        unsafe #expect(attribute.raw.pointee.v.off % 8 == 0)
        for element in list {
            expectAligned(element, in: block)
        }
    }

    @Test("Each limit is kept, and what breaks it changes nothing")
    func limits() throws {
        let block = TestBlock()
        var writer = block.writer()
        #expect(writer.put("", .int(1)) == .badName)
        #expect(writer.put(String(repeating: "n", count: Limits.nameBytes + 1), .int(1)) == .badName)
        #expect(writer.put(String(repeating: "n", count: Limits.nameBytes), .int(1)) == .written)
        #expect(writer.put("long", .string(String(repeating: "x", count: Limits.valueBytes + 1))) == .valueTooLarge)
        #expect(writer.put("long", .bytes([UInt8](repeating: 0, count: Limits.valueBytes + 1))) == .valueTooLarge)
        #expect(writer.put("long", .list([.bytes([UInt8](repeating: 0, count: Limits.valueBytes))])) == .valueTooLarge)
        #expect(writer.put("long", .string(String(repeating: "x", count: Limits.eventBytes))) == .blockFull)
        #expect(writer.put("deep", Self.nested(Limits.listDepth + 1)) == .valueTooLarge)
        #expect(writer.put("deep", Self.nested(Limits.listDepth)) == .written)
        for index in writer.attributeCount..<Limits.attributes {
            #expect(writer.put("a\(index)", .bool(true)) == .written)
        }
        #expect(writer.put("one more", .int(1)) == .tooMany)
        #expect(writer.put("deep", .int(2)) == .written)
        #expect(writer.attributeCount == Limits.attributes)
        let ended = writer.end()
        #expect(ended != nil)
        #expect(block.event.attributes["long"] == nil && block.event.attributes["deep"]?.int == 2)
        #expect(block.isWhole)
    }

    private static func nested(_ depth: Int) -> PlainValue {
        (1..<depth).reduce(.list([])) { list, _ in .list([list]) }
    }

    @Test("A block that is full to the last byte is ended or refused, and never written beyond its end")
    func brim() {
        for length in 700..<900 {
            let block = TestBlock(capacity: 1024)
            var writer = block.writer()
            let outcome = writer.put("a", .string(String(repeating: "x", count: length)))
            let size = writer.end()
            #expect((outcome == .written) == (length <= 1024 - 176 - 24 - 1), "\(length)")
            if outcome == .written, let size {
                #expect(size <= 1024 && block.event.attributes[0].string?.count == length)
            }
            #expect(block.isWhole)
        }
    }

    @Test("Any sequence of sets leaves what a dictionary with an order would hold", arguments: 0..<UInt64(40))
    func model(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let block = TestBlock()
        var writer = block.writer()
        var model: [(String, PlainValue)] = []
        for _ in 0..<120 {
            let name =
                random.next() % 3 == 0
                ? "\(AttributeKey.wellKnown[Int(random.next() % 40)].name)" : "n\(random.next() % 30)"
            let value = Self.value(&random, depth: 1)
            guard writer.put(name, value) == .written else { continue }
            if let place = model.firstIndex(where: { $0.0 == name }) {
                model[place].1 = value
            } else {
                model.append((name, value))
            }
        }
        let ended = writer.end()
        #expect(ended != nil)
        #expect(Self.values(of: block.event) == Self.expected(model))
        #expect(model.count > 40 && block.isWhole)
    }

    private static func value(_ random: inout SplitMix64, depth: Int) -> PlainValue {
        switch random.next() % (depth < 4 ? 6 : 5) {
        case 0: .null
        case 1: .bool(random.next() % 2 == 0)
        case 2: .int(Int64(random.next() % 1000))
        case 3: .string(String(repeating: "s", count: Int(random.next() % 70)))
        case 4: .bytes([UInt8](repeating: 7, count: Int(random.next() % 20)))
        default: .list((0..<random.next() % 4).map { _ in value(&random, depth: depth + 1) })
        }
    }
}
