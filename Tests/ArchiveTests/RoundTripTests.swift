import Archive
import EventModel
import PluginABI
import Testing

/// What is written reads back as it was, to the last bit.
struct RoundTripTests {
    @Test("An event of any type with values of any type reads back from its line", arguments: 0..<UInt64(20))
    func anyEvent(block: UInt64) {
        for seed in block * 100..<block * 100 + 100 {
            var random = RandomEvent(seed: seed)
            let event = random.block()
            #expect(event.size != nil, "seed \(seed)")
            let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
            #expect(difference == nil, "seed \(seed)")
        }
    }

    @Test("Through a file it is the same, and every type is among them", arguments: 0..<UInt64(10))
    func throughFile(block: UInt64) throws {
        let archive = TestArchive()
        let writer = try archive.writer()
        var expected: [String] = []
        var lastFull: Int64?
        for seed in 10_000 + block * 200..<10_000 + block * 200 + 200 {
            var random = RandomEvent(seed: seed)
            let event = random.block()
            unsafe writer.event(event.view, report: event.report)
            let isFull =
                event.view.type != .playheadSample
                || event.view.time - (lastFull ?? .min / 2) >= ArchiveFormat.fullStateInterval
            if isFull { lastFull = event.view.time }
            expected.append(
                "run-1 \(expected.count + 1) " + Self.text(event, members: Self.members(event, isFull: isFull))
            )
        }
        let (lines, damage) = try archive.read()
        #expect(damage == [])
        #expect(lines.count == expected.count + 1)
        for (line, expected) in zip(lines.dropFirst(), expected) {
            #expect(line == expected)
        }
    }

    @Test("What was read and written again is the same line", arguments: 0..<UInt64(10))
    func again(block: UInt64) throws {
        for seed in 20_000 + block * 100..<20_000 + block * 100 + 100 {
            var random = RandomEvent(seed: seed)
            let event = random.block()
            let first = unsafe try Self.line(of: event.view, unsafe event.report)
            let second = try Self.rewritten(first)
            let third = try Self.rewritten(second)
            #expect(second == third, "seed \(seed)")
        }
    }

    @Test("Two hundred attributes read back")
    func manyAttributes() {
        let attributes = (0..<Limits.attributes).map { (name: "attribute_\($0)", value: PlainValue.int(Int64($0))) }
        let event = EventBlock("custom", attributes)
        #expect(event.outcomes.allSatisfy { $0 == .written })
        let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
        #expect(difference == nil)
    }

    @Test(
        "A block of 16 KiB reads back, however long its text is as JSON",
        arguments: ["\u{0}", "\"", "a", "é", "\u{10FFFF}"]
    )
    func largeBlock(scalar: String) {
        let room = Limits.eventBytes - 300
        let event = EventBlock(
            "custom",
            [("text", .string(String(repeating: scalar, count: room / scalar.utf8.count)))]
        )
        #expect(event.outcomes == [.written])
        #expect((event.size ?? 0) > Limits.eventBytes - 256)
        let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
        #expect(difference == nil)
    }

    @Test("A block of 16 KiB of bytes and numbers reads back")
    func largeLists() {
        let bytes = [UInt8](repeating: 0xFF, count: 8000)
        let numbers = (0..<300).map { PlainValue.double(Double($0) + 1.0 / 3) }
        let event = EventBlock("custom", [("bytes", .bytes(bytes)), ("numbers", .list(numbers))])
        #expect(event.outcomes == [.written, .written])
        let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
        #expect(difference == nil)
    }

    @Test("A block that is full to the brim reads back, although its line puts the texts in another order")
    func brim() {
        let list = PlainValue.list([.int(1)])
        var largest = 0
        for length in Limits.eventBytes - 600..<Limits.eventBytes - 300 {
            // The first attribute becomes a list late: in the block its list lies behind the others, in the line before.
            let event = EventBlock(
                "custom",
                [
                    ("a", .bool(true)), ("b", .string(String(repeating: "x", count: length))), ("cd", list),
                    ("a", list),
                ]
            )
            guard event.outcomes == [.written, .written, .written, .written], event.size != nil else { continue }
            largest = length
            let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
            #expect(difference == nil, "\(length)")
        }
        #expect((Limits.eventBytes - 500..<Limits.eventBytes - 320).contains(largest))
    }

    @Test("The check finds values that are not canonical: they read as other ones")
    func checkFinds() {
        let changes: [(inout tally_attr) -> Void] = [
            { unsafe $0.v.i = 1 << 53 },
            { unsafe ($0.type, $0.v.d) = (ValueType.double, 2) },
            { unsafe ($0.type, $0.v.d) = (ValueType.double, -0.0) },
            { unsafe ($0.type, $0.v.d) = (ValueType.double, Double(bitPattern: 0x7FF8_0000_0000_0001)) },
            { $0.flags = 0 },
            { ($0.key_id, $0.flags) = (AttributeKey.videoID.rawValue, 0) },
        ]
        for (index, change) in changes.enumerated() {
            let event = EventBlock("custom") { writer in
                _ = writer.set(named: UTF8Text("x"), CanonicalNumber(Int64(1)))
                unsafe change(&UnsafeMutablePointer(mutating: writer.attributes[0].raw).pointee)
            }
            let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
            #expect(difference != nil, "\(index)")
        }
        var state = tally_state()
        state.known = TALLY_KNOWN_BITRATE
        state.bitrate_bps = 1 << 53
        let event = EventBlock("custom", state: state)
        let difference = unsafe RoundTripCheck.difference(event.view, report: event.report)
        #expect(difference?.contains("number out of range") == true)
    }

    // MARK: - Parts

    /// The members that a line holds: of a sample those that were reported, of others all, but a reported playhead only.
    private static func members(_ event: EventBlock, isFull: Bool) -> UInt32 {
        let reported = unsafe event.report.pointee.known
        return isFull ? ~TALLY_KNOWN_PLAYHEAD | reported : reported
    }

    private static func text(_ event: EventBlock, members: UInt32) -> String {
        Exact.lines(of: event.view, reported: members).joined(separator: "; ")
    }

    private static func line(of event: EventView, _ report: UnsafePointer<tally_state>) throws -> String {
        let archive = TestArchive()
        let writer = try archive.writer()
        unsafe writer.event(event, report: report)
        return try #require(archive.lines.last)
    }

    private static func rewritten(_ line: String) throws -> String {
        let decoder = ArchiveLineDecoder()
        let bytes = Array(line.utf8)
        let result: Result<String, any Error> = unsafe bytes.withUnsafeBytes { bytes in
            Result {
                guard case .event(let event) = unsafe try decoder.decode(bytes) else { return "no event" }
                return unsafe try Self.line(of: event, event.state.raw)
            }
        }
        return try result.get()
    }
}
