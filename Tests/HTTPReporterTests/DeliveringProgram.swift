import ChildPrograms
import Database
import Glibc
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// tally-replay with the reporter and an archive of some sessions, of each of which the example tracker says a beacon.
final class DeliveringProgram {
    private let folder = TemporaryFolder()
    private let archive: String

    /// Makes the archive.
    init(sessions: Int = 3) throws {
        archive = folder.file("run.tally")
        let run = try VirtualRun(
            plugins: [PluginSelection("org.tally.example.swift", name: "swift")],
            sources: [.file(PluginFiles.plugin("example-swift"))]
        ).record { player, run, clock in
            for _ in 1...sessions {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        #expect(unsafe rename(run.archive, archive) == 0)
    }

    /// The reporter's spool.
    var spool: String { folder.file("spool.db") }

    /// Starts it, with more of the reporter's configuration: keys with their values as JSON.
    func start(
        to url: String,
        _ settings: KeyValuePairs<String, String> = [:],
        _ more: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ChildProgram {
        try ChildProgram(
            "tally-replay",
            [
                archive, "--plugin-dir", PluginFiles.folder, "--plugins", "example-swift,http",
                "--set", "plugins.example-swift.config.url=\"\(url)\"",
                "--set", "plugins.http.config.spool=\"\(spool)\"",
            ] + settings.flatMap { ["--set", "plugins.http.config.\($0)=\($1)"] } + more,
            output: folder.file("log"),
            joined: true,
            environment: environment
        )
    }

    /// What `tally-replay spool` answers while no program runs; null when it fails.
    func spool(_ command: String, _ more: String...) async throws -> JSONValue {
        let outcome = try await ask(command, more)
        #expect(outcome.code == 0, "\(outcome)")
        return try JSONParser().parse(outcome.output)["answer"] ?? .null
    }

    /// What `tally-replay spool` comes to while no program runs.
    func ask(_ command: String, _ more: String...) async throws -> ChildProgram.Outcome { try await ask(command, more) }

    private func ask(_ command: String, _ more: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(
            "tally-replay",
            ["spool", command, spool] + more + ["--json", "--plugin-dir", PluginFiles.folder]
        )
    }

    /// Sets the wall clock of programs that are started with ``clockEnvironment``, by so many seconds.
    func setClock(by seconds: Int) {
        TestFile.write(Array("\(seconds)".utf8), to: folder.file("clock.new"))
        #expect(unsafe rename(folder.file("clock.new"), folder.file("clock")) == 0)
    }

    /// Lets the wall clock of a program be set.
    var clockEnvironment: [String: String] {
        [
            "LD_PRELOAD": "\(PluginFiles.folder)/libsystem-faults.fixture.so",
            "TALLY_FAULTS_WALL": folder.file("clock"),
        ]
    }

    /// What may be wrong with the disk of the spool.
    enum Trouble: String {
        case full
        case hold
    }

    /// Lets the disk of the spool be in trouble.
    var diskEnvironment: [String: String] {
        [
            "LD_PRELOAD": "\(PluginFiles.folder)/libsystem-faults.fixture.so", "TALLY_FAULTS_FILE": "spool.db",
            "TALLY_FAULTS_FULL": folder.file("full"), "TALLY_FAULTS_HOLD": folder.file("hold"),
        ]
    }

    /// Begins trouble with the disk of a program that is started with ``diskEnvironment``.
    func begin(_ trouble: Trouble) { TestFile.write([], to: folder.file(trouble.rawValue)) }

    /// Ends it.
    func end(_ trouble: Trouble) { #expect(unsafe unlink(folder.file(trouble.rawValue)) == 0) }

    /// A count of the spool, of all destinations together.
    func count(_ name: String) throws -> Int64 {
        try Database(path: spool).number("SELECT coalesce(sum(count), 0) FROM counts WHERE name = '\(name)'")
    }

    /// The summary, which is the last line with `--json`.
    func summary() throws -> JSONValue { try JSONParser().parse(String(said.split(separator: "\n").last ?? "")) }

    /// What it said.
    var said: String {
        guard let file = unsafe fopen(folder.file("log"), "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
