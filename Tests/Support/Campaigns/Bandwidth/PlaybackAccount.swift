internal import TextEncoding

/// What a viewer lived through: when the picture moved first, the stalls, and which renditions were shown from where.
struct PlaybackAccount: Sendable {
    /// A time in which the picture stood still.
    struct Stall: Sendable {
        /// Us since 1970.
        let beginUs: Int64
        let lengthUs: Int64
    }

    /// A rendition that is shown from a place on.
    struct Switch: Sendable {
        let height: Int
        let placeMs: Int64
        /// When its first picture moved, us since 1970.
        let timeUs: Int64
    }

    /// When the picture began to move, us since 1970.
    private(set) var movesUs: Int64 = 0
    private(set) var stalls: [Stall] = []
    private(set) var switches: [Switch] = []
    /// How long it took from the wish to play until then, as an archive has it.
    private(set) var startupMs: Int64 = 0
    /// When playback was wished, us since 1970: the event `play` of an archive, or when the engine was started.
    private(set) var beganUs: Int64 = 0

    /// How much later some events are dated than others, against the place that they have: what a busy machine does to the
    /// player; only an archive has it.
    private(set) var jitterUs: Int64 = 0

    /// A picture that is shown for so much longer than it is to be is nothing that anybody sees.
    private static let shortestGapUs: Int64 = 60_000

    /// What sink and server saw: pictures as they were shown, and the rendition of each segment that was played.
    ///
    /// The media engine is started, and asked to play, at `beganUs`.
    init(beganUs: Int64, pictures: [SinkLog.Frame], heights: [Int], segmentMs: Int64) throws {
        guard let first = pictures.first else { throw RoundFailure("no picture was shown") }
        movesUs = first.timeUs
        startupMs = (first.timeUs - beganUs) / 1000
        self.beganUs = beganUs
        for (picture, next) in zip(pictures, pictures.dropFirst()) {
            // Where pictures in between came too late the stream has gone on meanwhile.
            let heldUs = (next.timeUs - picture.timeUs) - (next.placeUs - picture.placeUs)
            guard heldUs > Self.shortestGapUs else { continue }
            stalls.append(Stall(beginUs: picture.timeUs + picture.durationUs, lengthUs: heldUs))
        }
        for (index, height) in heights.enumerated() where index == 0 || heights[index - 1] != height {
            // The first one of the segment that was not too late.
            let startUs = first.placeUs + Int64(index) * segmentMs * 1000 - first.durationUs / 2
            guard let shown = pictures.first(where: { $0.placeUs >= startUs }) else { continue }
            switches.append(
                Switch(height: height, placeMs: (shown.placeUs - first.placeUs) / 1000, timeUs: shown.timeUs)
            )
        }
    }

    /// What the events of an archive say.
    init(archive lines: [String]) throws {
        let lines = try lines.map { try JSONParser().parse($0) }
        guard let epochUs = lines.first?.value(at: "tally.epoch_us")?.int else {
            throw RoundFailure("the archive does not say when it began")
        }
        var stalledUs: Int64?
        var placeMs: Int64 = 0
        var offsetsUs: ClosedRange<Int64>?
        for line in lines {
            guard let timeUs = line["t_us"]?.int.map({ $0 + epochUs }) else { continue }
            placeMs = line.value(at: "state.playhead_ms")?.int ?? placeMs
            switch line["event"]?.string {
            case "playhead_sample":
                let offsetUs = timeUs - placeMs * 1000
                let least = min(offsetsUs?.lowerBound ?? offsetUs, offsetUs)
                offsetsUs = least...max(offsetsUs?.upperBound ?? offsetUs, offsetUs)
                jitterUs = max(jitterUs, offsetsUs.map { $0.upperBound - $0.lowerBound } ?? 0)
            case "play" where beganUs == 0: beganUs = timeUs
            case "first_frame": movesUs = timeUs
            case "quality_sample":
                startupMs = line.value(at: "attributes.startup_time_ms")?.int ?? startupMs
            case "buffer_start" where ["stall", "frozen"].contains(line.value(at: "attributes.buffer_cause")?.string):
                stalledUs = timeUs
            case "buffer_complete":
                // The place stood meanwhile.
                offsetsUs = nil
                if let beginUs = stalledUs { stalls.append(Stall(beginUs: beginUs, lengthUs: timeUs - beginUs)) }
                stalledUs = nil
            case "rendition_change" where line.value(at: "attributes.rendition_phase")?.string == "visible":
                let height = Int(line.value(at: "attributes.rendition_height")?.int ?? 0)
                switches.append(Switch(height: height, placeMs: placeMs, timeUs: timeUs))
            default: break
            }
        }
    }
}
