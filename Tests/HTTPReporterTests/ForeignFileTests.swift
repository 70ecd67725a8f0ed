import ChildPrograms
import Database
import Glibc
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// Files that are no spool of the reporter, and what only looks at one.
@Suite("The reporter http changes no file that is no spool")
struct ForeignFileTests {
    private let replay: DeliveringProgram

    init() throws { replay = try DeliveringProgram() }

    /// What lies where a spool is looked for.
    enum Kind: CaseIterable {
        case text, archive, empty, database, databaseWithLog

        func write(to path: String) throws {
            switch self {
            case .text: TestFile.write(Array("milk\n".utf8), to: path)
            case .archive: TestFile.write(Array(String(repeating: "{\"n\":1}\n", count: 2_000).utf8), to: path)
            case .empty: TestFile.write([], to: path)
            case .database: try Database(path: path).run("CREATE TABLE beacons (place TEXT)")
            case .databaseWithLog:
                try Database(path: path).run("PRAGMA journal_mode=WAL; CREATE TABLE songs (title TEXT)")
            }
        }
    }

    /// All files beside the spool, with their bytes.
    private func files() throws -> [String: [UInt8]] {
        let folder = String(replay.spool.dropLast("/spool.db".count))
        let names = TemporaryFolder.names(in: folder).filter { $0 != "log" }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try TestFile.bytes("\(folder)/\($0)")) })
    }

    private func ask(_ command: String) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(
            "tally-replay",
            ["spool", command, replay.spool, "--plugin-dir", PluginFiles.folder]
        )
    }

    @Test("The spool's commands refuse it, say what it is, and leave it as it is", arguments: Kind.allCases)
    func commands(kind: Kind) async throws {
        try kind.write(to: replay.spool)
        let before = try files()
        for command in ["ls", "stats", "dead", "resend", "drain", "purge"] {
            let outcome = try await ask(command)
            #expect(outcome.code == 1 && outcome.errors.contains("spool.db' is no spool"), "\(command): \(outcome)")
        }
        #expect(try files() == before)
    }

    @Test("A program refuses it as its spool and leaves it as it is; a file with nothing in it is taken")
    func reporter() async throws {
        for kind in Kind.allCases where kind != .empty {
            unsafe unlink(replay.spool)
            try kind.write(to: replay.spool)
            let before = try files()
            let code = try await replay.start(to: "http://127.0.0.1:1/x", ["drain_ms": "0"]).end()
            #expect(code == 73 && replay.said.contains("spool.db' is no spool"), "\(kind): \(code), \(replay.said)")
            #expect(try files() == before, "\(kind)")
        }
        try Kind.empty.write(to: replay.spool)
        #expect(try await replay.start(to: "http://127.0.0.1:1/x", ["drain_ms": "0"]).end() == 0, "\(replay.said)")
        #expect(try await replay.spool("stats")["waiting"] == 3)
    }

    @Test("What only looks at a spool changes nothing of it, damaged or not; a drain goes on with the rest")
    func unchanged() async throws {
        let address = "http://127.0.0.1:1/\(String(repeating: "x", count: 3_000))"
        #expect(try await replay.start(to: address, ["drain_ms": "0"]).end() == 0, "\(replay.said)")
        let before = try files()
        for command in ["ls", "stats", "dead"] { #expect(try await ask(command).code == 0) }
        #expect(try files() == before)
        let pages = try TestFile.bytes(replay.spool).count / 4096
        try FileBytes.overwrite(replay.spool, at: 4096, count: (pages - 1) * 4096)
        let damaged = try files()
        for command in ["ls", "stats", "dead"] {
            let outcome = try await ask(command)
            #expect(outcome.code == 1 && outcome.errors.contains("is damaged"), "\(outcome)")
        }
        #expect(try files() == damaged)
        #expect(try await ask("drain").errors.contains("it was moved to"))
    }
}
