import TallyTesting

/// The times in which playback was paused or sought, by the events of a run; in ms.
struct Halts {
    private var intervals: [Range<Int64>] = []

    /// Reads the events of a transcript.
    init(_ events: [String]) {
        var isPaused = false
        var isSeeking = false
        var since: Int64?
        for event in events {
            let parts = event.split(separator: " ")
            guard parts.count > 7, parts[1] == "event", let microseconds = Int64(parts[0]) else { continue }
            switch parts[7] {
            case "video_load":
                isPaused = false
                isSeeking = false
            case "pause": isPaused = true
            case "play": isPaused = false
            case "seek_start": isSeeking = true
            case "seek_complete": isSeeking = false
            default: continue
            }
            let time = microseconds / 1000
            if isPaused || isSeeking {
                since = since ?? time
            } else if let start = since {
                intervals.append(start..<time)
                since = nil
            }
        }
        if let since { intervals.append(since..<Int64.max) }
    }

    /// How much of a stretch of time playback was halted.
    func time(in stretch: Range<Int64>) -> Int64 {
        intervals.reduce(0) { $0 + Int64($1.clamped(to: stretch).count) }
    }
}
