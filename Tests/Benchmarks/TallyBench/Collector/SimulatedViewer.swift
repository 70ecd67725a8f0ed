internal import TextEncoding

/// A viewer elsewhere whose player sends a batch every ten seconds: the playhead four times a second, and now and then a
/// quality sample.
///
/// One that leaves ends its run after some batches, and another viewer comes in its place.
struct SimulatedViewer {
    /// How often it sends, ns.
    static let interval: Int64 = 10_000_000_000
    private static let samples = 40
    private static let sampleMicroseconds = 250_000

    /// Its number among all viewers.
    let number: Int
    /// How many lines it has made in its run.
    private(set) var made = 0
    /// Up to which line of its run all is safe.
    private(set) var safe = 0
    /// How many runs of viewers at this place are over.
    private(set) var ended = 0
    /// Lines of those runs.
    private(set) var madeBefore = 0
    /// How many batches it has made.
    private var batches = 0
    /// How many batches its run has; nil is without end.
    private var length: Int?
    /// Whether the end of its run was made.
    private var isEnding = false
    private let lengths: ClosedRange<Int>?
    private var random: SplitMix64
    /// Where the lines begin that are not known to be safe, and their text.
    private var unsafeLines: [UInt8] = []

    /// A viewer; `lengths` is how many batches the runs at its place have, nil for one run without end.
    init(number: Int, lengths: ClosedRange<Int>? = nil) {
        self.number = number
        self.lengths = lengths
        random = SplitMix64(seed: UInt64(number) + 1)
        // The first one has been there for a while.
        length = lengths.map { 1 + Int(random.next() % UInt64($0.upperBound)) }
    }

    /// Makes the lines of ten seconds more, and appends a request with all that is not safe.
    mutating func appendRequest(to text: inout [UInt8]) {
        if !isEnding { makeLines() }
        let now = batches * Self.samples * Self.sampleMicroseconds
        var begin = Array("{\"sent_us\":".utf8)
        begin.append(number: now + 1_000)
        begin += Array("}\n".utf8)
        text += Self.path
        text.append(number: number)
        text.append(UInt8(ascii: "-"))
        text.append(number: ended)
        text += Self.head
        text.append(number: begin.count + unsafeLines.count)
        text += Self.headEnd
        text += begin
        text += unsafeLines
    }

    private mutating func makeLines() {
        if batches == 0 { makeBegin() }
        let first = batches * Self.samples
        for sample in first..<(first + Self.samples) {
            let time = sample * Self.sampleMicroseconds + Self.sampleMicroseconds
            append(time, Self.playhead)
            unsafeLines.append(number: time / 1_000)
            unsafeLines += Self.sampleEnd
        }
        batches += 1
        let now = batches * Self.samples * Self.sampleMicroseconds
        if batches % 3 == 0 {
            append(now, Self.quality)
            unsafeLines.append(number: 1_000_000 + number)
            unsafeLines += Self.sampleEnd
        }
        guard batches == length else { return }
        append(now, Self.unload)
        append(now, Self.end)
        isEnding = true
    }

    /// Learns from an answer what is safe.
    mutating func learn(safe line: Int) {
        safe = max(safe, min(line, made))
        guard safe == made else { return }
        unsafeLines.removeAll(keepingCapacity: false)
        guard isEnding, let lengths else { return }
        ended += 1
        madeBefore += made
        (made, safe, batches, isEnding) = (0, 0, 0, false)
        length = lengths.lowerBound + Int(random.next() % UInt64(lengths.count))
    }

    private mutating func makeBegin() {
        append(0, Self.load)
        unsafeLines.append(number: number % 1_000)
        unsafeLines += Array("\",\"title\":\"A film\"}}\n".utf8)
        append(100_000, Self.play)
        append(200_000, Self.firstFrame)
    }

    /// Appends a line up to what it says.
    private mutating func append(_ time: Int, _ what: [UInt8]) {
        made += 1
        unsafeLines += Self.lineBegin
        unsafeLines.append(number: made)
        unsafeLines += Self.timeBegin
        unsafeLines.append(number: time)
        unsafeLines += what
    }

    private static let path = Array("POST /runs/viewer-".utf8)
    private static let head = Array(" HTTP/1.1\r\nHost: collector\r\nContent-Type: text/plain\r\nContent-Length: ".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let lineBegin = Array("{\"n\":".utf8)
    private static let timeBegin = Array(",\"t_us\":".utf8)
    private static let playhead = Array(",\"event\":\"playhead_sample\",\"state\":{\"playhead_ms\":".utf8)
    private static let quality = Array(",\"event\":\"quality_sample\",\"state\":{\"bitrate_bps\":".utf8)
    private static let sampleEnd = Array("}}\n".utf8)
    private static let load = Array(",\"event\":\"video_load\",\"attributes\":{\"video_id\":\"film-".utf8)
    private static let play = Array(",\"event\":\"play\"}\n".utf8)
    private static let unload = Array(",\"event\":\"video_unload\"}\n".utf8)
    private static let end = Array(",\"end\":\"drained\",\"dropped\":0}\n".utf8)
    private static let firstFrame = Array(",\"event\":\"first_frame\",\"state\":{\"playhead_ms\":0}}\n".utf8)
}

extension [UInt8] {
    /// Appends a whole number from 0 in decimal digits.
    mutating func append(number: Int) {
        let start = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}
