import Archive
import EventModel
import PluginABI
import Tally
import Testing

/// docs/data-model.md says what the code does, row for row.
struct DataModelPageTests {
    private static let page = "docs/data-model.md"

    @Test("Every event is in the page as it is in the code, and none besides")
    func events() throws {
        let table = try MarkdownTable(
            page: Self.page,
            columns: ["number", "event", "info read at the call", "meaning"]
        )
        #expect(
            table.rows.map { Array($0.prefix(2)) }
                == EventType.wellKnown.map { ["\($0.type.rawValue)", "`\($0.name)`"] }
        )
        let words = try VocabularySource().events
        #expect(table.rows == words.map { ["\($0.number)", "`\($0.name)`", $0.reads, $0.meaning] })
    }

    @Test("Every attribute is in the page as it is in the code, and none besides")
    func attributes() throws {
        let table = try MarkdownTable(
            page: Self.page,
            columns: ["number", "attribute", "type", "unit", "set by", "personal", "meaning"]
        )
        let expected = AttributeKey.wellKnown.map {
            ["\($0.key.rawValue)", "`\($0.name)`", $0.isPersonal ? "yes" : "-"]
        }
        #expect(table.rows.map { [$0[0], $0[1], $0[5]] } == expected)
        let words = try VocabularySource().attributes
        #expect(table.rows.map { [$0[0], $0[2], $0[3], $0[4], $0[6]] } == words.map(\.columns))
    }

    @Test("The names and numbers of the page are those of the header")
    func header() throws {
        let lines = try SourceFile.text("Core/PluginABI/include/tally_vocabulary.h").split(separator: "\n")
        for (prefix, columns) in [
            ("TALLY_EVENT_TYPE_", ["number", "event", "info read at the call", "meaning"]),
            ("TALLY_KEY_", ["number", "attribute", "type", "unit", "set by", "personal", "meaning"]),
        ] {
            let words = lines.filter { $0.hasPrefix("#define \(prefix)") && $0.contains("/*") }.map { line in
                let parts = line.split(separator: " ")
                return ["\(parts[2].dropLast())", "`\(parts[parts.count - 2])`"]
            }
            let rows = try MarkdownTable(page: Self.page, columns: columns).rows.map { Array($0.prefix(2)) }
            #expect(words == rows)
        }
    }

    @Test("A unit is in the name of what has one")
    func units() throws {
        let ends: [String: String] = [
            "ms": "_ms", "us": "_us", "bit/s": "_bps", "1/1000 frame/s": "_fps_milli", "B": "_bytes",
        ]
        for attribute in try VocabularySource().attributes {
            let end = ends[attribute.unit]
            #expect(end.map { attribute.name.hasSuffix($0) } ?? true, "\(attribute.name)")
            for (unit, end) in ends where attribute.name.hasSuffix(end) && end != "_ms" {
                #expect(attribute.unit == unit, "\(attribute.name)")
            }
        }
    }

    @Test("Every member of the state is in the page with its known bit, and none besides")
    func state() throws {
        let table = try MarkdownTable(
            page: Self.page,
            columns: ["member", "unit", "known bit", "reported by", "meaning"]
        )
        let bits = try Self.definitions("TALLY_KNOWN_")
        let expected =
            [(TALLY_KNOWN_PLAYHEAD, "playhead_ms")] + StateMembers.numbers.map { ($0.member, "\($0.name)") }
            + StateMembers.flagMembers.map { ($0.member, "\($0.name)") }
        #expect(table.rows.map { $0[0] } == expected.map { "`\($0.1)`" })
        for (row, member) in zip(table.rows, expected) {
            #expect(bits[MarkdownTable.words(row[2]).first ?? ""] == member.0, "\(row)")
        }
        #expect(Set(table.rows.flatMap { MarkdownTable.words($0[2]) }) == Set(bits.keys))
    }

    @Test("Every bit that follows from events is in the page, with the word that archives have for it")
    func words() throws {
        let table = try MarkdownTable(page: Self.page, columns: ["word", "bit", "set by", "cleared by"])
        let bits = try Self.definitions("TALLY_STATE_")
        for row in table.rows {
            let word = try #require(MarkdownTable.words(row[0]).first)
            let bit = try #require(MarkdownTable.words(row[1]).first)
            #expect(bit == "TALLY_STATE_" + word.uppercased())
            #expect(try Self.archived(flags: #require(bits[bit])) == #""is":["\#(word)"]"#)
        }
        let described = Set(table.rows.flatMap { MarkdownTable.words($0[1]) })
        let reported = StateMembers.flagMembers.map { "TALLY_STATE_" + "\($0.name)".uppercased() }
        #expect(Set(bits.keys) == described.union(reported).union(["TALLY_STATE_IN_SESSION"]))
    }

    @Test("Every event flag is in the page with its bit, and archives have its name")
    func flags() throws {
        let table = try MarkdownTable(page: Self.page, columns: ["flag", "bit", "meaning"])
        let bits = try Self.definitions("TALLY_EVENT_").filter { !$0.key.hasPrefix("TALLY_EVENT_TYPE") }
        #expect(table.rows.count == bits.count)
        for row in table.rows {
            let name = try #require(MarkdownTable.words(row[0]).first)
            let bit = try #require(bits["TALLY_EVENT_" + name.uppercased()])
            #expect(row[1] == "\(bit)")
            #expect(try Self.archived(eventFlags: bit) == #""flags":["\#(name)"]"#)
        }
    }

    @Test("The words that an attribute's meaning names are those that the track API has")
    func vocabularies() throws {
        var words: [String: [String]] = [:]
        for attribute in try VocabularySource().attributes {
            words[attribute.name] = MarkdownTable.words(attribute.meaning)
        }
        #expect(words["stream_type"] == [AssetType.vod, .live, .linear].map(\.rawValue))
        #expect(words["rendition_phase"] == [Rendition.Phase.decided, .visible].map(\.rawValue))
        #expect(words["rendition_cause"] == [Rendition.Cause.automatic, .manual].map(\.rawValue))
        #expect(words["rendition_shift"] == [Rendition.Shift.up, .down, .same].map(\.rawValue))
        #expect(words["buffer_cause"] == [BufferingCause.initial, .seek, .stall, .frozen].map(\.rawValue))
        #expect(words["consent_state"] == [ConsentState.given, .refused, .pending].map(\.rawValue))
    }

    // MARK: - Parts

    /// The numbers of the header's macros with a prefix.
    private static func definitions(_ prefix: String) throws -> [String: UInt32] {
        var found: [String: UInt32] = [:]
        for line in try SourceFile.text("Core/PluginABI/include/tally_block.h").split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count >= 3, parts[0] == "#define", parts[1].hasPrefix(prefix), parts[2].hasPrefix("0x") else {
                continue
            }
            found[String(parts[1])] = UInt32(parts[2].dropFirst(2).dropLast(), radix: 16)
        }
        return found
    }

    /// The member of an archive line that a bit of the state or of an event's flags makes.
    private static func archived(flags: UInt32 = 0, eventFlags: UInt32 = 0) throws -> String {
        let block = TestBlock()
        var writer = block.writer()
        unsafe writer.state.pointee.flags = flags
        unsafe writer.header.pointee.flags = eventFlags
        let ended = writer.end()
        #expect(ended != nil)
        let line = unsafe ArchiveLineText.of(block.event, report: block.event.state.raw)
        let parts = line.split(separator: eventFlags != 0 ? "\"event\":\"custom\"," : "\"state\":{")
        return String(try #require(parts.last).dropLast(eventFlags != 0 ? 1 : 2))
    }
}
