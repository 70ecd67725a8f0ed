package import Archive
internal import Coordinator
internal import EventModel
internal import TextEncoding

/// A batch in Tally's own form: a line that says when it was sent, and track calls as an archive has them.
package struct NativeBatch {
    /// Why a batch cannot be used at all.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// It has no line that says when it was sent.
        case noBegin
        /// Its first line is not what it should be.
        case badBegin(String)
        /// A line is longer than the limit.
        case longLine(Int)

        package var description: String {
            switch self {
            case .noBegin: "the batch is empty: it begins with a line such as {\"sent_us\":1200000}"
            case .badBegin(let reason):
                "line 1: \(reason): a batch begins with a line such as {\"sent_us\":1200000}, the player's time in "
                    + "microseconds since the run's start"
            case .longLine(let line):
                "line \(line) is longer than \(NativeBatch.longestLine) bytes"
            }
        }
    }

    /// A line that is left out.
    package struct Refusal: Equatable, Sendable {
        /// The line, from 1.
        package let line: Int
        /// What is wrong with it.
        package let reason: String
    }

    /// The longest line, bytes.
    package static let longestLine = 64 * 1024
    /// Times of a run, us: those beyond ten years are no times.
    package static let times = 0..<Int64(10 * 366 * 86_400_000_000)

    /// When it was sent, us since the run's start.
    package private(set) var sent: Int64 = 0
    /// Up to which line the player has given up what it could not send.
    package private(set) var lost: UInt64 = 0
    /// The number of the first line, also of one that is left out, if it has one; 0 when there is none.
    package private(set) var first: UInt64 = 0
    /// The number of the last one, likewise.
    package private(set) var last: UInt64 = 0
    /// The lines that are left out, at most ``refusalsKept``.
    package private(set) var refusals: [Refusal] = []
    /// How many were left out.
    package private(set) var refused = 0
    /// What lines say that means nothing.
    package private(set) var unknownWords: [UnknownWord] = []
    /// The lines that are used: their numbers, and where each lies in the text.
    private var places: [(number: UInt64, bytes: Range<Int>)] = []
    /// Numbers that no line has: the line behind them, and how many they are.
    private var gaps: [(before: UInt64, count: UInt64)] = []
    /// Lines that are left out, have no number, and may be what a number is missing for.
    private var unnumbered: UInt64 = 0

    private static let refusalsKept = 10
    /// More numbers than these are no gap but a slip.
    private static let longestGap: UInt64 = 1_000_000

    /// Reads a batch of a run with a decoder of the caller's, which knows the run.
    package init(
        _ text: UnsafeRawBufferPointer,
        of run: String,
        _ decoder: ArchiveLineDecoder
    ) throws(Problem) {
        var place = 0
        var line = 0
        while place < text.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: text[place...])
            let count = unsafe rest.firstIndex(of: 0x0A) ?? rest.count
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
            line += 1
            guard count <= Self.longestLine else { throw .longLine(line) }
            if line == 1 {
                unsafe try begin(bytes)
            } else if unsafe !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
                unsafe read(bytes, line, at: place, of: run, decoder)
            }
            place += count + 1
        }
        guard line > 0 else { throw .noBegin }
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) throws(Problem) {
        let json: JSONValue
        do {
            json = unsafe try JSONParser().parse(line)
        } catch {
            throw .badBegin(error.message)
        }
        guard case .int(let sent)? = json["sent_us"], Self.times.contains(sent) else {
            throw .badBegin("sent_us is missing, or no whole number from 0")
        }
        self.sent = sent
        if case .int(let lost)? = json["lost"], lost > 0 { self.lost = UInt64(lost) }
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ line: Int,
        at place: Int,
        of run: String,
        _ decoder: ArchiveLineDecoder
    ) {
        let decoded: ArchiveLine
        do throws(ArchiveLineProblem) {
            decoded = unsafe try decoder.decode(bytes)
        } catch {
            return refuse(line, decoder.ordinal == 0 ? nil : decoder.ordinal, error.description)
        }
        let number = decoder.ordinal
        guard number > last else {
            return refuse(line, number, "n is \(number), and \(last) came before it: numbers rise, from 1")
        }
        let said = decoder.run
        guard said.count == 0 || said.string == run else {
            let shown = PrintableText.escaped(said.string, longest: 100)
            return refuse(line, number, "run is \(shown), and the address is of another: leave it out")
        }
        if let problem = Self.problem(with: decoded) { return refuse(line, number, problem) }
        if case .event(let event) = decoded {
            guard event.type.isFromPlayer || event.type == .systemSuspended || event.type == .clockStep else {
                return refuse(line, number, "\(event.typeName.string) is no track call")
            }
        }
        for word in Self.unknownWords(of: decoded, decoder) { unknownWords.append(word) }
        reach(number)
        places.append((number, place..<(place + bytes.count)))
    }

    /// What is wrong with a line that can be read, whatever the run is; nil when nothing is.
    package static func problem(with line: ArchiveLine) -> String? {
        if case .header = line { return "a header is an archive's, not a batch's" }
        if let time = line.time, !Self.times.contains(time) {
            return "t_us is \(time), and a run does not last ten years: it is the time since the run's start"
        }
        if case .end(_, let reason, _) = line, RunEndReason(rawValue: reason) == nil {
            let shown = PrintableText.escaped(reason, longest: 100)
            return "end is \(shown): write \"drained\" when all was sent, or else \"cancelled\""
        }
        return nil
    }

    /// What a line that was decoded says that means nothing.
    package static func unknownWords(of line: ArchiveLine, _ decoder: ArchiveLineDecoder) -> [UnknownWord] {
        var words: [UnknownWord] = []
        if case .event(let event) = line, EventTypeNames.name(of: event.type) == nil {
            words.append(UnknownWord(.event, event.typeName.string))
        }
        if let member = decoder.unknownMember { words.append(UnknownWord(.member, member)) }
        return words
    }

    /// Goes on behind a number.
    private mutating func reach(_ number: UInt64) {
        if last == 0 {
            first = number > unnumbered ? number - unnumbered : 1
        } else if number - last - 1 > unnumbered {
            gaps.append((number, min(number - last - 1 - unnumbered, Self.longestGap)))
        }
        unnumbered = 0
        last = number
    }

    /// Leaves a line out, whose number is nil where it is not known.
    private mutating func refuse(_ line: Int, _ number: UInt64?, _ reason: String) {
        refused += 1
        if refusals.count < Self.refusalsKept { refusals.append(Refusal(line: line, reason: reason)) }
        // What is never taken need not come again: it counts as if it were there.
        if number == nil { unnumbered += 1 }
        if let number, number > last { reach(number) }
    }

    /// How many lines with a number beyond `number` are used.
    package func count(beyond number: UInt64) -> Int { places.count { $0.number > number } }

    /// How many numbers beyond `number` are left out between lines, as if these had been refused.
    package func leftOut(beyond number: UInt64) -> UInt64 {
        gaps.reduce(0) { $1.before > number ? $0 + $1.count : $0 }
    }

    /// The lines with a number beyond `number`, each with its break; empty when there are none.
    package func lines(beyond number: UInt64, of text: UnsafeRawBufferPointer) -> [UInt8] {
        guard let first = places.firstIndex(where: { $0.number > number }) else { return [] }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count)
        for place in places[first...] {
            unsafe lines.append(contentsOf: text[place.bytes])
            lines.append(0x0A)
        }
        return lines
    }
}

/// What a player says that nobody understands: a slip of its author's, or a word of a newer version.
package struct UnknownWord: Hashable, Sendable {
    /// What the word should have been.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name of an event.
        case event
        /// The name of a line's member, or of one of its state.
        case member
    }

    /// What the word should have been.
    package let kind: Kind
    /// The word as it came, at most 255 bytes.
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
