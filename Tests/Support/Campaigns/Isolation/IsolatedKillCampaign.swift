internal import ChildPrograms
internal import EventModel
internal import Glibc
internal import System
internal import TextEncoding

/// Ends and halts processes of trackers while a real player plays: what the trackers say is what a replay of the archive
/// says in one process, byte for byte, nothing twice and nothing missing.
///
/// In rounds with an even seed others wait for a tracker as long as it takes, so that the order is the same too; in those
/// with an odd one they wait as long as they do unless told otherwise, and each tracker's outputs are compared alone.
package final class IsolatedKillCampaign: Campaign {
    private let binaries: String
    private let media: RoundFiles
    private let milliseconds: Int
    private let toll = Lock(TrackerAttack.Toll())

    /// Makes the media by ffmpeg, which are removed with the campaign.
    ///
    /// - Parameters:
    ///   - binaries: where the programs and plugins are.
    ///   - folder: where files go.
    ///   - milliseconds: how long the media is.
    /// - Throws: why ffmpeg cannot make them.
    package init(binaries: String, folder: String, milliseconds: Int = 2_400) async throws {
        self.binaries = binaries
        self.milliseconds = milliseconds
        media = RoundFiles(folder: "\(folder)/isolated-kills-\(getpid())")
        media.create()
        let command = """
            ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine -t \(Double(milliseconds) / 1000) \
            -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -movflags +faststart \(media.folder)/clip.mp4
            """
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        guard made.code == 0 else {
            media.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
    }

    deinit {
        media.remove()
    }

    /// Most of a round is waiting.
    package var roundsAtOnce: Int { 8 }

    /// How many processes were ended so far.
    package var kills: Int { toll.with { $0.kills } }

    package var results: [String] {
        let toll = toll.with { $0 }
        return [
            """
            \(toll.kills) processes were ended, \(toll.young) of them in their first 50 ms and \(toll.atEnd) when the media \
            was over; \(toll.halts) were halted
            """
        ]
    }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let files = RoundFiles(folder: "\(media.folder)-\(seed)")
        files.create()
        var problem: String?
        do {
            let trackers = Self.trackers(of: seed)
            problem = try await self.problem(in: files, seed, trackers, &random)
        } catch {
            problem = "\(error)"
        }
        guard let problem else {
            files.remove()
            return nil
        }
        return "\(problem); its files are in \(files.folder)"
    }

    // MARK: - Steps

    private func problem(
        in files: RoundFiles,
        _ seed: UInt64,
        _ trackers: [(name: String, configuration: String)],
        _ random: inout SplitMix64
    ) async throws -> String? {
        let isWaiting = seed % 2 == 0
        let names = trackers.map(\.name)
        files.write(files.script, ["", "0.5 pause 0.4\n", "0.6 seek 1.2\n"][Int(random.next() % 3)])
        files.write(configuration(of: files), Self.text(trackers, holdMs: isWaiting ? 60_000 : nil))
        unsafe mkdir("\(files.folder)/AdobeMobile", 0o755)
        files.write("\(files.folder)/AdobeMobile/ADBMobileConfig.json", Self.adobeSettings)
        let first = Int(random.next() % UInt64(names.count))
        let other = (first + 1 + Int(random.next() % UInt64(names.count - 1))) % names.count
        let victims = random.next() % 2 == 0 ? [first] : [first, other]
        let attacks = victims.map { TrackerAttack(on: names[$0], lasting: milliseconds + 500, &random) }
        let player = try ChildProgram(
            "\(binaries)/tally-player",
            [
                "\(media.folder)/clip.mp4", "--no-decode", "--quiet", "--isolate", "--archive", files.archive,
                "--script",
                files.script,
            ] + options(files, files.live),
            output: files.log,
            joined: true,
            environment: ["TALLY_STATE": "\(files.folder)/state"]
        )
        await withTaskGroup(of: TrackerAttack.Toll.self) { group in
            for attack in attacks { group.addTask { await attack.run(on: player, archive: files.archive) } }
            for await toll in group { self.toll.with { $0 += toll } }
        }
        let code = try await player.end()
        guard code == 0 else { return "the player ends with \(code): \(files.read(files.log).suffix(400))" }
        let text = files.read(files.archive)
        guard files.lines(files.archive).last?.contains("\"end\"") == true else { return "the archive has no end" }
        guard text.contains("\"event\":\"complete\"") else { return "the media is not played to its end" }
        if text.contains("plugin_disabled") { return "a tracker was left out: \(files.read(files.log).suffix(400))" }
        try await replay(files)
        return difference(files, names, isOrdered: isWaiting)
    }

    private func replay(_ files: RoundFiles) async throws {
        let log = "\(files.folder)/replay.txt"
        let replay = try ChildProgram(
            "\(binaries)/tally-replay",
            [files.archive, "--quiet", "--strict"] + options(files, files.replayed),
            output: log,
            joined: true
        )
        let code = try await replay.end()
        guard code == 0 else { throw RoundFailure("the replay ends with \(code): \(files.read(log).suffix(400))") }
    }

    /// How the outputs differ; nil when they do not.
    private func difference(_ files: RoundFiles, _ names: [String], isOrdered: Bool) -> String? {
        let (live, replayed) = (files.lines(files.live), files.lines(files.replayed))
        for name in names {
            let mine = "\"instance\":\"\(name)\""
            let (left, right) = (live.filter { $0.contains(mine) }, replayed.filter { $0.contains(mine) })
            if right.isEmpty { return "\(name) said nothing" }
            if let difference = Self.difference(left, right) { return "\(name): \(difference)" }
        }
        if live.count != replayed.count { return "\(live.count) lines, and \(replayed.count) in the replay" }
        return isOrdered ? Self.difference(live, replayed).map { "in order: \($0)" } : nil
    }

    private static func difference(_ live: [String], _ replayed: [String]) -> String? {
        if live == replayed { return nil }
        let place = zip(live, replayed).enumerated().first { $1.0 != $1.1 }?.offset ?? min(live.count, replayed.count)
        let (left, right) = (live.dropFirst(place).first, replayed.dropFirst(place).first)
        return
            "line \(place + 1) of \(live.count) and \(replayed.count): \(left ?? "nothing") and \(right ?? "nothing")"
    }

    // MARK: - Configuration

    private func configuration(of files: RoundFiles) -> String { "\(files.folder)/tally.json5" }

    private func options(_ files: RoundFiles, _ output: String) -> [String] {
        [
            "--config", configuration(of: files), "--plugin-dir", binaries, "--set",
            "plugins.jsonlines.config.path=\"\(output)\"",
        ]
    }

    /// What Adobe's trackers have in a file of its own beside the configuration.
    private static let adobeSettings =
        "{ \"analytics\": { \"rsids\": \"suite\", \"server\": \"metrics.example.com\" } }\n"

    private static func trackers(of seed: UInt64) -> [(name: String, configuration: String)] {
        let heartbeat = "trackingServer: \"heartbeats.example.com\", jobId: \"j2\", publisher: \"example\""
        return [
            ("new-relic-video", "heartbeatSeconds: 1, delivery: { accountId: 1 }"),
            ("mux-data", "environmentKey: \"abc123\""),
            ("nielsen-dcr", "appid: \"P10DF14BA-937E-436D-99DF-ED39A0422387\", content: { assetid: \"film-1\" }"),
            seed / 2 % 2 == 0 ? ("adobe-heartbeat", heartbeat) : ("adobe-analytics", ""),
        ]
    }

    /// The configuration: no tracker is so slow on any machine that it counts as hung.
    private static func text(_ trackers: [(name: String, configuration: String)], holdMs: Int?) -> String {
        let plugins = trackers.map { "    { plugin: \"\($0.name)\", config: { \($0.configuration) } },\n" }.joined()
        let hold = holdMs.map { "  isolation: { holdMs: \($0) },\n" } ?? ""
        return
            "{\n  calls: { limitSeconds: 600 },\n\(hold)  plugins: [\n\(plugins)    { plugin: \"jsonlines\" },\n  ],\n}\n"
    }
}
