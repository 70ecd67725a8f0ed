internal import ChildPrograms

/// What the trackers of a campaign say through the reporter `jsonlines`, live and in a replay.
struct TrackedOutputs {
    let binaries: String
    let files: RoundFiles

    /// The options with which a program writes it to a file.
    func options(_ output: String) -> [String] {
        [
            "--plugin-dir", binaries, "--plugins", "new-relic-video,example-c,jsonlines",
            "--set", "plugins.new-relic-video.config.heartbeatSeconds=1",
            "--set", "plugins.example-c.config.interval_seconds=1",
            "--set", "plugins.jsonlines.config.path=\"\(output)\"",
        ]
    }

    /// Replays the archive of a run that has ended, and gives how that differs from what the run said; nil when it does
    /// not.
    func difference() async throws -> String? {
        let replay = try ChildProgram(
            "\(binaries)/tally-replay",
            [files.archive, "--quiet", "--strict"] + options(files.replayed),
            output: "\(files.folder)/replay.txt",
            joined: true
        )
        let code = try await replay.end()
        guard code == 0 else {
            return "the replay ends with \(code): \(files.read("\(files.folder)/replay.txt").suffix(400))"
        }
        let (live, replayed) = (files.read(files.live), files.read(files.replayed))
        if live.isEmpty { return "nothing was said live" }
        if live == replayed { return nil }
        let lines = (files.lines(files.live), files.lines(files.replayed))
        let place =
            zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.0.count, lines.1.count)
        return "live and replay differ from line \(place + 1) of \(files.live) on"
    }
}
