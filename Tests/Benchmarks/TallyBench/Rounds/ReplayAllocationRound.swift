internal import AllocationCounter
internal import Glibc
internal import Tally

/// How often memory is asked for while an archive is replayed: by how much more for 100,000 events more.
///
/// Once with nothing but reader and dispatch, and once with a reporter that writes every event.
enum ReplayAllocationRound {
    private static let events = 100_000

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        guard tally_can_count_allocations() else { throw .refused("a build with a sanitizer counts no allocations") }
        // Long enough that the reporter's queue has been full, and has all the memory that it keeps.
        let short = try archive(samples: 60_000)
        let long = try archive(samples: 60_000 + events)
        defer {
            unsafe unlink(short)
            unsafe unlink(long)
        }
        for (name, writes) in [("replay", false), ("replay-written", true)] {
            // What is asked for once in a process is no part of it.
            _ = try count(short, directory, writes)
            let less = try count(short, directory, writes)
            let more = try count(long, directory, writes)
            Figure("allocations/\(name)", Double(more) - Double(less), "allocations", [("events", "\(events)")])
                .printLine()
        }
    }

    private static func count(_ path: String, _ directory: String, _ writes: Bool) throws(BenchError) -> UInt64 {
        do throws(TelemetryError) {
            var options = Telemetry.Options()
            options.mode = .replay
            let catalog = PluginCatalog()
            if writes { catalog.search(directory) }
            let configuration: JSONValue = ["path": "/dev/null", "events": true]
            let telemetry = try Telemetry(
                plugins: writes ? [PluginSelection("jsonlines", configuration: configuration)] : [],
                catalog: catalog,
                options: options
            )
            let replay = Replay(telemetry: telemetry)
            tally_count_allocations(true)
            try replay.replay(path: path)
            telemetry.close()
            tally_count_allocations(false)
            return tally_allocations_by_callers() + tally_allocations_by_others()
        } catch {
            throw .refused(error.description)
        }
    }

    /// Writes an archive of one run in steady playback.
    private static func archive(samples: Int) throws(BenchError) -> String {
        let path = "/tmp/tally-bench-\(getpid())-\(samples).tally"
        guard let file = unsafe fopen(path, "w") else { throw .refused("\(path) cannot be written") }
        defer { unsafe fclose(file) }
        var ordinal = 0
        func line(_ rest: String) {
            unsafe fputs(#"{"run":"steady","n":\#(ordinal),"# + rest + "}\n", file)
            ordinal += 1
        }
        line(#""tally":{"format":1,"semantics":1,"core":"1","epoch_us":1750000000000000,"trackers":[]}"#)
        line(#""t_us":0,"event":"video_load","attributes":{"video_id":"v","stream_type":"vod"}"#)
        line(#""t_us":1,"event":"play""#)
        line(#""t_us":2,"event":"first_frame","state":{"playhead_ms":0}"#)
        for sample in 1...samples {
            let time = sample * 250_000
            let state = #""state":{"playhead_ms":\#(sample * 250)"#
            if sample % 40 == 0 {
                line(
                    #""t_us":\#(time),"event":"quality_sample",\#(state),"bitrate_bps":3000000,"width":1280,"height":720},"#
                        + #""attributes":{"buffer_ms":12000,"connection":"wifi"}"#
                )
            } else {
                line(#""t_us":\#(time),"event":"playhead_sample",\#(state)}"#)
            }
        }
        let end = (samples + 1) * 250_000
        line(#""t_us":\#(end),"event":"video_unload""#)
        line(#""t_us":\#(end + 1),"end":"drained","dropped":0"#)
        return path
    }
}
