internal import HTTPTransfer
internal import PluginKit
internal import Spooling
internal import Threads

/// What collectors took only a part of: how many elements they rejected, by signal.
///
/// Such a request is answered and not sent again, as the protocol has it, and what was rejected is lost.
final class Rejections: Sendable {
    /// How many bytes of an answer are read.
    private static let answerBytes = 4_096
    /// Statuses of which the protocol says that the same request may do better later.
    private static let temporary: Set<Int> = [429, 502, 503, 504]

    private let counts = Guarded<[Signal: Int64]>([:])
    private let host: ReporterHost

    init(_ host: ReporterHost) { self.host = host }

    /// How answers are read.
    var answers: HTTPCarrier.Answers {
        HTTPCarrier.Answers(
            mayRetry: { Self.temporary.contains($0) },
            bytes: Self.answerBytes,
            read: { [self] beacon, body in read(beacon, body) }
        )
    }

    private func read(_ beacon: StoredBeacon, _ body: [UInt8]) {
        guard let signal = Signal(rawValue: beacon.destination), let partial = PartialSuccess(body, signal) else {
            return
        }
        guard partial.rejected > 0 else { return }
        let isFirst = counts.with { counts in
            defer { counts[signal, default: 0] += partial.rejected }
            return counts[signal] == nil
        }
        guard isFirst else { return }
        host.log(.warning, "the collector rejects \(partial.rejected) elements of \(signal.rawValue): \(partial.text)")
    }

    /// The totals with what was rejected, which is lost.
    func added(to totals: JSONValue) -> JSONValue {
        guard case .object(var members) = totals else { return totals }
        let rejected = counts.with { $0.values.reduce(0, +) }
        members["rejected"] = .int(rejected)
        members["lost"] = .int((members["lost"]?.int ?? 0) + rejected)
        return .object(members)
    }
}

/// What a collector says of a request that it took a part of.
struct PartialSuccess: Equatable {
    let rejected: Int64
    let text: String

    /// Reads an answer in either form; nil when it says nothing of the kind.
    init?(_ body: [UInt8], _ signal: Signal) {
        guard let first = body.first else { return nil }
        // No field of the binary form begins like an object.
        if first == UInt8(ascii: "{") {
            let member = ["logs": "rejectedLogRecords", "traces": "rejectedSpans", "metrics": "rejectedDataPoints"]
            guard let json = try? JSONParser().parse(String(decoding: body, as: UTF8.self)),
                let partial = json["partialSuccess"], let name = member[signal.rawValue]
            else { return nil }
            rejected = partial[name]?.int ?? partial[name]?.string.flatMap { Int64($0) } ?? 0
            text = partial["errorMessage"]?.string ?? ""
            return
        }
        var fields = ProtobufReader(body[...])
        guard let partial = fields.content(of: 1) else { return nil }
        var members = ProtobufReader(partial)
        var (rejected, text): (Int64, String) = (0, "")
        while let field = members.next() {
            switch field {
            case (1, .number(let number)): rejected = Int64(bitPattern: number)
            case (2, .content(let bytes)): text = String(decoding: bytes, as: UTF8.self)
            default: break
            }
        }
        (self.rejected, self.text) = (rejected, text)
    }
}

/// Reads the fields of a message in the binary form, as far as they can be read.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case content(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end, and where nothing can be read.
    mutating func next() -> (number: UInt64, value: Value)? {
        guard let tag = varint() else { return nil }
        switch tag & 7 {
        case 0: return varint().map { (tag >> 3, .number($0)) }
        case 1: return content(8).map { (tag >> 3, .content($0)) }
        case 2: return varint().flatMap { content($0) }.map { (tag >> 3, .content($0)) }
        case 5: return content(4).map { (tag >> 3, .content($0)) }
        default: return nil
        }
    }

    /// What the first field with a number holds.
    mutating func content(of number: UInt64) -> ArraySlice<UInt8>? {
        while let field = next() {
            if field.number == number, case .content(let bytes) = field.value { return bytes }
        }
        return nil
    }

    private mutating func content(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}
