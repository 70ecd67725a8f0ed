package import Archive
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

    /// When it was sent, us since the run's start.
    package private(set) var sent: Int64 = 0
    /// Up to which line the player has given up what it could not send.
    package private(set) var lost: UInt64 = 0
    /// The number of the first line that is used; 0 when there is none.
    package private(set) var first: UInt64 = 0
    /// The number of the last one.
    package private(set) var last: UInt64 = 0
    /// Whether its last line ends the run.
    package private(set) var endsRun = false
    /// The lines that are left out, at most ``refusalsKept``.
    package private(set) var refusals: [Refusal] = []
    /// How many were left out.
    package private(set) var refused = 0
    /// The lines that are used: their numbers, and where each begins in the text.
    private var places: [(number: UInt64, start: Int)] = []
    private var end = 0

    private static let refusalsKept = 10

    /// Reads a batch with a decoder of the caller's.
    package init(_ text: UnsafeRawBufferPointer, _ decoder: ArchiveLineDecoder) throws(Problem) {
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
                unsafe read(bytes, line, at: place, decoder)
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
        guard case .int(let sent)? = json["sent_us"], sent >= 0, sent < Self.longestTime else {
            throw .badBegin("sent_us is missing, or no whole number from 0")
        }
        self.sent = sent
        if case .int(let lost)? = json["lost"], lost > 0 { self.lost = UInt64(lost) }
    }

    /// Ten years: times beyond are no times.
    private static let longestTime: Int64 = 10 * 366 * 86_400_000_000

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ line: Int,
        at place: Int,
        _ decoder: ArchiveLineDecoder
    ) {
        let decoded: ArchiveLine
        do throws(ArchiveLineProblem) {
            decoded = unsafe try decoder.decode(bytes)
        } catch {
            return refuse(line, error.description)
        }
        let number = decoder.ordinal
        switch decoded {
        case .header: return refuse(line, "a header is an archive's, not a batch's")
        case .event(let event):
            guard event.type.isFromPlayer || event.type == .systemSuspended || event.type == .clockStep else {
                return refuse(line, "\(event.typeName.string) is no track call")
            }
        case .mark: break
        case .end: endsRun = true
        }
        guard let time = decoded.time, time < Self.longestTime else { return refuse(line, "t_us is no time") }
        guard number > last else { return refuse(line, "n is \(number), and \(last) came before it: numbers rise") }
        if first == 0 { first = number }
        last = number
        places.append((number, place))
        end = place + bytes.count
    }

    private mutating func refuse(_ line: Int, _ reason: String) {
        refused += 1
        if refusals.count < Self.refusalsKept { refusals.append(Refusal(line: line, reason: reason)) }
    }

    /// The lines with a number beyond `number`, each with its break; empty when there are none.
    package func lines(beyond number: UInt64, of text: UnsafeRawBufferPointer) -> [UInt8] {
        guard let first = places.firstIndex(where: { $0.number > number }) else { return [] }
        // Lines that are left out lie between, and are left out again when they are read.
        var lines = unsafe Array(text[places[first].start..<end])
        lines.append(0x0A)
        return lines
    }
}
