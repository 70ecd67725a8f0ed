internal import TextEncoding

/// What a report tells of (CTA-5004-B, key `e`).
enum ReportedEvent: String, CaseIterable, Sendable {
    case adBreakStart = "abs"
    case adBreakEnd = "abe"
    case adStart = "as"
    case adEnd = "ae"
    case adSkipped = "sk"
    case background = "b"
    case bitrateChange = "bc"
    case content = "c"
    case custom = "ce"
    case error = "e"
    case host = "h"
    case muted = "m"
    case unmuted = "um"
    case enlarged = "pe"
    case reduced = "pc"
    case rate = "pr"
    case playState = "ps"
    case response = "rr"
    case interval = "t"
}

/// What the viewer perceives (CTA-5004-B, key `sta`).
enum ReportedState: String, Sendable {
    case preloading = "d"
    case starting = "s"
    case playing = "p"
    case seeking = "k"
    case rebuffering = "r"
    case paused = "a"
    case ended = "e"
    case failed = "f"
    case quit = "q"
}

/// One report of event mode: keys with their values in the standard's syntax.
struct Report {
    private var members: [(key: String, value: String)] = []

    /// A report with what each has; `milliseconds` since 1970 say when it happened.
    init(_ event: ReportedEvent, at milliseconds: Int64) {
        add("e", event.rawValue)
        add("ts", StructuredText.number(max(0, milliseconds)))
        add("v", "2")
    }

    /// Adds a key; one without a value is left out.
    mutating func add(_ key: String, _ value: String?) {
        if let value { members.append((key, value)) }
    }

    /// Adds what is true, as the bare key.
    mutating func add(_ key: String, _ isTrue: Bool) {
        if isTrue { members.append((key, "")) }
    }

    /// Adds a text in quotes, of so many characters at most.
    mutating func add(_ key: String, text: String?, longest: Int) {
        add(key, text.flatMap { StructuredText.string($0, longest: longest) })
    }

    /// Adds a whole number.
    mutating func add(_ key: String, number: Int64?) { add(key, number.flatMap(StructuredText.number)) }

    /// Adds a list, unless it is empty; `kind` is the object type of each item.
    mutating func add(_ key: String, list: [Int64?], kind: String? = nil) {
        let items = list.compactMap { $0.flatMap(StructuredText.number) }
        let suffix = kind.map { ";" + $0 } ?? ""
        add(key, items.isEmpty ? nil : "(" + items.map { $0 + suffix }.joined(separator: " ") + ")")
    }

    /// Adds a list of texts, unless it is empty.
    mutating func add(_ key: String, texts: [String], longest: Int) {
        let items = texts.compactMap { StructuredText.string($0, longest: longest) }
        add(key, items.isEmpty ? nil : "(" + items.joined(separator: " ") + ")")
    }

    /// The record, its keys in order.
    var text: String {
        members.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
            .joined(separator: ",")
    }
}

/// Reports of one session that go out as one body, until they are as many as that may have.
struct ReportBatch {
    /// Reports and bytes of a body.
    private static let mostReports = 100
    private static let mostBytes = 256 << 10

    let session: UInt32
    private var lines: [String] = []
    private var bytes = 0
    /// What names the body in the spool: the number of its last report.
    private(set) var last: UInt64 = 0

    init(session: UInt32) { self.session = session }

    var isFull: Bool { lines.count >= Self.mostReports || bytes >= Self.mostBytes }

    mutating func add(_ line: String, number: UInt64) {
        lines.append(line)
        bytes += line.utf8.count
        last = number
    }

    /// Records with a line feed between them, and none behind (CTA-5004-B, event mode).
    var body: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}
