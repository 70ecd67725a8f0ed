internal import ChildPrograms
internal import Glibc
internal import TextEncoding

/// Ends a replay with a checkpoint by SIGKILL, again and again, and gives the same command until it comes to its end: the
/// output and the summary have to be those of a replay that nobody disturbed.
///
/// Rounds differ in the number of coordinators, in whether runs are interleaved and whether archives are damaged; in half
/// of those with one, few runs may be open. Every second kill comes soon, while what was done is passed over again.
package struct ResumeCampaign: Campaign {
    /// Kills in one round at most.
    private static let kills = 5

    private let binaries: String
    private let folder: String

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let files = RoundFiles(folder: "\(folder)/resume-\(seed)-\(getpid())")
        files.create()
        defer { files.remove() }
        let archives = (0..<4).map { number in
            let path = "\(files.folder)/archive-\(number).tally"
            let text = GeneratedArchive.text(
                // A large one takes a while to be passed over again, in which it is killed once more.
                runs: (6 + Int(random.next() % 20)) * (number == 0 && seed % 4 > 0 ? 8 : 1),
                samples: 200,
                order: random.next() % 2 == 0 ? .separate : .interleaved,
                trouble: seed % 3 != 0,
                &random
            )
            files.write(path, text)
            return path
        }
        let jobs = [1, 1, 2, 3][Int(seed % 4)]
        do {
            let expected = "\(files.folder)/expected"
            _ = try await replay(archives, to: expected, jobs: 1, files).end()
            let checkpoint = "\(files.folder)/checkpoint"
            let resumed = "\(files.folder)/resumed"
            var kills = 0
            while true {
                let child = try replay(
                    archives,
                    to: resumed,
                    jobs: jobs,
                    files,
                    checkpoint: checkpoint,
                    openRuns: seed % 4 == 1 ? 3 : nil
                )
                if kills < Self.kills {
                    let isSoon = kills % 2 == 1
                    try await Task.sleep(
                        for: .microseconds(
                            Int(isSoon ? 10_000 + random.next() % 60_000 : 20_000 + random.next() % 400_000)
                        )
                    )
                    child.send(SIGKILL)
                }
                let code = try await child.end()
                kills += 1
                if code == -SIGKILL { continue }
                guard code == 0 || code == 65 else { return "it ended with \(code): \(files.read(files.log))" }
                break
            }
            if unsafe access(checkpoint, F_OK) == 0 { return "the checkpoint was not removed" }
            return compare(expected, resumed, files)
        } catch {
            return "\(error)"
        }
    }

    private func replay(
        _ archives: [String],
        to output: String,
        jobs: Int,
        _ files: RoundFiles,
        checkpoint: String? = nil,
        openRuns: Int? = nil
    ) throws -> ChildProgram {
        var arguments =
            archives + [
                "--plugin-dir", binaries, "--plugins", "new-relic-video,example-c,jsonlines", "--quiet",
                "--set", "plugins.new-relic-video.config.heartbeatSeconds=5",
                "--set", "plugins.jsonlines.config.path=\"\(output).jsonl\"",
                "--set", "plugins.jsonlines.config.events=true",
                "--summary", "\(output).json", "--jobs", "\(jobs)",
            ]
        if let checkpoint { arguments += ["--checkpoint", checkpoint, "--checkpoint-every", "0.005"] }
        if let openRuns { arguments += ["--open-runs", "\(openRuns)"] }
        return try ChildProgram("\(binaries)/tally-replay", arguments, output: files.log, joined: true)
    }

    private func compare(_ expected: String, _ resumed: String, _ files: RoundFiles) -> String? {
        let left = files.lines("\(expected).jsonl")
        let right = files.lines("\(resumed).jsonl")
        if left.isEmpty { return "nothing came out" }
        for (number, pair) in zip(left, right).enumerated() where pair.0 != pair.1 {
            return "line \(number + 1) differs:\n  undisturbed \(pair.0)\n  resumed     \(pair.1)"
        }
        if left.count != right.count { return "\(left.count) lines undisturbed, \(right.count) resumed" }
        return summary(expected, files) == summary(resumed, files)
            ? nil
            : """
            the summaries differ:
              undisturbed \(files.read("\(expected).json"))
              resumed     \(files.read("\(resumed).json"))
            """
    }

    /// What a summary says of the archives; how long it took and what this process handed over are its own.
    private func summary(_ path: String, _ files: RoundFiles) -> JSONObject {
        var json = (try? JSONParser().parse(files.read("\(path).json")).object) ?? [:]
        json["elapsed_us"] = nil
        json["reporters"] = nil
        return json
    }
}
