internal import EventModel
internal import TextEncoding

/// Where a session stood in the course of time, as many places of it as a page can draw.
struct PlaybackSamples {
    /// How many samples are kept of those that say nothing but the playhead.
    private let limit: Int
    /// How many of all.
    private static let largest = 4_000

    private struct Sample {
        let time: Int64
        let playhead: Int64?
        let buffer: Int64?
        let bitrate: Int64?
        let throughput: Int64?
        /// Whether the player said nothing but this.
        let isPlain: Bool
    }

    private var samples: [Sample] = []
    private var plain = 0
    /// Of so many plain samples one is kept.
    private var stride = 1
    private var passed = 0

    init(limit: Int) { self.limit = limit }

    /// Takes what an event says; times are told from `begin` on, us.
    mutating func add(_ event: EventView, since begin: Int64) {
        let isPlain = event.type == .playheadSample
        if isPlain {
            passed += 1
            guard passed % stride == 0 else { return }
        } else if samples.count >= Self.largest {
            return
        }
        let state = event.state
        samples.append(
            Sample(
                time: (event.time - begin) / 1000,
                playhead: state.playheadMilliseconds,
                buffer: event.attributes[.bufferLengthMs]?.int,
                bitrate: state.bitrate,
                throughput: state.throughput,
                isPlain: isPlain
            )
        )
        plain += isPlain ? 1 : 0
        if plain > limit { thin() }
    }

    /// Leaves out every second one of the plain samples, now and from now on.
    private mutating func thin() {
        var isKept = false
        samples.removeAll { sample in
            guard sample.isPlain else { return false }
            isKept.toggle()
            return !isKept
        }
        stride *= 2
        plain = samples.count(where: \.isPlain)
    }

    /// Writes rows of time since the load (ms), playhead (ms), buffer (ms), bitrate and throughput (bit/s).
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for sample in samples {
            writer.beginArray()
            writer.int(sample.time)
            for number in [sample.playhead, sample.buffer, sample.bitrate, sample.throughput] {
                if let number { writer.int(number) } else { writer.null() }
            }
            writer.endArray()
        }
        writer.endArray()
    }
}
