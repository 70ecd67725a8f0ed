internal import Archive
internal import ChildPrograms
internal import Coordinator
internal import EventModel
internal import Glibc
internal import TestFiles
internal import TextEncoding

/// A real playback with a hostile tracker, four well-behaved ones and a reporter; then the replay of its archive without
/// the hostile one, and a second playback with the same configuration.
struct HostileRound {
    /// Where the hostile tracker lives.
    enum Mode: String, CaseIterable {
        case inProcess = "in process"
        case isolated
    }

    /// The instance's name, by which its lines are told from those of the others.
    private static let name = "hostile"

    let kind: HostileKind
    let mode: Mode
    let binaries: String
    let media: String
    let files: RoundFiles
    /// How long a program may take; it ends what hangs.
    let limit: Duration

    private var plugins: String { "\(files.folder)/plugins" }

    /// Runs all of it.
    func run() async throws -> HostileObservation {
        unsafe mkdir(plugins, 0o755)
        try await addPlugin()
        files.write(files.script, kind.script)
        files.write(configuration(hostile: true), text(hostile: true))
        files.write(configuration(hostile: false), text(hostile: false))
        var observation = HostileObservation()
        observation.first = try await play(files.archive, output: files.live, log: files.log)
        observation.message = message(in: files.log)
        if readArchive(into: &observation) { try await compare(into: &observation) }
        let (archive, log) = ("\(files.folder)/next.tally", "\(files.folder)/next.txt")
        observation.next = try await play(archive, output: "\(files.folder)/next.jsonl", log: log)
        let lines = files.lines(archive)
        observation.isNextWhole =
            lines.contains { $0.contains("\"complete\"") } && lines.last?.contains("\"end\"") == true
        observation.isQuarantined = files.read("\(files.folder)/state/quarantine.json").contains("sha256")
        return observation
    }

    // MARK: - Programs

    private func addPlugin() async throws {
        let file = "\(plugins)/libhostile.tallyplugin.so"
        guard kind.place == .file else { return files.copy("\(binaries)/libhostile.fixture.so", to: file) }
        let name = kind.id.uppercased().replacing("-", with: "_")
        let compiled = try await ChildProgram.run(
            "/usr/bin/cc",
            [
                "-std=gnu11", "-shared", "-fPIC", "-O1", "-I\(TestFile.repository)/Core/PluginABI/include",
                "-DHOSTILE_FILE=\(name)", "-DIS_\(name)", "-o", file,
                "\(TestFile.repository)/Tests/Fixtures/HostileFile/file.c",
            ]
        )
        guard compiled.code == 0 else { throw RoundFailure("the plugin cannot be compiled: \(compiled.errors)") }
    }

    private func play(_ archive: String, output: String, log: String) async throws -> ProgramEnding {
        let isolating = mode == .isolated ? ["--set", "plugins.\(Self.name).isolation=\"process\""] : []
        let player = try ChildProgram(
            "\(binaries)/tally-player",
            [
                media, "--no-decode", "--quiet", "--config", configuration(hostile: true), "--plugin-dir", plugins,
                "--plugin-dir", binaries, "--archive", archive, "--script", files.script, "--set",
                "plugins.jsonlines.config.path=\"\(output)\"",
            ] + isolating,
            output: log,
            joined: true,
            environment: ["TALLY_STATE": "\(files.folder)/state"]
        )
        return await ending(of: player)
    }

    private func ending(of program: ChildProgram) async -> ProgramEnding {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if case .ended(let code) = program.state { return .code(code) }
            try? await Task.sleep(for: .milliseconds(10))
        }
        for child in program.children { kill(child, SIGKILL) }
        _ = try? await program.killed()
        return .hung
    }

    /// Replays the archive through the others, and compares what they said.
    private func compare(into observation: inout HostileObservation) async throws {
        let replay = try ChildProgram(
            "\(binaries)/tally-replay",
            [
                files.archive, "--quiet", "--leave-open", "--config", configuration(hostile: false), "--plugin-dir",
                binaries, "--set", "plugins.jsonlines.config.path=\"\(files.replayed)\"",
            ],
            output: "\(files.folder)/replay.txt",
            joined: true
        )
        let code = await ending(of: replay)
        // A cut-off last line is what the end of a process leaves behind.
        guard code.isOne(of: observation.isWhole ? [0] : [0, 65]) else {
            observation.difference = "the replay ends with \(code)"
            return
        }
        let live = others(in: files.live)
        let replayed = others(in: files.replayed)
        observation.otherLines = live.count
        if let index = zip(live, replayed).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
            observation.difference = "line \(index + 1): \(live[index]) and \(replayed[index])"
        } else if observation.isWhole, live.count < replayed.count {
            observation.difference = "the live run lacks \(replayed[live.count])"
        } else if let line = live.dropFirst(replayed.count).first(where: { !observation.isBehindArchive($0) }) {
            observation.difference = "the replay lacks \(line)"
        }
    }

    // MARK: - Files

    /// Reads the archive; false when there is none.
    private func readArchive(into observation: inout HostileObservation) -> Bool {
        guard unsafe access(files.archive, R_OK) == 0, let source = try? ArchiveSource(path: files.archive) else {
            return false
        }
        let reader = ArchiveReader(source)
        var damage: [String] = []
        var last: Int64 = 0
        func came(at time: Int64) {
            observation.longestGapMs = max(observation.longestGapMs, (time - last) / 1_000)
            last = time
            observation.lastTimeUs = time
        }
        do {
            while let line = try reader.next(damaged: { damaged in
                if damaged.problem != .cutOff { damage.append("\(damaged)") }
            }) {
                switch line {
                case .header: last = 0
                case .event(let event): came(at: event.time)
                case .mark(let time): came(at: time)
                case .end(let time, _, _):
                    came(at: time)
                    observation.isWhole = true
                }
            }
        } catch {
            damage.append("\(error)")
        }
        observation.damage = damage
        let text = files.read(files.archive)
        observation.isComplete = text.contains("\"event\":\"complete\"")
        observation.hasLostEvents = text.contains("\"gap_events\"") || text.contains("\"gap_samples\"")
        return true
    }

    /// The lines of an output that are not the hostile tracker's, but for a last one that is cut off.
    private func others(in path: String) -> [String] {
        files.lines(path).filter { !$0.contains("\"instance\":\"\(Self.name)\"") }
    }

    /// What a program said of the tracker, or of errors.
    private func message(in path: String) -> [String] {
        let lines = files.read(path).prefix(1 << 20).split(separator: "\n").map(String.init)
        return lines.filter { $0.contains(Self.name) || $0.contains("error") || $0.contains("Fatal") }.prefix(20).map {
            String($0.prefix(300))
        }
    }

    private func configuration(hostile: Bool) -> String {
        "\(files.folder)/\(hostile ? "tally" : "others").json5"
    }

    /// The configuration: the hostile tracker comes first, so that what it does to an event is seen by all others.
    private func text(hostile: Bool) -> String {
        let own = """
                { name: "\(Self.name)", plugin: "org.tally.fixture.hostile",
                  config: {"kind":"\(kind.deed)","at":"\(kind.place.rawValue)","after":\(kind.after)} },

            """
        return """
            {
              plugins: [
            \(hostile ? own : "")\
                { plugin: "new-relic-video", config: { heartbeatSeconds: 1, delivery: { accountId: 1 } } },
                { plugin: "mux-data", config: { environmentKey: "abc123" } },
                { plugin: "nielsen-dcr",
                  config: { appid: "P10DF14BA-937E-436D-99DF-ED39A0422387", content: { assetid: "film-1" } } },
                { plugin: "example-c", config: { interval_seconds: 1 } },
                { plugin: "jsonlines" },
              ],
            }

            """
    }
}
