/// Archives of two short runs, for the checks that replay.
enum SampleRun {
    static let first = text(of: "sample-1", video: "film-1", extra: "")
    static let second = text(
        of: "sample-2",
        video: "film-2",
        extra: #""attributes":{"custom_name":"liked"}"#
    )
    /// Both in one archive.
    static let two = first + second

    /// The lines of a run: a start, a stall, a seek, a pause, and the end.
    private static func text(of run: String, video: String, extra: String) -> String {
        let steps: [(milliseconds: Int, event: String, members: String)] = [
            (0, "video_load", #""attributes":{"video_id":"\#(video)","video_name":"A film","stream_type":"vod"}"#),
            (50, "play", ""), (400, "first_frame", state(0)), (5_400, "playhead_sample", state(5_000)),
            (11_400, "playhead_sample", state(11_000)), (12_000, "custom", extra),
            (12_400, "buffer_start", #"\#(state(12_000)),"attributes":{"buffer_cause":"stall"}"#),
            (13_900, "buffer_complete", state(12_000)), (14_000, "seek_start", ""),
            (14_300, "seek_complete", state(60_000)),
            (20_300, "pause", state(66_000)), (25_000, "play", ""), (49_000, "complete", state(90_000)),
            (49_001, "video_unload", ""),
        ]
        let header =
            #"{"run":"\#(run)","n":0,"tally":{"format":1,"semantics":1,"core":"0.1.0","#
            + #""epoch_us":1750000000000000,"trackers":[]}}"#
        let lines = steps.enumerated().map { number, step in
            #"{"run":"\#(run)","n":\#(number + 1),"t_us":\#(step.milliseconds)000,"event":"\#(step.event)","session":1"#
                + (step.members.isEmpty ? "" : ",\(step.members)") + "}"
        }
        let end = #"{"run":"\#(run)","n":\#(steps.count + 1),"t_us":49002000,"end":"drained","dropped":0}"#
        return ([header] + lines + [end]).joined(separator: "\n") + "\n"
    }

    private static func state(_ playhead: Int) -> String {
        #""state":{"playhead_ms":\#(playhead),"duration_ms":90000,"rate_milli":1000}"#
    }
}
