internal import TextEncoding

/// A player elsewhere that reports track calls in Tally's own form, and keeps what is not safe yet.
struct ReportingPlayer {
    let run: String
    /// How many lines it has in all.
    let count: UInt64
    /// Up to which line it knows all to be safe.
    private(set) var safe: UInt64 = 0
    /// How many lines there are so far: time goes on while nothing can be sent.
    private var made: UInt64 = 0

    init(run: String, count: UInt64) {
        self.run = run
        self.count = count
    }

    /// Whether all that it has is safe.
    var isDone: Bool { safe >= count }

    /// A line by its number, from 1: the same whenever it is sent.
    func line(_ number: UInt64) -> String {
        let time = number * 200_000
        let what =
            switch number {
            case 1: "\"event\":\"video_load\",\"attributes\":{\"video_id\":\"film-\(run)\",\"serial\":1}"
            case 2: "\"event\":\"play\",\"attributes\":{\"serial\":2}"
            case 3: "\"event\":\"first_frame\",\"state\":{\"playhead_ms\":0},\"attributes\":{\"serial\":3}"
            case count - 1: "\"event\":\"video_unload\",\"attributes\":{\"serial\":\(number)}"
            case count: "\"end\":\"drained\",\"dropped\":0"
            default:
                number % 10 == 5
                    ? "\"event\":\"quality_sample\",\"state\":{\"bitrate_bps\":\(number)},\"attributes\":{\"serial\":\(number)}"
                    : "\"event\":\"playhead_sample\",\"state\":{\"playhead_ms\":\((number - 3) * 200)},"
                        + "\"attributes\":{\"serial\":\(number)}"
            }
        return "{\"n\":\(number),\"t_us\":\(time),\(what)}\n"
    }

    /// A batch with some lines.
    func batch(_ lines: ClosedRange<UInt64>) -> String {
        "{\"sent_us\":\(lines.upperBound * 200_000 + 1_000)}\n" + lines.map(line).joined()
    }

    /// The next batch of what is not safe; nil when there is nothing.
    mutating func nextBatch(_ random: inout SplitMix64) -> String? {
        made = min(count, max(made, safe) + random.next() % 20)
        guard made > safe else { return nil }
        return batch((safe + 1)...made)
    }

    /// A batch that begins anywhere: a repetition, or one that lines before are missing of.
    func anyBatch(_ random: inout SplitMix64) -> String {
        let first = 1 + random.next() % count
        return batch(first...min(count, first + random.next() % 30))
    }

    /// Learns from an answer what is safe.
    mutating func learn(safe number: UInt64) { safe = max(safe, number) }
}
