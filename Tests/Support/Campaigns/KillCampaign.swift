internal import Archive
internal import ChildPrograms
internal import EventModel
internal import Glibc
internal import TextEncoding

/// Ends a playing player with SIGKILL at a random moment; its archive has to be readable up to the last complete line,
/// and the replay has to equal what the live run had put out up to there.
///
/// Every fourth round kills in a long pause.
package struct KillCampaign: Campaign {
    private let binaries: String
    private let media: String
    private let folder: String

    /// Uses the programs and plugins in `binaries` and plays `media`; files go to `folder`.
    package init(binaries: String, media: String, folder: String) {
        self.binaries = binaries
        self.media = media
        self.folder = folder
    }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let files = RoundFiles(folder: "\(folder)/kill-\(seed)-\(getpid())")
        files.create()
        defer { files.remove() }
        do {
            try await play(files, pausing: seed % 4 == 0, &random)
            let last = try lastTime(files.archive)
            guard let last else { return killedBeforeStart(files) }
            try await replay(files)
            return compare(files, last: last)
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Steps

    private func play(_ files: RoundFiles, pausing: Bool, _ random: inout SplitMix64) async throws {
        let pauseAt = Double(random.next() % 1_500) / 1_000
        files.write(files.script, pausing ? "\(pauseAt) pause 90\n" : "1.2 pause 0.4\n2.0 seek 10\n")
        let arguments = ["--archive", files.archive, "--script", files.script, "--quiet"]
        let player = try ChildProgram(
            "\(binaries)/tally-player",
            [media] + TrackedOutputs(binaries: binaries, files: files).options(files.live) + arguments,
            output: files.log,
            joined: true
        )
        try await Task.sleep(for: .milliseconds(Int(250 + random.next() % (pausing ? 6_000 : 4_000))))
        player.send(SIGKILL)
        _ = try await player.end()
    }

    private func replay(_ files: RoundFiles) async throws {
        let replay = try ChildProgram(
            "\(binaries)/tally-replay",
            [files.archive, "--quiet", "--leave-open"]
                + TrackedOutputs(binaries: binaries, files: files).options(files.replayed),
            output: files.log,
            joined: true
        )
        let code = try await replay.end()
        // A cut-off last line is reported as damage, which is what a kill leaves behind.
        guard code == 0 || code == 65 else {
            throw RoundFailure("tally-replay ended with \(code): \(files.read(files.log).suffix(400))")
        }
    }

    /// The time of the archive's last complete line, us; nil when there is none.
    ///
    /// Every line but the last has to be sound.
    private func lastTime(_ path: String) throws -> Int64? {
        guard unsafe access(path, R_OK) == 0 else { return nil }
        let reader = ArchiveReader(try ArchiveSource(path: path))
        var last: Int64?
        var damage: [String] = []
        while let line = try reader.next(damaged: { damaged in
            if damaged.problem != .cutOff {
                damage.append("\(damaged)")
            }
        }) {
            switch line {
            case .header: last = last ?? 0
            case .event(let event): last = event.time
            case .mark(let time), .end(let time, _, _): last = time
            }
        }
        guard damage.isEmpty else { throw RoundFailure(damage[0]) }
        return last
    }

    private func killedBeforeStart(_ files: RoundFiles) -> String? {
        let lines = files.lines(files.live)
        return lines.isEmpty ? nil : "outputs without an archive: \(lines[0])"
    }

    /// One has to be the beginning of the other, and what only the live run said has to be later than the archive.
    private func compare(_ files: RoundFiles, last: Int64) -> String? {
        let live = files.lines(files.live)
        let replayed = files.lines(files.replayed)
        // After two seconds heartbeats have come; a campaign that compares nothing shows nothing.
        if last > 2_500_000, live.isEmpty || replayed.isEmpty {
            return "nothing came out: \(live.count) lines live, \(replayed.count) replayed"
        }
        for (index, (left, right)) in zip(live, replayed).enumerated() where left != right {
            return "line \(index + 1) differs:\n  live   \(left)\n  replay \(right)"
        }
        for line in live.dropFirst(replayed.count) {
            let time = (try? JSONParser().parse(line))?.value(at: "t_us")?.int ?? 0
            if time < last {
                return "the replay lacks \(line), and the archive goes on to \(last)"
            }
        }
        return nil
    }
}

/// Why a round could not be finished.
struct RoundFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
