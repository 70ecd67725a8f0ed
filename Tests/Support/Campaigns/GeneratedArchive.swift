package import TextEncoding

/// Archives of short player runs for tests of whole replays: as plain text, each kind of trouble now and then.
package enum GeneratedArchive {
    /// How the lines of several runs lie in the archive.
    package enum Order: Sendable {
        /// One run after the other.
        case separate
        /// All runs at once.
        case interleaved
    }

    /// An archive's text, with about so many samples in each run.
    ///
    /// With `trouble` some runs have no end, and some lines are damaged, missing, too late, or of no run.
    package static func text(
        runs: Int,
        samples: Int,
        order: Order,
        trouble: Bool,
        _ random: inout SplitMix64
    ) -> String {
        var all = (0..<runs).map { run(number: $0, samples: samples, trouble: trouble, &random) }
        if order == .separate { return all.joined().map { $0 + "\n" }.joined() }
        var text = ""
        all = all.map { $0.reversed() }
        while !all.isEmpty {
            let place = Int(random.next() % UInt64(all.count))
            text += (all[place].popLast() ?? "") + "\n"
            if all[place].isEmpty { all.remove(at: place) }
        }
        return text
    }

    private static func run(number: Int, samples: Int, trouble: Bool, _ random: inout SplitMix64) -> [String] {
        let id = "run-\(number)-\(random.next() % 1_000)"
        var ordinal = 0
        func line(_ rest: String) -> String {
            defer { ordinal += 1 }
            return #"{"run":"\#(id)","n":\#(ordinal),"# + rest + "}"
        }
        let epoch = 1_750_000_000_000_000 + number * 60_000_000
        var lines = [
            line(#""tally":{"format":1,"semantics":1,"core":"0.1.0","epoch_us":\#(epoch),"trackers":[]}"#),
            line(#""t_us":0,"event":"video_load","attributes":{"video_id":"v\#(number % 7)","stream_type":"vod"}"#),
            line(#""t_us":50000,"event":"play""#),
            line(#""t_us":400000,"event":"first_frame","state":{"playhead_ms":0,"duration_ms":900000}"#),
        ]
        let count = samples / 2 + Int(random.next() % UInt64(samples))
        for sample in 1...count {
            let time = 400_000 + sample * 1_000_000
            let state = #""state":{"playhead_ms":\#(sample * 1_000)}"#
            switch random.next() % 40 {
            case 0:
                lines.append(line(#""t_us":\#(time),"event":"buffer_start",\#(state)"#))
                lines.append(line(#""t_us":\#(time + 200_000),"event":"buffer_complete",\#(state)"#))
            case 1: lines.append(line(#""t_us":\#(time),"mark":true"#))
            default: lines.append(line(#""t_us":\#(time),"event":"playhead_sample",\#(state)"#))
            }
        }
        let end = 700_000 + count * 1_000_000
        lines.append(line(#""t_us":\#(end),"event":"video_unload""#))
        lines.append(line(#""t_us":\#(end + 1000),"end":"drained","dropped":0"#))
        if trouble { spoil(&lines, &random) }
        return lines
    }

    private static func spoil(_ lines: inout [String], _ random: inout SplitMix64) {
        let place = 4 + Int(random.next() % UInt64(lines.count - 6))
        switch random.next() % 10 {
        case 0, 1: lines.removeLast()
        case 2: lines.removeLast(3)
        case 3: lines[place] = String(lines[place].dropLast(9))
        case 4: lines.remove(at: place)
        case 5: lines.swapAt(place, place - 1)
        case 6: lines.insert("", at: place)
        case 7: lines.insert(#"{"run":"nobody","n":4,"t_us":1,"mark":true}"#, at: place)
        default: break
        }
    }
}
