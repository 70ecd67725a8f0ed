import ChildPrograms
import Testing

/// The tool that deletes runs and sessions from archives.
struct EraseToolTests: UsingArchiveTools {
    private let files = TemporaryFolder()
    private let plain = TestFile.archive("plain")

    @Test("erase deletes a run and leaves the others as they were, and a replay leaves it out with a warning")
    func erase() async throws {
        let path = files.write("e.tally", run("gone") + run("stays"))
        _ = try await tool(["erase", "--run", "gone", path])
        let listed = try await tool(["ls", path]).lines
        #expect(listed.map { $0.prefix { $0 != " " } } == ["stays", "gone"] && listed[1].contains("erased"))
        let verdict = try await tool(["validate", path]).output
        #expect(verdict.hasPrefix("\(path): good, 2 runs, 0 without an end"), "\(verdict)")
        let replayed = try await tool([path]).errors
        #expect(
            replayed.contains("tally-replay: warning: \(path):")
                && replayed.contains("the run gone was erased: not replayed")
        )
        #expect(try await !tool(["cat", path]).output.contains("asset-gone"))
        #expect(try await tool(["erase", "--run", "gone", path], code: 66).errors.contains("nothing of the run gone"))
        let other = try await tool(["erase", "--run", "stays", "--session", "2", path], code: 66).errors
        #expect(other.contains("nothing of session 2 of the run stays is in these archives"), "\(other)")
        #expect(try await tool(["erase", path], code: 64).errors.contains("--run ID"))
        #expect(
            try await tool(["erase", "--run", "gone", files.file("nowhere.tally")], code: 66).errors.contains(
                "nowhere.tally"
            )
        )
    }

    @Test("A compressed archive stays compressed as it was, and is as it was when it cannot be read to its end")
    func eraseCompressed() async throws {
        let path = files.write("a.tally", run("r1") + run("r2") + run("r3"))
        var erased = path
        for (program, suffix) in [("gzip", "gz"), ("zstd -q", "zst")] {
            let packed = files.file("b.tally.\(suffix)")
            try await ChildProgram.compress(program, path, to: packed)
            _ = try await tool(["erase", "--run", "r1", "--run", "r3", packed])
            erased = files.file("plain.\(suffix)")
            try await ChildProgram.compress("\(program) -d", packed, to: erased)
            let text = try TestFile.text(erased)
            #expect(text.contains(run("r2")) && !text.contains("asset-r1") && !text.contains("asset-r3"))
            let cut = files.write("c.tally.\(suffix)", bytes: try TestFile.bytes(packed).dropLast(9))
            let bytes = try TestFile.bytes(cut)
            let failed = try await tool(["erase", "--run", "r2", cut], code: 73)
            #expect(failed.errors.contains("cut off: nothing was erased"), "\(failed.errors)")
            #expect(try TestFile.bytes(cut) == bytes)
        }
        _ = try await tool(["erase", "--run", "r1", "--run", "r3", path])
        #expect(try TestFile.text(path) == TestFile.text(erased))
        #expect(
            try await tool(["erase", "--run", "r1", "-"], code: 73).errors.contains(
                "standard input: nothing was erased"
            )
        )
    }

    @Test("erase --where deletes the runs in which an event is so, in each archive that has lines of them")
    func eraseWhere() async throws {
        let path = files.write("a.tally", run("r1") + run("r2") + run("r3"))
        let other = files.write("b.tally", run("r4") + run("r2"))
        let lines = run("r5").split(separator: "\n").map { $0 + "\n" }
        let head = files.write("c.tally", lines[..<2].joined())
        let tail = files.write("d.tally", lines[2...].joined())
        let wanted = "media.video_id == 'asset-r2' || event == 'play' && run == 'r5'"
        let erased = try await tool(["erase", "--where", wanted, tail, path, other, head])
        #expect(erased.errors.contains("of 2 runs"), "\(erased.errors)")
        for file in [path, other, head, tail] {
            let text = try TestFile.text(file)
            #expect(!text.contains("asset-r2") && !text.contains("asset-r5"), "\(text)")
            #expect(!text.contains(lines[2]))
        }
        #expect(try TestFile.text(path).contains(run("r1")) && TestFile.text(other).hasPrefix(run("r4")))
        let narrow = ["erase", "--where", "media.video_id ~ 'asset-*'", "--run", "r3"]
        _ = try await tool(narrow + [path])
        #expect(try TestFile.text(path).contains(run("r1")) && !TestFile.text(path).contains("asset-r3"))
        let none = try await tool(["erase", "--where", "media.video_id == 'x'", path], code: 66)
        #expect(none.errors.contains("no run of these archives has an event"), "\(none.errors)")
        // What nobody could look at stays, and is told.
        let whole = run("r6")
        let torn = files.write("e.tally", whole + #"{"run":"r6","n":"# + "\n" + lines[2...].joined())
        let rest = try await tool(["erase", "--where", "media.video_id == 'asset-r6'", torn], code: 65)
        let first = whole.split(separator: "\n").count + 1
        #expect(rest.errors.contains("of 1 run"), "\(rest.errors)")
        let told = "\(torn):\(first): --where could not look at \(lines.count - 1) lines"
        #expect(rest.errors.contains(told), "\(rest.errors)")
        let some = try await tool(["erase", "--run", "r1", "--run", "r9", path], code: 66)
        #expect(some.errors.contains("nothing of the run r9 is in") && some.errors.contains("of 1 run"))
        for words in [["--where", "true"], ["--run", "r1", "--run", "r2"]] {
            let refused = try await tool(["erase", "--session", "1", path] + words, code: 64)
            #expect(refused.errors.contains("--run"), "\(refused.errors)")
        }
    }

    @Test("What erase could not look at in the parts of an archive is told, with how to go on")
    func eraseParts() async throws {
        let text = run("r1") + run("gone")
        let lines = text.split(separator: "\n").map { $0 + "\n" }
        // Within a line of the run: its second half names nobody.
        let cut = lines.dropLast(2).joined().utf8.count + 40
        let bytes = Array(text.utf8)
        let head = files.write("head.tally", bytes: Array(bytes[..<cut]))
        let tail = files.write("tail.tally", bytes: Array(bytes[cut...]))
        let erased = try await tool(["erase", "--where", "media.video_id == 'asset-gone'", head, tail], code: 65)
        #expect(erased.errors.contains("\(tail):1: 1 line could not be looked at"), "\(erased.errors)")
        #expect(try !TestFile.text(head).contains("gone\"") || TestFile.text(head).contains("\"erased\":true"))
        // A session of a run that begins in another archive.
        let one = files.write("one.tally", lines[..<2].joined())
        let two = files.write("two.tally", lines[2..<4].joined())
        let session = try await tool(["erase", "--run", "r1", "--session", "1", one, two], code: 65)
        #expect(session.errors.contains("\(two):1: 2 lines could not be looked at"), "\(session.errors)")
        #expect(session.errors.contains("or its run begins in another archive"), "\(session.errors)")
        // And one whose session is in the other archive alone.
        let begin = files.write("begin.tally", String(lines[0]))
        let rest = files.write("rest.tally", lines[1..<4].joined())
        let elsewhere = try await tool(["erase", "--run", "r1", "--session", "1", begin, rest], code: 65)
        #expect(elsewhere.errors.contains("\(rest):1: 3 lines could not be looked at"), "\(elsewhere.errors)")
        #expect(!elsewhere.errors.contains("nothing of session"), "\(elsewhere.errors)")
        // A part of which nothing is left.
        let empty = try await tool(["erase", "--run", "r1", one, two])
        #expect(empty.errors.contains("\(two): nothing is left in it; remove it"), "\(empty.errors)")
        #expect(!empty.errors.contains("\(one): nothing is left"), "\(empty.errors)")
        // One that cannot be written.
        let whole = files.write("whole.tally", run("r1") + run("r2"))
        let failed = try await tool(["erase", "--run", "r1", whole, "/proc/self/status"], code: 73)
        #expect(failed.errors.contains("deleted from the archives before it; go on with --run r1"), "\(failed.errors)")
    }
}

/// What tests of the tools for archives have in common.
protocol UsingArchiveTools {}

extension UsingArchiveTools {
    /// The lines of a run that plays an asset of its own.
    func run(_ id: String, hasEnd: Bool = true) -> String {
        """
        {"run":"\(id)","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}
        {"run":"\(id)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"asset-\(id)"}}
        {"run":"\(id)","n":2,"t_us":5000000,"event":"play","session":1}

        """ + (hasEnd ? "{\"run\":\"\(id)\",\"n\":3,\"t_us\":9000000,\"end\":\"drained\",\"dropped\":0}\n" : "")
    }

    /// Runs a tool and expects its exit code.
    func tool(
        _ arguments: [String],
        code: Int32 = 0,
        input: String = "/dev/null"
    ) async throws -> ChildProgram.Outcome {
        let run = try await ChildProgram.replay(arguments, input: input)
        #expect(run.code == code, "\(arguments) \(run.errors)")
        return run
    }
}
