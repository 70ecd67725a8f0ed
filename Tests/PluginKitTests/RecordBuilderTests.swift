import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("Records")
struct RecordBuilderTests {
    /// What the host gets of a record that a closure builds.
    private func record(_ build: @escaping @Sendable (RecordBuilder) -> Void) throws -> FakeHost.Record {
        try #require(host(build).records.first)
    }

    private func host(_ build: @escaping @Sendable (RecordBuilder) -> Void) -> FakeHost {
        TestLibrary.run { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin("KIND")
            build(record)
            host.emit(record)
        }
    }

    @Test func attributesKeepTheirOrderAndTypes() throws {
        let record = try record { record in
            record.set("z", 1)
            record.set("a", "text")
            record.set("m", true)
            record.set("n", 2.5)
            record.setNull("nothing")
            record.set("empty", "")
            record.set("wide", UInt32.max)
            record.set("literal", "static" as StaticString)
        }
        #expect(record.kind == "KIND")
        #expect(record.names == ["z", "a", "m", "n", "nothing", "empty", "wide", "literal"])
        #expect(
            record.values == [
                .int(1), .string("text"), .bool(true), .double(2.5), .null, .string(""), .int(4_294_967_295),
                .string("static"),
            ]
        )
    }

    @Test func aNameThatIsSetAgainKeepsItsPlaceAndGetsTheNewValue() throws {
        let record = try record { record in
            record.set("first", "a long text at first")
            record.set("second", 2)
            record.set("first", "short")
            record.set("second", "now a text")
            record.set("first", "and a text that is longer than the first one")
            record.set("second", false)
        }
        #expect(record.names == ["first", "second"])
        #expect(record.values == [.string("and a text that is longer than the first one"), .bool(false)])
    }

    @Test func numbersKeepTheirKind() throws {
        let record = try record { record in
            record.set("whole", 2.0)
            record.set("minus zero", -0.0)
            record.set("large", 1 << 53)
            record.set("below", (1 << 53) - 1)
            record.set("infinite", Double.infinity)
        }
        #expect(
            record.values == [
                .double(2), .double(0), .double(9_007_199_254_740_992), .int(9_007_199_254_740_991), .double(.infinity),
            ]
        )
    }

    @Test func listsAndBytesSurvive() throws {
        let list = PlainValue.list([
            .int(1), .string("two"), .list([.double(3.5), .bytes([0, 255]), .list([])]), .null, .bool(true),
        ])
        let record = try record { record in
            record.set("before", "x")
            record.set("list", list)
            record.set("bytes", PlainValue.bytes([1, 2, 254]))
            record.set(named: "after", .string("y"))
        }
        #expect(record.names == ["before", "list", "bytes", "after"])
        #expect(record.values == [.string("x"), list, .bytes([1, 2, 254]), .string("y")])
    }

    @Test func attributesOfAnEventAreCopiedWithTheirNames() throws {
        let host = TestLibrary.run { (host, event) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin(event.typeName)
            for attribute in event.attributes { record.set(attribute) }
            host.emit(record)
        }
        let record = try #require(host.records.first)
        #expect(record.kind == "custom")
        #expect(record.names == ["name", "count"])
        #expect(record.values == [.string("value"), .int(3)])
    }

    @Test func theTwoHundredAndFirstAttributeIsLeftOutAndSaidSo() throws {
        let host = host { record in
            for index in 0..<201 { record.set(named: "name \(index)", .int(Int64(index))) }
            record.set(named: "name 7", .string("changed"))
        }
        let record = try #require(host.records.first)
        #expect(record.names.count == 200)
        #expect(record.values[7] == .string("changed"))
        #expect(host.logLines.map(\.message) == [#"record "KIND": "name 200" would be attribute 201; left out"#])
    }

    @Test func whatIsBeyondALimitIsLeftOutAndSaidSo() throws {
        let long = String(repeating: "n", count: 256)
        let large = String(repeating: "v", count: Limits.valueBytes + 1)
        #expect(
            try #require(host { $0.set(named: long, .null) }.logLines.first).message.contains("longer than 255 bytes")
        )
        #expect(try #require(host { $0.set("large", large) }.logLines.first).message.contains("above 65536 bytes"))
        #expect(try #require(host { $0.set(named: "", .null) }.logLines.first).message.contains("empty"))
        var deep = PlainValue.int(1)
        for _ in 0..<9 { deep = .list([deep]) }
        let tooDeep = deep
        #expect(try #require(host { $0.set("deep", tooDeep) }.logLines.first).message.contains("nested deeper than 8"))
    }

    @Test func aRecordStaysBelowItsSizeAndItsAttributesStayWhole() throws {
        let value = String(repeating: "v", count: 60_000)
        let host = host { record in
            for index in 0..<8 { record.set(named: "text \(index)", .string(value)) }
            record.set("small", 1)
        }
        let record = try #require(host.records.first)
        #expect(record.names == ["text 0", "text 1", "text 2", "text 3", "small"])
        #expect(record.values.dropLast().allSatisfy { $0 == .string(value) })
        #expect(host.logLines.map(\.message) == [#"record "KIND": "text 4" does not fit into 262144 bytes; left out"#])
    }

    @Test func whatDoesNotFitBesideManyAttributesIsLeftOutAndTheHostTakesTheRest() throws {
        let value = String(repeating: "v", count: 16_200)
        let host = host { record in
            for index in 0..<150 { record.set(named: "number \(index)", .int(1)) }
            for index in 0..<40 { record.set(named: "text \(index)", .string(value)) }
        }
        let record = try #require(host.records.first)
        #expect(record.names.filter { $0.hasPrefix("number") }.count == 150)
        #expect(record.names.filter { $0.hasPrefix("text") }.count == 15)
        #expect(host.logLines.map(\.message) == [#"record "KIND": "text 15" does not fit into 262144 bytes; left out"#])
    }

    @Test func anyRowOfSetsGivesWhatADictionaryWithOrderWouldGive() throws {
        for seed in 0..<40 as Range<UInt64> {
            let expected = RandomSets(seed: seed)
            let host = TestLibrary.run { (host, _) throws(TrackerFault) in
                let record = RecordBuilder()
                // What an earlier record held must not show in a later one.
                for round in 0..<3 as Range<UInt64> {
                    record.begin("r")
                    for (name, value) in RandomSets(seed: seed &+ (2 - round) * 1000).sets {
                        record.set(named: name, value)
                    }
                    host.emit(record)
                }
            }
            let record = try #require(host.records.last)
            #expect(record.names == expected.names, "seed \(seed)")
            #expect(record.values == expected.names.map { expected.values[$0] ?? .null }, "seed \(seed)")
        }
    }

    @Test func whatWasSetCanBeReadTakenOutAndRenamed() throws {
        let record = try record { record in
            for name in ["a", "b", "c", "d"] { record.set(named: name, .string("value of \(name)")) }
            #expect(record[UTF8Text("c")]?.string?.string == "value of c")
            #expect(record[UTF8Text("e")] == nil)
            record.remove(UTF8Text("b"))
            record.remove(UTF8Text("never there"))
            record.rename(UTF8Text("c"), to: UTF8Text("a name that is longer"))
            record.rename(UTF8Text("never there"), to: UTF8Text("x"))
            // The one that has the name already makes way, and the place is that of the renamed one.
            record.rename(UTF8Text("d"), to: UTF8Text("a"))
            record.set("a name that is longer", 7)
            record.set("b", true)
            #expect(record.count == 3)
        }
        #expect(record.names == ["a name that is longer", "a", "b"])
        #expect(record.values == [.int(7), .string("value of d"), .bool(true)])
    }

    @Test func aRecordThatIsHandedOverCanBeChangedAndHandedOverAgain() {
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin("r")
            record.set("text", "one")
            record.set("number", 1)
            host.emit(record)
            record.set("number", 2)
            host.emit(record)
            record.set("text", "longer than before")
            record.set("list", PlainValue.list([.int(1), .string("two")]))
            host.emit(record)
        }
        let list = PlainValue.list([.int(1), .string("two")])
        #expect(host.records.map(\.kind) == ["r", "r", "r"])
        #expect(host.records[1].values == [.string("one"), .int(2)])
        #expect(host.records[2].values == [.string("longer than before"), .int(2), list])
    }

    @Test func theMemoryOfARecordIsUsedAgain() {
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            for _ in 0..<3 {
                record.begin("r")
                record.set("name", "value")
                host.emit(record)
            }
        }
        #expect(Set(host.recordAddresses).count == 1)
        #expect(host.records.allSatisfy { $0.values == [.string("value")] })
    }
}

/// A row of sets with repeated names, and what they have to end in.
private struct RandomSets {
    private(set) var sets: [(String, PlainValue)] = []
    private(set) var names: [String] = []
    private(set) var values: [String: PlainValue] = [:]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let name = String(repeating: "ab", count: Int(random.next() % 12)) + "\(random.next() % 15)"
            let value: PlainValue =
                switch random.next() % 5 {
                case 0: .int(Int64(random.next() % 1000))
                case 1: .double(Double(random.next() % 1000) + 0.5)
                case 2: .string(String(repeating: "x", count: Int(random.next() % 50)))
                case 3: .list([.string("e\(random.next() % 9)"), .int(4)])
                default: .null
                }
            sets.append((name, value))
            if values[name] == nil { names.append(name) }
            values[name] = value
        }
    }
}
