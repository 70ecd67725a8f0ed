/// A viewer elsewhere whose player sends a batch every ten seconds: the playhead four times a second, and now and then a
/// quality sample.
struct SimulatedViewer {
    /// How often it sends, ns.
    static let interval: Int64 = 10_000_000_000
    private static let samples = 40
    private static let sampleMicroseconds = 250_000

    /// Its number among all viewers.
    let number: Int
    /// How many lines it has made.
    private(set) var made = 0
    /// Up to which line all is safe.
    private(set) var safe = 0
    /// How many batches it has made.
    private var batches = 0
    /// Where the lines begin that are not known to be safe, and their text.
    private var unsafeLines: [UInt8] = []

    init(number: Int) { self.number = number }

    /// Makes the lines of ten seconds more, and appends a request with all that is not safe.
    mutating func appendRequest(to text: inout [UInt8]) {
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
        var begin = Array("{\"sent_us\":".utf8)
        begin.append(number: now + 1_000)
        begin += Array("}\n".utf8)
        text += Self.path
        text.append(number: number)
        text += Self.head
        text.append(number: begin.count + unsafeLines.count)
        text += Self.headEnd
        text += begin
        text += unsafeLines
    }

    /// Learns from an answer what is safe.
    mutating func learn(safe line: Int) {
        safe = max(safe, min(line, made))
        if safe == made { unsafeLines.removeAll(keepingCapacity: false) }
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
