import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

/// Which archives patterns, folders and lists stand for, and how very many small ones are read.
struct NameTests {
    private let files = TemporaryFolder()

    init() {
        for path in ["b.tally", "a/2.tally", "a/b/3.jsonl", "a/b/other.txt", "a/[x]/4.tally", ".hidden/5.tally"] {
            archive("x/" + path)
        }
    }

    /// An archive whose run has its name.
    @discardableResult private func archive(_ path: String) -> String {
        files.write(
            path,
            """
            {"run":"\(path)","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}
            {"run":"\(path)","n":1,"t_us":0,"end":"drained","dropped":0}

            """
        )
    }

    /// The runs that a listing has, without the folder that all are in.
    private func listed(_ arguments: [String], input: String = "/dev/null") async throws -> [String] {
        let run = try await ChildProgram.replay(["ls"] + arguments, input: input)
        #expect(run.code == 0, "\(arguments) \(run.errors)")
        return run.lines.map { String($0.prefix { $0 != " " }.dropFirst(2)) }
    }

    @Test(
        "Two stars in a pattern stand for any number of folders",
        arguments: [
            ("x/**/*.tally", ["a/[x]/4.tally", "a/2.tally", "b.tally"]),
            ("x/**", ["a/[x]/4.tally", "a/2.tally", "a/b/3.jsonl", "b.tally"]), ("x/**/b/*.jsonl", ["a/b/3.jsonl"]),
            ("x/*/**/[34].*", ["a/[x]/4.tally", "a/b/3.jsonl"]), ("**/a/**/3.*", ["a/b/3.jsonl"]),
            ("x/**/b", ["a/b/3.jsonl"]),
        ] as [(String, [String])]
    )
    func doubleStar(pattern: String, names: [String]) async throws {
        // In the folder, for a pattern that begins with two stars.
        let program = TestFile.products + "/tally-replay"
        let run = try await ChildProgram.run("/bin/bash", ["-c", "cd '\(files.path)'; '\(program)' ls '\(pattern)'"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.map { $0.prefix { $0 != " " }.dropFirst(2) }.sorted() == names.map { $0[...] }.sorted())
        let none = try await ChildProgram.replay(["ls", files.path + "/x/**/*.none"])
        #expect(none.code == 66)
    }

    @Test("A folder is searched as deep as is asked, by the bytes of names, but for what is hidden or a link")
    func depth() async throws {
        let folder = files.path + "/x"
        try #require(unsafe symlink(folder, folder + "/loop") == 0)
        #expect(try await listed([folder]) == ["b.tally"])
        #expect(try await listed([folder, "--depth", "2"]) == ["a/2.tally", "b.tally"])
        let all = ["a/2.tally", "a/[x]/4.tally", "a/b/3.jsonl", "b.tally"]
        #expect(try await listed([folder, "--depth", "3"]) == all)
        #expect(try await listed([folder, "--depth", "1000"]) == all)
    }

    @Test("Of a folder whose archives lie deeper it is told how deep, where that can be asked for")
    func deeper() async throws {
        archive("y/web/2026-11-27/05.tally")
        let listing = try await ChildProgram.replay(["ls", files.path + "/y"])
        #expect(listing.code == 66)
        #expect(listing.errors.contains("; folders in it do: say --depth 3\n"), "\(listing.errors)")
        let erasure = try await ChildProgram.replay(["erase", files.path + "/y", "--run", "r"])
        #expect(erasure.code == 66)
        #expect(erasure.errors.contains("; folders in it do: name those\n"), "\(erasure.errors)")
    }

    @Test("A list of names is read from a file or standard input, and each name is taken as it is")
    func list() async throws {
        let star = archive("x/*.tally")
        let names = [files.path + "/x/a/2.tally", star, files.path + "/x/a/b"]
        for separator in ["\n", "\r\n", "\0"] {
            let list = files.write("list", names.map { $0 + separator }.joined())
            let expected = ["a/2.tally", "*.tally", "a/b/3.jsonl"]
            #expect(try await listed(["--files-from", list]) == expected)
            #expect(try await listed(["--files-from", "-"], input: list) == expected)
            #expect(try await listed([files.path + "/x/b.tally", "--files-from", list]) == ["b.tally"] + expected)
            let replayed = try await ChildProgram.replay(["--files-from", list, "--json"]).summary()
            #expect(replayed["runs"] == 3)
        }
        let twice = try await ChildProgram.replay(["-", "--files-from", "-"])
        #expect(twice.code == 64 && twice.errors.contains("standard input only once"), "\(twice.errors)")
        for list in [files.write("empty", ""), files.write("wrong", "none.tally\n"), files.path + "/none"] {
            #expect(try await ChildProgram.replay(["--files-from", list]).code == 66)
        }
        #expect(try await ChildProgram.replay(["ls"]).code == 64)
    }

    @Test("A large archive is read on a thread of its own, plain and compressed, to the same end")
    func largeArchive() async throws {
        var text = try TestFile.text(archive("large.tally")).split(separator: "\n").first.map(String.init) ?? ""
        var random: UInt64 = 1
        for ordinal in 1..<30_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text +=
                #"\#n{"run":"large.tally","n":\#(ordinal),"t_us":\#(ordinal),"event":"pause","attributes":{"a":\#(random >> 32)}}"#
        }
        let plain = files.write("large.tally", text + "\n")
        for program in ["", "gzip", "zstd -q"] {
            let path = program.isEmpty ? plain : plain + ".packed"
            if !program.isEmpty { try await ChildProgram.compress(program, plain, to: path) }
            for threads in ["1", "2"] {
                let summary = try await ChildProgram.replay([path, "--io-threads", threads, "--json"]).summary()
                #expect(summary["events"] == 29_999 && summary["damaged"] == 0, "\(program) \(threads)")
            }
        }
    }

    @Test("Very many small archives are read without waiting for a thread at each")
    func smallArchives() async throws {
        let count = 2_000
        for number in 0..<count { archive("many/\(number).tally") }
        // How often the program waited is told of children that have ended.
        let script = """
            import resource, subprocess, sys
            print(subprocess.run(sys.argv[1:]).returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw)
            """
        let program = TestFile.products + "/tally-replay"
        let run = try await ChildProgram.run(
            "/usr/bin/env",
            ["python3", "-c", script, program, files.path + "/many", "--quiet"]
        )
        let words = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(words.count == 2 && words[0] == 0 && words[1] < count / 2, "\(run.output) \(run.errors)")
    }
}
