/// Archives that are written by hand: as text, line by line.
package enum ArchiveText {
    /// The lines of a run with one session that plays for so many samples, with a stall in every 23.
    ///
    /// - Parameters:
    ///   - name: the run's id.
    ///   - samples: how many times the playhead is told, four a second.
    ///   - attributes: JSON of what the application says of the video.
    /// - Returns: the lines, without breaks.
    package static func run(
        _ name: String,
        samples: Int,
        attributes: String = #"{"video_id":"film"}"#
    ) -> [String] {
        var lines = [
            #""tally":{"format":1,"semantics":2,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}"#,
            #""t_us":0,"event":"video_load","attributes":\#(attributes)"#,
            #""t_us":1000,"event":"play""#, #""t_us":300000,"event":"first_frame","state":{"playhead_ms":0}"#,
        ]
        for sample in 1...samples {
            let kind = sample % 23 == 7 ? "buffer_start" : sample % 23 == 9 ? "buffer_complete" : "playhead_sample"
            let state = "\"state\":{\"playhead_ms\":\(sample * 250)}"
            lines.append("\"t_us\":\(300_000 + sample * 250_000),\"event\":\"\(kind)\",\(state)")
        }
        let end = 300_000 + (samples + 1) * 250_000
        lines += ["\"t_us\":\(end),\"event\":\"video_unload\"", "\"t_us\":\(end),\"end\":\"drained\",\"dropped\":0"]
        return lines.enumerated().map { "{\"run\":\"\(name)\",\"n\":\($0),\($1)}" }
    }
}
