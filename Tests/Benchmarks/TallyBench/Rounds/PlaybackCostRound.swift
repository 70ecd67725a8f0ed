internal import Glibc
internal import Tally
internal import TextEncoding

/// What telemetry costs while real media is played: processor time and memory.
///
/// One player plays without plugins and without an archive, another one with all trackers, an archive and the reporter
/// that writes lines. Processor time is that of the threads that are Tally's alone, plus that within track calls.
enum PlaybackCostRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let media = try arguments.file()
        let seconds = try arguments.number("--seconds", or: 120)
        let player = arguments.text("--player", or: ".build/release/tally-player")
        let folder = arguments.text("--folder", or: "/tmp")
        try arguments.finish()
        let bare = try play(player, media, min(seconds, 60), folder + "/playback-cost-none", [])
        let configuration = folder + "/playback-cost.json5"
        try write(configurationText(folder), to: configuration)
        // A player takes these settings from their file, beside its configuration.
        unsafe mkdir(folder + "/AdobeMobile", 0o755)
        try write(MeasuredPlugin.settings.canonicalText, to: folder + "/AdobeMobile/ADBMobileConfig.json")
        let full = try play(
            player,
            media,
            seconds,
            folder + "/playback-cost-all",
            ["--config", configuration, "--archive", folder + "/playback-cost.tally"]
        )
        guard let trackUs = full.summary["track_cpu_us"]?.int, full.summary["lost_events"] == .int(0) else {
            throw .invalidRound("events were lost")
        }
        let threadsUs = Double(full.player.telemetryNs) / 1000
        // What the first thread has to do for telemetry: to read the configuration and to load plugins.
        let startUs = Double(max(full.player.firstThreadNs - bare.player.firstThreadNs, 0)) / 1000
        let share = (startUs + threadsUs + Double(trackUs)) / Double(seconds) / 1e6
        Figure(
            "playback/telemetry/cpu",
            share * 100,
            "%-of-a-core",
            [
                ("start_ms", Figure.text(startUs / 1000)), ("threads_ms", Figure.text(threadsUs / 1000)),
                ("track_ms", Figure.text(Double(trackUs) / 1000)),
                ("events", "\(full.summary["events"]?.int ?? 0)"),
            ]
        ).printLine()
        let (least, most) = (bare.player.memory, full.player.memory)
        Figure("playback/none/memory", least.resident, "KiB").printLine()
        Figure("playback/telemetry/memory", most.resident - least.resident, "KiB").printLine()
        Figure("playback/telemetry/anonymous", most.anonymous - least.anonymous, "KiB").printLine()
        Figure("playback/telemetry/images", most.images - least.images, "KiB").printLine()
    }

    private static func play(
        _ player: String,
        _ media: String,
        _ seconds: Int,
        _ errors: String,
        _ options: [String]
    ) throws(BenchError) -> (player: MeasuredPlayer, summary: JSONValue) {
        let arguments = [media, "--repeat", "100000", "--duration", "\(seconds)", "--quiet", "--json"] + options
        let player = try MeasuredPlayer(player, arguments, errors: errors)
        let summary = try player.watch()
        return (player, summary)
    }

    /// All trackers that replays are measured with, and the reporter that writes what they say.
    private static func configurationText(_ folder: String) -> String {
        let trackers = MeasuredPlugin.allCases.flatMap(\.selections).filter { $0.plugin != "discard" }
        var plugins = JSONObject()
        for tracker in trackers {
            var configuration = tracker.configuration.object ?? [:]
            configuration["ADBMobileConfig"] = nil
            plugins[tracker.name] = ["plugin": .string(tracker.plugin), "config": .object(configuration)]
        }
        plugins["jsonlines"] = ["config": ["path": .string(folder + "/playback-cost.ndjson")]]
        return JSONValue.object(["plugins": .object(plugins)]).canonicalText
    }

    private static func write(_ text: String, to path: String) throws(BenchError) {
        guard let file = unsafe fopen(path, "we") else { throw .file(path: path, number: errno) }
        let bytes = Array(text.utf8)
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, written == bytes.count else { throw .file(path: path, number: errno) }
    }
}
