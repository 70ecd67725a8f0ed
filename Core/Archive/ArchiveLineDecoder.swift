package import EventModel
internal import PluginABI
internal import TextEncoding

/// Reads archive lines.
///
/// Allocates nothing for an event in the steady state.
@safe package final class ArchiveLineDecoder {
    /// The run that the last line belongs to; lent until the next line is decoded.
    package var run: UTF8Text { currentRun }
    /// The last line's number in its run.
    package var ordinal: UInt64 { currentOrdinal }

    /// Why somebody else than its player ended the run whose end the last line is; nil mostly.
    package var endCause: String? { once?.cause }
    /// The first member of the last line that was decoded which means nothing, as `color` or `state.color`; nil when
    /// each means something.
    ///
    /// Attributes' names are free.
    @safe @exclusivity(unchecked) package private(set) var unknownMember: String?

    // Behind computed properties, so that other modules read them without a dynamic exclusivity check.
    @safe @exclusivity(unchecked) private var currentRun = UTF8Text("")
    @safe @exclusivity(unchecked) private var currentOrdinal: UInt64 = 0

    private let block: UnsafeMutableRawPointer
    private let names = ByteBuffer()
    private let texts = ByteBuffer()
    private let runText = ByteBuffer()
    private let typeText = ByteBuffer()
    private let beginning = ByteBuffer()
    /// What the last line began with up to its number, if its run was written without escapes: the next one's is mostly
    /// the same.
    @safe @exclusivity(unchecked) private var prefix = UTF8Text("")
    /// The run within it.
    @safe @exclusivity(unchecked) private var lastRun = UTF8Text("")
    @safe @exclusivity(unchecked) private var sample = SampleLine()
    /// The last line's well-known type, likewise.
    ///
    /// The name's bytes are the vocabulary's.
    @safe @exclusivity(unchecked) private var lastType = EventType.playheadSample
    @safe @exclusivity(unchecked) private var lastTypeName = UTF8Text("")
    /// What the line has of members that come once in a run; nil for nearly every line.
    @safe @exclusivity(unchecked) private var once: Once?

    /// Whether lines belong to the run that the caller knows, and need not say it.
    private let knowsRun: Bool

    /// With `knowingRun`, lines need no `run`: they came from a player whose run the caller knows.
    ///
    /// ``run`` is empty then where a line has none, and ``ordinal`` is 0 where it has no number, also of a line that
    /// cannot be read.
    package init(knowingRun: Bool = false) {
        knowsRun = knowingRun
        unsafe block = .allocate(byteCount: Limits.eventBytes, alignment: 8)
        if knowingRun { rememberBeginning("{\"n\":") }
    }

    deinit {
        unsafe block.deallocate()
        sample.deallocate()
    }

    /// Takes a playhead sample of the last line's run that stands at `start` in the form in which Tally writes it.
    ///
    /// - Returns: its bytes with the line break, nil when nothing was taken; then the line is left to ``decode(_:)``.
    @inline(__always)
    func decodeSample(
        at start: UnsafeRawPointer,
        count: Int
    ) -> (event: UnsafeMutablePointer<tally_event>, count: Int)? {
        let first = unsafe start.assumingMemoryBound(to: UInt8.self)
        guard let next = unsafe sample.decode(first, until: first + count, prefix: prefix) else { return nil }
        currentRun = lastRun
        currentOrdinal = UInt64(bitPattern: sample.ordinal)
        return unsafe (sample.block, next - first)
    }

    /// The members of a line that are no event's content.
    private struct Frame {
        var hasRun = false
        var hasOrdinal = false
        var time: Int64?
        var type: UTF8Text?
        var isMark = false
        var flags: UInt32 = 0
    }

    /// The members of lines that come once in a run.
    private final class Once {
        var endReason: String?
        var dropped: UInt64 = 0
        var cause: String?
        var header: JSONValue?
        var headerProblem: String?
    }

    /// Decodes a line without its line break.
    package func decode(_ line: UnsafeRawBufferPointer) throws(ArchiveLineProblem) -> ArchiveLine {
        guard unsafe isASCII(line) || isValidUTF8(line) else { throw .notUTF8 }
        var cursor = unsafe LineCursor(line)
        var frame = Frame()
        frame.hasRun = knowsRun
        var writer = unsafe BlockWriter(base: block, capacity: Limits.eventBytes)
        var first = true
        if once != nil {
            once = nil
        }
        if unknownMember != nil {
            unknownMember = nil
        }
        if knowsRun {
            currentRun = UTF8Text("")
            currentOrdinal = 0
        }
        switch decodeBeginning(&cursor, &frame, &writer) {
        case .whole: return try assemble(&frame, &writer, column: cursor.column)
        case .members: first = false
        case .nothing: cursor.expect(UInt8(ascii: "{"))
        }
        while let name = cursor.member(first: first, scratch: names) {
            first = false
            try decodeMember(name, &cursor, &frame, &writer)
        }
        if cursor.problem == nil, !cursor.isAtEnd() {
            cursor.fail("something follows the object")
        }
        if let problem = cursor.problem { throw .malformed(once?.headerProblem ?? problem.text, column: cursor.column) }
        return try assemble(&frame, &writer, column: cursor.column)
    }

    /// How much of a line was taken in the form in which Tally writes it.
    private enum Beginning {
        case nothing
        case members
        case whole
    }

    /// Takes the first members of a line that follows one of the same run and was written by Tally; of most samples,
    /// all.
    @inline(__always)
    private func decodeBeginning(
        _ cursor: inout LineCursor,
        _ frame: inout Frame,
        _ writer: inout BlockWriter
    ) -> Beginning {
        var text = cursor.canonical
        guard prefix.count > 0, text.consume(prefix), let number = text.integer(), text.consume(",\"t_us\":"),
            let time = text.integer()
        else { return .nothing }
        currentRun = lastRun
        currentOrdinal = UInt64(number)
        frame.hasRun = true
        frame.hasOrdinal = true
        frame.time = time
        cursor.skip(to: text)
        guard lastTypeName.count > 0, text.consume(",\"event\":\""), text.consume(lastTypeName), text.consume("\"")
        else { return .members }
        frame.type = lastTypeName
        cursor.skip(to: text)
        guard text.consume(",\"state\":{\"playhead_ms\":"), let playhead = text.integer(), text.consume("}"),
            playhead < CanonicalNumber.integerLimit
        else { return .members }
        unsafe writer.state.pointee.playhead_ms = playhead
        unsafe writer.state.pointee.reported_playhead_ms = playhead
        unsafe writer.state.pointee.known |= TALLY_KNOWN_PLAYHEAD
        cursor.skip(to: text)
        return text.consume("}") && text.isAtEnd ? .whole : .members
    }

    private func assemble(
        _ frame: inout Frame,
        _ writer: inout BlockWriter,
        column: Int
    ) throws(ArchiveLineProblem) -> ArchiveLine {
        guard frame.hasRun, frame.hasOrdinal else { throw .malformed("run or n is missing", column: column) }
        if let header = once?.header { return .header(try ArchiveHeader(run: run.string, json: header)) }
        guard let time = frame.time else { throw .malformed("t_us is missing", column: column) }
        guard time >= 0 else { throw .malformed("t_us is negative", column: column) }
        if frame.isMark { return .mark(time: time) }
        if let once, let reason = once.endReason { return .end(time: time, reason: reason, dropped: once.dropped) }
        guard let name = frame.type else { throw .malformed("event is missing", column: column) }
        guard name.count > 0, name.count <= Limits.nameBytes else {
            throw .limit("its name is empty or longer than \(Limits.nameBytes) bytes")
        }
        guard writer.finish(type: type(named: name), name: name) != nil else {
            throw .limit("it is larger than \(Limits.eventBytes) bytes")
        }
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.flags = frame.flags
        return unsafe .event(EventView(writer.header))
    }

    private func remember(run: UTF8Text, isPlain: Bool) {
        if run == lastRun, isPlain { return }
        beginning.removeAll()
        prefix = UTF8Text("")
        lastRun = UTF8Text("")
        guard isPlain else { return }
        beginning.append(Self.runMember)
        unsafe beginning.append(run.bytes)
        beginning.append("\",\"n\":")
        unsafe beginning.withBytes { bytes in
            guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            prefix = unsafe UTF8Text(start: start, count: bytes.count)
            lastRun = unsafe UTF8Text(start: start + Self.runMember.utf8CodeUnitCount, count: run.count)
        }
    }

    /// Lines mostly begin with this text, and name no run.
    private func rememberBeginning(_ text: StaticString) {
        beginning.append(text)
        unsafe beginning.withBytes { bytes in
            guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            prefix = unsafe UTF8Text(start: start, count: bytes.count)
        }
    }

    private static let runMember: StaticString = "{\"run\":\""

    private func type(named name: UTF8Text) -> EventType {
        if unsafe (name.start == lastTypeName.start && name.count == lastTypeName.count) || name == lastTypeName {
            return lastType
        }
        let type = EventTypeNames.type(named: name)
        if let known = EventTypeNames.name(of: type) {
            lastType = type
            lastTypeName = known
        }
        return type
    }

    // MARK: - Members

    private func decodeMember(
        _ name: UTF8Text,
        _ cursor: inout LineCursor,
        _ frame: inout Frame,
        _ writer: inout BlockWriter
    ) throws(ArchiveLineProblem) {
        switch name.count {
        case 1 where name == "n":
            guard let number = cursor.integer(), number >= 0 else { return cursor.fail("n is no number") }
            currentOrdinal = UInt64(number)
            frame.hasOrdinal = true
        case 3 where name == "run":
            let start = cursor.canonical
            let before = frame.hasRun && !knowsRun ? currentRun.string : nil
            guard let text = cursor.string(runText) else { return }
            // Lines are dealt to coordinators by the run that they begin with.
            if let before, text.string != before { return cursor.fail("run is there twice, with two values") }
            currentRun = text
            frame.hasRun = true
            if !knowsRun { remember(run: text, isPlain: cursor.took(text, since: start)) }
        case 4 where name == "t_us": frame.time = cursor.integer()
        case 5 where name == "event": frame.type = cursor.string(typeText)
        case 5 where name == "state":
            if let unknown = unsafe StateDecoding.decode(&cursor, into: writer.state, names: names) {
                meetUnknown("state." + unknown)
            }
        case 10 where name == "attributes": try attributes(&cursor, &writer)
        default:
            decodeRareMember(name, &cursor, &frame)
        }
    }

    private func decodeRareMember(_ name: UTF8Text, _ cursor: inout LineCursor, _ frame: inout Frame) {
        if name == "flags" {
            flags(&cursor, &frame)
        } else if name == "mark" {
            frame.isMark = cursor.literal("true")
        } else if name == "end" || name == "dropped" || name == "cause" || name == "tally" {
            let once = once ?? Once()
            self.once = once
            decodeSingleMember(name, &cursor, once)
        } else {
            // The session's number is for whoever reads an archive: it follows from the events.
            if !(name == "session") { meetUnknown(name.string) }
            _ = unsafe cursor.skipValue(texts)
        }
    }

    private func meetUnknown(_ name: String) {
        if unknownMember == nil { unknownMember = name }
    }

    private func decodeSingleMember(_ name: UTF8Text, _ cursor: inout LineCursor, _ once: Once) {
        if name == "end" {
            once.endReason = cursor.string(texts)?.string
        } else if name == "dropped" {
            once.dropped = UInt64(max(0, cursor.integer() ?? 0))
        } else if name == "cause" {
            once.cause = cursor.string(texts)?.string
        } else {
            header(&cursor, once)
        }
    }

    private func flags(_ cursor: inout LineCursor, _ frame: inout Frame) {
        cursor.expect(UInt8(ascii: "["))
        var first = true
        while cursor.element(first: first) {
            first = false
            guard let text = cursor.string(texts) else { return }
            for (bit, name) in EventFlagNames.all where text == name {
                frame.flags |= bit
            }
        }
    }

    private func header(_ cursor: inout LineCursor, _ once: Once) {
        let bytes = unsafe cursor.skipValue(texts)
        guard cursor.problem == nil else { return }
        do {
            once.header = unsafe try JSONParser().parse(bytes)
        } catch {
            once.headerProblem = error.message
            cursor.fail("malformed header")
        }
    }

    // MARK: - Attributes

    private func attributes(_ cursor: inout LineCursor, _ writer: inout BlockWriter) throws(ArchiveLineProblem) {
        cursor.expect(UInt8(ascii: "{"))
        var first = true
        while let name = cursor.member(first: first, scratch: names) {
            first = false
            let outcome = attribute(&cursor, &writer, name)
            if cursor.problem == nil, outcome != .written { throw .limit("attribute \(name.string): \(outcome)") }
        }
    }

    private func attribute(
        _ cursor: inout LineCursor,
        _ writer: inout BlockWriter,
        _ name: UTF8Text
    ) -> AttributeOutcome {
        switch cursor.peek() {
        case UInt8(ascii: "\""):
            guard let text = cursor.string(texts) else { return .written }
            return unsafe writer.set(named: name, type: ValueType.string, bytes: text.bytes)
        case UInt8(ascii: "t"):
            _ = cursor.literal("true")
            return writer.set(named: name, type: ValueType.bool, number: 1)
        case UInt8(ascii: "f"):
            _ = cursor.literal("false")
            return writer.set(named: name, type: ValueType.bool, number: 0)
        case UInt8(ascii: "n"):
            _ = cursor.literal("null")
            return writer.set(named: name, type: ValueType.null, number: 0)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard let value = PlainValueDecoding.value(&cursor, texts, depth: 1) else { return .valueTooLarge }
            return writer.set(named: name, value)
        default:
            guard let number = cursor.number() else { return .written }
            return writer.set(named: name, number)
        }
    }
}

/// What one line of an archive says.
///
/// An event's block is lent until the next line is decoded. What comes once in a run lies apart, so that an event's
/// line is a pointer to hand around.
package enum ArchiveLine {
    /// A player run begins.
    indirect case header(ArchiveHeader)
    /// An event with its effective time; its state holds what the player reported.
    case event(EventView)
    /// The run had come to this time, us.
    case mark(time: Int64)
    /// The run ended.
    indirect case end(time: Int64, reason: String, dropped: UInt64)

    /// The line's time, us; nil for a header.
    package var time: Int64? {
        switch self {
        case .header: nil
        case .event(let event): event.time
        case .mark(let time), .end(let time, _, _): time
        }
    }
}
