import Campaigns
import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// What a checkpoint refuses; that a killed replay goes on is in `ResumeTests`.
struct CheckpointTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try PluginFolder(
            fixtures: ["witness"],
            plugins: ["jsonlines", "console", "discard", "sqlite", "http"]
        )
    }

    private func replay(_ reporter: String, _ arguments: [String] = []) async throws -> ChildProgram.Outcome {
        try await ChildProgram.replay(
            [
                TestFile.archive("plain"), "--plugins", "witness,\(reporter)", "--plugin-dir", plugins.path,
                "--checkpoint", files.path + "/checkpoint", "--quiet",
            ] + arguments
        )
    }

    @Test("Outputs that cannot be taken up are refused before anything is replayed, with the reason")
    func refused() async throws {
        let cases: [(String, [String], String)] = [
            ("console", [], "Choose reporters that do, such as one that writes a file"),
            ("jsonlines", [], "only a file that does not rotate can be"),
            ("jsonlines", ["path=\"\(files.path)/r\"", "rotate_bytes=1000"], "a file that does not rotate"),
            ("http", [], "without a spool file nobody knows"),
        ]
        for (reporter, settings, reason) in cases {
            let run = try await replay(reporter, settings.flatMap { ["--set", "plugins.\(reporter).config.\($0)"] })
            #expect(run.code == 78, "\(run.errors)")
            #expect(run.errors.contains("\(reporter): its output cannot be resumed: "), "\(run.errors)")
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test("Files, databases and nothing at all can be, and no checkpoint is left at the end")
    func taken() async throws {
        let cases: [(String, [String])] = [
            ("jsonlines", ["--set", "plugins.jsonlines.config.path=\"\(files.path)/out\""]),
            ("sqlite", ["--set", "plugins.sqlite.config.path=\"\(files.path)/out.db\""]), ("discard", []),
        ]
        for (reporter, setting) in cases {
            let run = try await replay(reporter, setting)
            #expect(run.code == 0, "\(run.errors)")
            #expect(throws: TestFile.Unreadable.self) { try TestFile.text(files.path + "/checkpoint") }
        }
    }

    @Test("A checkpoint of another command, or a file that is none, is refused and left as it is")
    func other() async throws {
        let checkpoint = files.path + "/checkpoint"
        for (text, reason) in [
            ("{}", "this is no checkpoint of this version"),
            (
                #"{"tally_checkpoint":1,"command":"x","archive":0,"line":0,"summary":{}}"#,
                "written with other options, plugins or archives"
            ),
        ] {
            files.write("checkpoint", text)
            let run = try await replay("discard")
            #expect(run.code == 64)
            #expect(run.errors.contains("\(checkpoint): "), "\(run.errors)")
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(try TestFile.text(checkpoint) == text)
        }
        let run = try await ChildProgram.replay(["-", "--checkpoint", checkpoint])
        #expect(run.code == 64)
        #expect(run.errors.contains("no standard input with it"))
        let pipe = files.path + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let piped = try await ChildProgram.replay([pipe, "--checkpoint", checkpoint, "--jobs", "2"])
        #expect(piped.code == 64)
        #expect(piped.errors.contains("\(pipe): what comes through a pipe can be read once"), "\(piped.errors)")
    }

    @Test("When a reporter has lost something the checkpoint stays, and with room again the same command ends whole")
    func lost() async throws {
        // No file may be larger than this, which is as good as a full disk; plugins are copied to files, too.
        let limit = try TestFile.bytes(plugins.path + "/libjsonlines.tallyplugin.so").count + 500_000
        var random = SplitMix64(seed: 3)
        let archive = files.write(
            "a.tally",
            GeneratedArchive.text(runs: limit / 100_000, samples: 400, order: .separate, trouble: false, &random)
        )
        func arguments(_ output: String, _ more: [String]) -> [String] {
            [
                archive, "--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--quiet",
                "--set", "plugins.jsonlines.config.events=true",
                "--set", "plugins.jsonlines.config.path=\"\(output)\"",
            ] + more
        }
        let checkpoint = files.file("checkpoint")
        let keeping = ["--checkpoint", checkpoint, "--checkpoint-every", "0.001"]
        let (whole, output) = (files.file("whole.jsonl"), files.file("output.jsonl"))
        #expect(try await ChildProgram.replay(arguments(whole, [])).code == 0)
        let words = ([TestFile.products + "/tally-replay"] + arguments(output, keeping)).map { "'\($0)'" }.joined(
            separator: " "
        )
        let limited = try await ChildProgram.run(
            "/bin/sh",
            ["-c", "ulimit -f \(limit / 512); trap '' XFSZ; exec \(words)"]
        )
        #expect(limited.code == 74, "\(limited.errors)")
        #expect(limited.errors.contains("\(checkpoint) stays: once there is room"), "\(limited.errors)")
        let again = try await ChildProgram.replay(arguments(output, keeping))
        #expect(again.code == 0, "\(again.errors)")
        #expect(try TestFile.bytes(output) == TestFile.bytes(whole))
        #expect(throws: TestFile.Unreadable.self) { try TestFile.text(checkpoint) }
    }
}
