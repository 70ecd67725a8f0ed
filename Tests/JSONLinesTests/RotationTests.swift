import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// Files that are finished and begun anew, through the plugin's file.
@Suite("The reporter jsonlines rotates its file")
struct RotationTests {
    /// What a run of so many events is without rotation.
    private static func expected(events: Int) throws -> [UInt8] {
        let whole = Lines()
        try whole.record(events: events)
        return whole.contents()
    }

    @Test("Many files hold together what one file would", arguments: ["none", "gzip", "zstd"])
    func many(compression: String) throws {
        let lines = Lines()
        try lines.record(events: 20_000, ["rotate_bytes": 20_000, "compress": .string(compression)])
        #expect(lines.finished.count > 30)
        #expect(lines.finished.first == "out.jsonl.000001" + Self.ending(compression))
        #expect(lines.finished.allSatisfy { $0.hasSuffix(Self.ending(compression)) })
        let isWhole = lines.contents() == (try Self.expected(events: 20_000))
        #expect(isWhole)
        for name in lines.finished {
            #expect(lines.content(of: name).last == UInt8(ascii: "\n"), "\(name)")
        }
    }

    @Test("A new process puts aside what it finds, compresses it, and overwrites nothing", arguments: ["gzip", "zstd"])
    func next(compression: String) throws {
        let lines = Lines()
        try lines.record(events: 2_000, ["rotate_bytes": 50_000])
        let plain = lines.finished
        let before = lines.contents()
        #expect(!plain.isEmpty && plain.allSatisfy { !$0.hasSuffix(Self.ending(compression)) })
        Self.write("half of a compressed file", to: lines.path + ".000001.gz.part")
        try lines.record(
            events: 10,
            ["rotate_bytes": 50_000, "compress": .string(compression)],
            id: "another"
        )
        #expect(lines.finished.count == plain.count + 1)
        #expect(lines.finished.allSatisfy { $0.hasSuffix(Self.ending(compression)) })
        #expect(!lines.names.contains { $0.hasSuffix(".part") })
        let isKept = lines.contents().starts(with: before)
        #expect(isKept)
        // The next numbers are those behind the compressed files.
        let finished = lines.numbers
        try lines.record(
            events: 2_000,
            ["rotate_bytes": 50_000, "compress": .string(compression)],
            id: "third"
        )
        #expect(lines.numbers.count > finished.count && lines.numbers.isSuperset(of: finished))
        let isKeptStill = lines.contents().starts(with: before)
        #expect(isKeptStill)
    }

    @Test("A file of the age that is set is finished before the next line is written")
    func age() throws {
        let lines = Lines()
        var virtual = VirtualRun(plugins: lines.plugins(["rotate_s": 1]), sources: Lines.sources)
        virtual.id = "aged"
        _ = try virtual.record { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            for number in 1...6_000 where lines.finished.isEmpty {
                usleep(50_000)
                clock.advance(to: Int64(number) * 1_000)
                player.perform(.quality, on: run)
                run.pump()
            }
        }
        #expect(lines.finished.first == "out.jsonl.000001")
        #expect(!lines.content(of: "out.jsonl.000001").isEmpty)
    }

    @Test(
        "A kill loses and doubles nothing of what was written, at whichever rotation it falls",
        arguments: ["none", "gzip", "zstd"],
        [1, 9]
    )
    func killed(compression: String, after files: Int) async throws {
        let source = Lines()
        let run = try source.record(events: 12_000)
        let whole = source.contents()
        let lines = Lines()
        // Without its last tenth, and followed: the program goes on until it is killed.
        let folder = TemporaryFolder()
        let recorded = try TestFile.bytes(run.archive)
        let part = folder.write("part.tally", bytes: Array(recorded.prefix(recorded.count * 9 / 10)))
        let arguments = [
            part, "--follow", "--idle-limit", "3600", "--quiet", "--plugin-dir", PluginFiles.folder,
            "--plugins", "jsonlines",
            "--set", "plugins.jsonlines.config.path=\"\(lines.path)\"",
            "--set", "plugins.jsonlines.config.events=true",
            "--set", "plugins.jsonlines.config.rotate_bytes=4096",
            "--set", "plugins.jsonlines.config.compress=\"\(compression)\"",
            "--set", "plugins.jsonlines.config.fsync=\"finished\"",
        ]
        let program = try ChildProgram("tally-replay", arguments)
        #expect(await eventually { lines.numbers.count >= files })
        let isKilled = try await program.killed()
        #expect(isKilled, "\(program.state) \(program.errors)")
        let written = lines.contents()
        #expect(written.count >= 4096 * files && written.count < whole.count)
        let isPrefix = whole.starts(with: written)
        #expect(isPrefix)
        // The next process goes on beside it.
        let kept = lines.numbers
        try lines.record(events: 10, ["rotate_bytes": 4096, "compress": .string(compression)], id: "another")
        #expect(lines.numbers.isSuperset(of: kept))
        #expect(lines.finished.count == lines.numbers.count)
        let isStillThere = lines.contents().starts(with: written)
        #expect(isStillThere)
    }

    @Test(
        "Its owner alone can read a new file; the next ones can be read by whoever could read it",
        arguments: ["none", "gzip", "zstd"]
    )
    func permissions(compression: String) throws {
        let lines = Lines()
        func modes() -> Set<UInt32> {
            Set(
                lines.names.map { name in
                    var status = stat()
                    return unsafe stat(lines.folder + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
                }
            )
        }
        let configuration: JSONObject = ["rotate_bytes": 50_000, "compress": .string(compression)]
        try lines.record(events: 1_000, configuration)
        #expect(modes() == [0o600] && lines.finished.count > 1, "\(lines.names)")
        for name in lines.names where unsafe chmod(lines.folder + "/" + name, 0o640) != 0 {
            Issue.record("the permissions of \(name) cannot be changed")
        }
        let count = lines.finished.count
        try lines.record(events: 1_000, configuration, id: "another")
        #expect(modes() == [0o640] && lines.finished.count > count + 1, "\(lines.names)")
    }

    @Test("A line that a kill has cut is ended before the next one is written", arguments: [false, true])
    func cut(rotates: Bool) throws {
        let lines = Lines()
        Self.write("{\"line\":\"rec", to: lines.path)
        try lines.record(events: 3, rotates ? ["append": true, "rotate_s": 1_000] : ["append": true])
        let all = String(decoding: lines.contents(), as: UTF8.self).split(separator: "\n")
        #expect(all.first == "{\"line\":\"rec")
        for line in all.dropFirst() { _ = try JSONParser().parse(String(line)) }
    }

    @Test("A file that cannot be put aside grows on")
    func stuck() throws {
        let lines = Lines()
        let inTheWay = lines.path + ".000001"
        defer { unsafe rmdir(inTheWay) }
        let virtual = VirtualRun(plugins: lines.plugins(["rotate_bytes": 4096]), sources: Lines.sources)
        _ = try virtual.record { player, run, clock in
            // The reporter has looked for the next number already.
            #expect(unsafe mkdir(inTheWay, 0o755) == 0)
            player.perform(.load, on: run)
            for number in 1...3_000 {
                clock.advance(to: Int64(number) * 1_000)
                player.perform(.quality, on: run)
                run.pump()
            }
            player.perform(.unload, on: run)
        }
        #expect(lines.names == ["out.jsonl", "out.jsonl.000001"])
        let isWhole = lines.contents() == (try Self.expected(events: 3_000))
        #expect(isWhole)
    }

    @Test(
        "What makes no sense is refused before anything is opened",
        arguments: [
            (["path": "-", "rotate_bytes": 1_000], "a file's path, as the files are rotated"),
            (["compress": "gzip"], "as only finished files are compressed"),
            (["path": "/dev/null", "rotate_s": 5], "is no ordinary file and cannot be rotated"),
        ] as [(JSONObject, String)]
    )
    func refused(configuration: JSONObject, text: String) throws {
        let lines = Lines()
        #expect {
            try lines.record(events: 1, configuration)
        } throws: { error in
            "\(error)".contains(text)
        }
    }

    @Test("Waiting for the disk changes nothing in the files", arguments: ["never", "finished", "batch"])
    func synchronised(policy: String) throws {
        let lines = Lines()
        try lines.record(events: 500, ["rotate_bytes": 10_000, "fsync": .string(policy)])
        let isWhole = lines.contents() == (try Self.expected(events: 500))
        #expect(isWhole)
    }

    private static func ending(_ compression: String) -> String {
        ["gzip": ".gz", "zstd": ".zst"][compression] ?? ""
    }

    private static func write(_ text: String, to path: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        unsafe fputs(text, file)
        unsafe fclose(file)
    }
}
