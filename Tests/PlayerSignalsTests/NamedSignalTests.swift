import EventModel
import MediaRules
import PlayerSignals
import TestFiles
import Testing

/// Signals by their names.
struct NamedSignalTests {
    @Test("Each name of the list is understood, and no other", arguments: SignalShape.all)
    func names(shape: SignalShape) {
        let values: [SignalShape.Kind: PlainValue] = [
            .text: .string("t"), .integer: .int(1), .number: .double(1), .truth: .bool(true),
        ]
        let all = shape.attributes.compactMap { attribute in
            values[attribute.kind].map { TrackedCall.Attribute(attribute.name, $0) }
        }
        for given in [all, all.filter { one in shape.attributes.contains { $0.name == one.name && $0.isRequired } }] {
            switch NamedSignal(shape.name, given).meaning {
            case .signals, .chapter: break
            case .unknown, .faulty: Issue.record("\(shape.name)")
            }
            #expect(NamedSignal(shape.name, given).fault == nil)
        }
        #expect(NamedSignal("open", []).meaning == .unknown)
    }

    @Test("What has to be there and is not, or is of another kind, leaves the signal out and is told")
    func faults() {
        func fault(_ signal: String, _ given: [TrackedCall.Attribute]) -> String {
            guard case .faulty(let fault) = NamedSignal(signal, given).meaning else { return "no fault" }
            #expect(NamedSignal(signal, given).fault == fault)
            return fault.description
        }
        let end = ": it was left out; the page 'Signals' lists them"
        #expect(fault("opening", []) == "the signal 'opening' has no 'url', a text\(end)")
        #expect(
            fault("opening", [.init("url", .int(1))])
                == "the signal 'opening' came with another kind of 'url' than a text\(end)"
        )
        #expect(
            fault("position", [.init("ms", .string("1"))])
                == "the signal 'position' came with another kind of 'ms' than a whole number\(end)"
        )
        #expect(
            fault("seeking", [.init("rate", .bool(true))])
                == "the signal 'seeking' came with another kind of 'rate' than a number\(end)"
        )
        #expect(
            fault("wanted", [.init("playing", .int(1))])
                == "the signal 'wanted' came with another kind of 'playing' than true or false\(end)"
        )
        for number in [PlainValue.double(.nan), .double(-.infinity), .double(1e300), .int(.max)] {
            #expect(
                fault("buffering", [.init("percent", number)])
                    == "the signal 'buffering' came with a 'percent' that counts nothing\(end)"
            )
        }
        #expect(fault("described", [.init("anything", .int(1))]) == "no fault")
    }

    @Test("An attribute that a signal does not have is told, and the rest is heeded")
    func unknownAttributes() {
        let misspelt = NamedSignal("seeked", [.init("to_ms", .int(5)), .init("at_ms", .int(7))])
        #expect(misspelt.meaning == .signals([.seeked(atMs: 7)]))
        #expect(
            misspelt.fault?.description
                == "the signal 'seeked' has no attribute 'to_ms' but at_ms: it was heeded without that; the page"
                + " 'Signals' lists them"
        )
        #expect(
            NamedSignal("picture", [.init("at_ms", .int(7))]).fault?.description
                == "the signal 'picture' has no attributes, and came with 'at_ms': it was heeded without that; the page"
                + " 'Signals' lists them"
        )
    }

    @Test("The page lists the signals with their attributes, those that have to be there, and their kinds")
    func page() throws {
        let page = try TestFile.text(TestFile.repository + "/docs/signals.md")
        let start = try #require(page.firstRange(of: "\n## The signals\n"))
        let end = try #require(page.firstRange(of: "\n## The rules\n"))
        let rows = page[start.upperBound..<end.lowerBound].split(separator: "\n").compactMap {
            $0.wholeMatch(of: /\| `(\w+)` \| ([^|]*)\|.*/)
        }
        let listed = rows.map { row in
            let groups = row.2.split(separator: ";").filter { $0.contains("`") }
            return Row(
                name: String(row.1),
                attributes: groups.flatMap { group in
                    let kind = group.firstMatch(of: /`\*? (text|integer|number|truth)/)
                    let isRequired = group.contains("*")
                    let names = group[..<(kind?.range.upperBound ?? group.endIndex)]
                    return names.matches(of: /`(\w+)`/).map { "\($0.1) \(kind?.1 ?? "?") \(isRequired)" }
                }
            )
        }
        let declared = SignalShape.all.map { shape in
            Row(
                name: shape.name,
                attributes: shape.attributes.map { "\($0.name) \($0.kind.rawValue) \($0.isRequired)" }
            )
        }
        #expect(listed.map(\.name) == declared.map(\.name))
        for (row, shape) in zip(listed, declared) where shape.name != "described" {
            #expect(row.attributes.sorted() == shape.attributes.sorted(), "\(row.name)")
        }
    }

    @Test("The header lists the signals with their attributes")
    func header() throws {
        let header = try TestFile.text(TestFile.repository + "/Hosts/Library/CTally/include/tally.h")
        let start = try #require(header.firstRange(of: "lists the signals; their attributes are"))
        let end = try #require(header[start.upperBound...].firstRange(of: "[any thread]"))
        let block = header[start.upperBound..<end.lowerBound].replacing("\n *", with: "  ")
        for shape in SignalShape.all where !shape.isOpen {
            let attributes = shape.attributes.map(\.name)
            let listed = block.matches(of: /(?:^|[ `])(\w+)(?: \[([^\]]*)\])?/).first { $0.1 == shape.name }
            let own = (listed?.2 ?? "").split(separator: ", ").map(String.init)
            #expect(listed != nil && own.sorted() == attributes.sorted(), "\(shape.name): \(own)")
        }
    }

    /// A signal as the page has it.
    private struct Row {
        let name: String
        let attributes: [String]
    }

    @Test("Attributes become what signals say; a number that nobody means counts as left out")
    func attributes() {
        #expect(
            NamedSignal("opening", [.init("url", .string("u")), .init("playing", .bool(false))]).meaning
                == .signals([.opening(url: "u", wantsPlaying: false)])
        )
        #expect(
            NamedSignal(
                "format",
                [.init("width", .int(2)), .init("height", .double(3)), .init("fps", .double(23.976))]
            )
            .meaning
                == .signals([.format(StreamRendition(width: 2, height: 3, framesPerSecondMilli: 23_976))])
        )
        #expect(
            NamedSignal("seeking", [.init("to_ms", .double(1.4)), .init("rate", .int(2))]).meaning
                == .signals([.seeking(toMs: 1, rate: 2)])
        )
        #expect(
            NamedSignal("seeking", [.init("to_ms", .double(.nan)), .init("rate", .double(.infinity))]).meaning
                == .signals([.seeking(toMs: nil, rate: nil)])
        )
        #expect(
            NamedSignal("bitrate", [.init("audio", .int(5))]).meaning == .signals([.bitrate(5, .audio)])
        )
        #expect(NamedSignal("closed", [.init("cause", .string("quit"))]).meaning == .signals([.closed(cause: "quit")]))
        #expect(
            NamedSignal("request", [.init("url", .string("u")), .init("status", .int(4))]).meaning
                == .signals([.request(EngineRequest(url: "u", status: nil))])
        )
    }
}
