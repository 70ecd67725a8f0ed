import ChildPrograms
import Glibc
import RealServers
import TallyTesting
import TestFiles
import Testing

/// What the reporter does when the server, or what it is told of it, is not as it should be.
@Suite("Failures of the reporter postgres", .enabled(if: PostgresServer.isInstalled, "run Scripts/bootstrap --tests"))
struct FailureTests {
    @Test("A server that crashes and comes back in the midst loses nothing and doubles nothing")
    func crashes() async throws {
        let server = try await PostgresServer(isSafe: true)
        let databases = try await Databases("crashes", on: server)
        let archive = databases.write(runs: 60, samples: 100)
        // What SQLite says of it alone.
        #expect(try await databases.replay(archive, into: "sqlite").code == 0)
        let replay = try ChildProgram(
            "tally-replay",
            databases.arguments(archive, into: "postgres", ["--set", "plugins.postgres.config.patience_ms=600000"])
        )
        for round in 1...3 {
            // A crash before anything is there would show nothing.
            let isUnderWay = await eventually {
                let count = (try? await databases.query("SELECT count(*) FROM events")).flatMap { Int($0) } ?? 0
                return count >= round * 1_000 || replay.state != .running
            }
            #expect(isUnderWay)
            await server.crash()
            try await server.start()
        }
        let outcome = try await replay.outcome()
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("outputs wait for it"))
        let differences = try await databases.differences()
        #expect(differences == [])
    }

    @Test("A server that is not there costs what cannot wait, which is told; a replay restores it")
    func absent() async throws {
        let server = try await PostgresServer()
        let databases = try await Databases("absent", on: server)
        let archive = databases.write(runs: 3, samples: 50)
        #expect(try await databases.replay(archive, into: "sqlite").code == 0)
        await server.crash()
        let patience = "plugins.postgres.config.patience_ms=200"
        let lost = try await databases.replay(archive, into: "postgres", "--set", patience)
        #expect(lost.code == 74)
        #expect(lost.errors.contains("postgres lost"), "\(lost.errors)")
        #expect(lost.errors.contains("a replay restores what is lost"))
        try await server.start()
        #expect(try await databases.replay(archive, into: "postgres").code == 0)
        let differences = try await databases.differences()
        #expect(differences == [])
    }

    @Test("What a server refuses is said with what to do, and nothing is written")
    func refused() async throws {
        let databases = try await Databases("refused")
        let archive = Databases.archive("playback")
        func reply(_ more: String...) async throws -> ChildProgram.Outcome {
            try await ChildProgram.run("tally-replay", databases.arguments(archive, into: "postgres", more))
        }
        let unknown = try await reply(
            "--set",
            "plugins.postgres.config.connection=\"\(databases.server.address("nope"))\""
        )
        #expect(unknown.code == 73)
        #expect(unknown.errors.contains(#"database "nope" does not exist; make it (createdb)"#), "\(unknown.errors)")
        _ = try await databases.server.query("CREATE SCHEMA theirs; CREATE TABLE theirs.x ()", in: databases.name)
        let foreign = try await reply("--set", "plugins.postgres.config.schema=theirs")
        #expect(foreign.code == 73)
        #expect(foreign.errors.contains(#"set "schema" to another one"#), "\(foreign.errors)")
        let port = "host=127.0.0.1 port=\(databases.server.port) user=tally dbname=\(databases.name)"
        let file = TestFileWithSecret("wrong")
        let wrong = try await reply(
            "--set",
            "plugins.postgres.config.connection=\"\(port)\"",
            "--set",
            "plugins.postgres.config.password={file: \"\(file.path)\"}"
        )
        #expect(wrong.code == 73)
        #expect(wrong.errors.contains("password authentication failed"), "\(wrong.errors)")
        #expect(wrong.errors.contains(#"where "password" is"#))
        #expect(!wrong.errors.contains("wrong"))
        let right = TestFileWithSecret("secret\n")
        let taken = try await reply(
            "--set",
            "plugins.postgres.config.connection=\"\(port)\"",
            "--set",
            "plugins.postgres.config.password={file: \"\(right.path)\"}"
        )
        #expect(taken.code == 0, "\(taken.errors)")
        _ = try await databases.query("UPDATE tally_schema SET version = 99")
        let newer = try await reply()
        #expect(newer.code == 73)
        #expect(newer.errors.contains("tables of version 99"), "\(newer.errors)")
        #expect(try await databases.server.query("SELECT count(*) FROM theirs.x", in: databases.name) == "0")
    }

    @Test(
        "A password in the address and names that are none are refused, and not shown",
        arguments: [
            (#"connection="host=x password=geheim""#, "give it one without"),
            (#"connection="postgresql://tally:geheim@x/tally""#, "give it one without"),
            (#"connection="geheim""#, "(not shown: it may have a password), which cannot be used"),
            (#"schema="a-b""#, "letters, digits and _"),
            (#"schema="pg_tally""#, "letters, digits and _"),
        ]
    )
    func configuration(setting: String, told: String) async throws {
        let outcome = try await ChildProgram.run(
            "tally-replay",
            [
                Databases.archive("playback"), "--plugin-dir", PluginFiles.folder, "--plugins", "postgres", "--set",
                "plugins.postgres.config.\(setting)",
            ]
        )
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
    }

    @Test("A role that may make nothing writes into tables that somebody made for it")
    func role() async throws {
        let databases = try await Databases("role")
        let archive = Databases.archive("ads")
        _ = try await databases.replay(Databases.archive("playback"))
        _ = try await databases.query(
            """
            CREATE ROLE writer LOGIN; GRANT USAGE ON SCHEMA tally TO writer;
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tally TO writer;
            """
        )
        let address = "host=\(databases.server.host) port=\(databases.server.port) user=writer dbname=\(databases.name)"
        let written = try await databases.replay(
            archive,
            into: "postgres",
            "--set",
            "plugins.postgres.config.connection=\"\(address)\""
        )
        #expect(written.code == 0, "\(written.errors)")
        #expect(try await databases.replay(archive, into: "sqlite").code == 0)
        let differences = try await databases.differences()
        #expect(differences == [])
    }

    @Test("An output that the database refuses costs nothing but itself, and is counted")
    func one() async throws {
        let databases = try await Databases("one")
        let archive = Databases.archive("ads")
        _ = try await databases.replay(archive)
        let count = Int(try await databases.query("SELECT count(*) FROM events")) ?? 0
        // Somebody's own rule, which one event breaks.
        _ = try await databases.query("DELETE FROM events; ALTER TABLE events ADD CHECK (ordinal <> 5)")
        let replay = try await databases.replay(archive, into: "postgres")
        #expect(replay.code == 74)
        #expect(replay.errors.contains("an output is dropped"), "\(replay.errors)")
        #expect(replay.errors.contains("postgres lost 1 output"), "\(replay.errors)")
        #expect(!replay.errors.contains("clip.mp4"), "a log has no values")
        #expect(Int(try await databases.query("SELECT count(*) FROM events")) == count - 1)
    }
}

/// A file that nobody but its owner reads, with a secret.
private final class TestFileWithSecret {
    private let folder = TemporaryFolder()
    var path: String { folder.file("secret") }

    init(_ secret: String) {
        folder.write("secret", secret)
        _ = unsafe chmod(path, 0o600)
    }
}
