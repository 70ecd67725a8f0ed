import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// What the probe said of a file holds for those who start later, as long as nobody changes the file.
@Suite struct ProbedFilesTests {
    private let files = TemporaryFolder()

    /// A probe that writes down each trial.
    private func probe(keepingIn folder: String) throws -> PluginProbe {
        let program = files.file("probe")
        if (try? TestFile.bytes(program)) == nil {
            let trial = "echo tried >> \(files.file("trials"))"
            _ = files.write("probe", "#!/bin/sh\n\(trial)\nexec \(PluginFiles.folder)/tally-probe \"$@\"\n")
            #expect(unsafe chmod(program, 0o755) == 0)
        }
        var probe = PluginProbe(program: program, limit: 300_000)
        let probed: ProbedFiles = try #require(ProbedFiles(folder: folder, of: program))
        probe.probed = probed
        return probe
    }

    private var trials: Int { ((try? TestFile.text(files.file("trials"))) ?? "").split(separator: "\n").count }

    private func load(_ file: String) throws -> [String] {
        let admission = PluginAdmission(probe: try probe(keepingIn: files.file("kept")))
        return try admission.load(file).plugins.map { "\($0.id) \($0.sha256)" }
    }

    @Test("A file is tried once, and described as it was then")
    func once() throws {
        let file = PluginFiles.fixture("witness")
        let tried = try load(file)
        #expect(try load(file) == tried && trials == 1)
        // Another probe may say something else.
        _ = files.write("probe", try TestFile.text(files.file("probe")) + "# another\n")
        #expect(try load(file) == tried && trials == 2)
    }

    @Test("A file that was just changed is tried each time")
    func changed() throws {
        let file = files.file("libwitness.tallyplugin.so")
        TestFile.write(try TestFile.bytes(PluginFiles.fixture("witness")), to: file)
        _ = try load(file)
        _ = try load(file)
        #expect(trials == 2)
    }

    @Test("What is refused is not kept")
    func refused() throws {
        let file = PluginFiles.fixture("bad-id")
        for _ in 0..<2 { #expect(throws: PluginError.self) { try load(file) } }
        #expect(trials == 2)
    }

    @Test("What others may have written is not believed: a file of the folder, and the folder")
    func foreign() throws {
        let file = PluginFiles.fixture("witness")
        _ = try load(file)
        let kept = try #require(TemporaryFolder.names(in: files.file("kept")).first.map { files.file("kept/\($0)") })
        #expect(unsafe chmod(kept, 0o666) == 0)
        _ = try load(file)
        #expect(trials == 2)
        #expect(unsafe chmod(files.file("kept"), 0o777) == 0)
        #expect(ProbedFiles(folder: files.file("kept"), of: files.file("probe")) == nil)
    }

    @Test(
        "What cannot be read of the folder has the file tried",
        arguments: ["", "{", "{\"plugins\":[]}", "{\"plugins\":[{}]}"]
    )
    func damaged(content: String) throws {
        let file = PluginFiles.fixture("witness")
        let tried = try load(file)
        let name = try #require(TemporaryFolder.names(in: files.file("kept")).first)
        TestFile.write(Array(content.utf8), to: files.file("kept/\(name)"))
        #expect(unsafe chmod(files.file("kept/\(name)"), 0o600) == 0)
        #expect(try load(file) == tried && trials == 2)
        #expect(try load(file) == tried && trials == 2)
    }
}
