import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// What archives, plugins and command lines say never reaches a terminal as it is.
struct EscapeTests {
    private let files = TemporaryFolder()
    /// The screen cleared, red in the short form of C1, and the direction turned.
    private static let hostile = "x\u{1B}[2J\u{9B}31m\u{202E}"

    private func archive() -> String {
        let bad = Self.hostile.replacing("\u{1B}", with: #"\u001b"#)
        return files.write(
            "a.tally",
            """
            {"run":"r\(bad)","n":0,"tally":{"format":1,"semantics":1,"core":"1\(bad)","epoch_us":1750000000000000,\
            "trackers":[]}}
            {"run":"r\(bad)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"\(bad)"}}
            {"run":"r\(bad)","n":2,"t_us":5,"event":"own\(bad)","session":1,"attributes":{"own\(bad)":"\(bad)"}}
            {"run":"r\(bad)","n":3,"t_us":9,"end":"\(bad)","dropped":0}

            """
        )
    }

    private func isClean(_ text: String) -> Bool {
        text.split(separator: "\n").allSatisfy { PrintableText.escaped(String($0)) == $0 }
    }

    @Test(
        "The archive tools print what archives say with escapes",
        arguments: [["ls"], ["ls", "--json"], ["show"], ["stats"], ["stats", "--json"], ["validate"]]
    )
    func tools(words: [String]) async throws {
        let run = try await ChildProgram.replay(words + [archive()])
        #expect(isClean(run.output) && isClean(run.errors), "\(run.output)\(run.errors)")
        #expect(words[0] == "validate" || run.output.contains("9b"), "\(run.output)\(run.errors)")
    }

    @Test("cat writes the lines of an archive as they are")
    func copy() async throws {
        let path = archive()
        #expect(try await ChildProgram.replay(["cat", path]).output == TestFile.text(path))
    }

    @Test("Names of files, plugins, options and runs are escaped wherever they are printed")
    func names() async throws {
        let name = files.write("\(Self.hostile).tally", "{\n")
        for words in [
            [name], ["validate", name], ["ls", name], ["erase", archive(), "--run", Self.hostile], [Self.hostile],
            [archive(), "--plugins", Self.hostile], [archive(), "--set", "plugins.\(Self.hostile)=1"],
            [archive(), "--\(Self.hostile)"], ["diff", name, archive()],
            [archive(), "--explain", "--set", "store=\(Self.hostile)"],
            ["--list-plugins", "--plugin-dir", "\(files.path)/\(Self.hostile)"],
            ["plugin", "show", Self.hostile], ["ctl", "--control", Self.hostile, "stats"],
        ] {
            let run = try await ChildProgram.replay(words)
            #expect(isClean(run.output) && isClean(run.errors), "\(words) \(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains("u{9b}"), "\(words) \(run.output)\(run.errors)")
        }
    }

    @Test("An explanation hides the passwords of addresses, also where an option gave them")
    func passwords() async throws {
        let config = files.write(
            "tally.json5",
            "{plugins: {a: {plugin: 'x', config: {proxy: 'http://me:secret@proxy:3128', list: ['me:secret@h']}}}}"
        )
        let archive = archive()
        for form in [[], ["--json"]] {
            let run = try await ChildProgram.replay(
                [
                    archive, "--explain", "--config", config,
                    "--set", "plugins.a.config.other=https://u:sec/ret@host/p",
                    "--set", "plugins.a.config.none=https://host:443/p@x",
                ] + form
            )
            #expect(!run.output.contains("secret") && !run.output.contains("sec/ret"), "\(run.output)")
            #expect(run.output.contains("http://me:***@proxy:3128") && run.output.contains("me:***@h"))
            #expect(run.output.contains("https://u:***@host/p") && run.output.contains("https://host:443/p@x"))
        }
    }

    // MARK: - The sources

    /// What may write text past the functions that escape it, and why.
    private static let direct = [
        "Hosts/Support/Terminal/StandardStream.swift": "has the functions themselves",
        "Hosts/Support/Terminal/ProgressLine.swift": "escapes what is shown; lines above it come from the log",
        "Hosts/Support/Plugins/LogPrinter.swift": "escapes each message",
        "Hosts/Support/CommandLine/CommandLineSyntax.swift": "shows whole texts, which escape what is in them",
        "Hosts/Support/Control/ControlCommandLine.swift": "shows replies, which escape what is in them",
        "Hosts/Support/Control/Socket/ControlOutbox.swift": "writes to a descriptor that wakes a thread",
        "Hosts/Replay/Tools/ToolCommand.swift": "has the tools' functions, which escape",
        "Hosts/Replay/Tools/ArchiveOutput.swift": "writes archives",
        "Hosts/Replay/Tools/IndexCommand.swift": "escapes the index's name",
        "Hosts/Replay/Comparing/DifferenceReport.swift": "escapes each difference",
        "Hosts/Replay/Metrics/MetricsCommand.swift": "writes a table, which escapes its cells, JSON, and escaped lines",
        "Hosts/Replay/Metrics/SessionListing.swift": "writes escaped lines, and JSON",
        "Hosts/Replay/Report/ReportOutput.swift": "writes escaped lines, JSON, and HTML that has all data packed",
        "Hosts/Replay/Sharding/OutlineCommand.swift": "writes JSON",
        "Hosts/Replay/Reading/TopicPipe.swift": "writes the lines of a topic into a pipe that it reads itself",
        "Hosts/Replay/Working/BatchReplay.swift": "writes a list of files for a replay",
        "Hosts/Replay/Working/TopicWorker.swift": "writes JSON, and a table of numbers",
        "Hosts/Replay/Working/WorkerFolder.swift": "writes the archives of open runs",
        "Hosts/Replay/ReplayReport.swift": "writes a table, which escapes its cells, and JSON",
        "Hosts/PluginTool/Checking/CheckCommand.swift": "escapes each line, or writes JSON and XML",
        "Hosts/PluginTool/Checking/CheckProcess.swift": "writes to the process that made it",
        "Hosts/PluginTool/Checks/LoadTrial.swift": "writes to the process that made it",
        "Hosts/PluginTool/Hosting/SecondProcess.swift": "writes to the process that made it",
        "Hosts/PluginTool/Making/NewCommand.swift": "escapes what it shows",
        "Hosts/PluginTool/Making/PluginTemplates.swift": "writes the files of a project",
        "Hosts/PluginTool/Showing/BenchCommand.swift": "escapes what it shows, or writes JSON",
        "Hosts/PluginTool/Showing/InspectCommand.swift": "escapes what it shows, or writes JSON",
        "Hosts/PluginTool/Showing/RunCommand.swift": "escapes what it shows, or writes JSON",
        "Hosts/Embedding/EmbeddingOptions.swift": "writes lines that were escaped",
        "Hosts/Player/Command/Session/StatusDisplay.swift": "writes JSON",
        "Hosts/Collector/Command/Reception/PipeReception.swift": "writes JSON",
        "Hosts/Collector/Journal/JournalFolder.swift": "writes the journal's files",
        "Hosts/Collector/Runs/Files/FileBytes.swift": "writes lists of archives and files of runs again",
        "Hosts/Collector/Runs/Files/OpenRunFile.swift": "writes the files of runs",
        "Hosts/Collector/Runs/Shelf/HourArchive.swift": "writes archives and their lists, in JSON",
        "Hosts/Player/Command/Summary/PlaybackSummary.swift": "writes a table, which escapes its cells, and JSON",
        "Hosts/Player/Command/Summary/ParallelSummary.swift": "writes a table, which escapes its cells, and JSON",
    ]

    @Test("Nothing in the programs' sources prints past the functions that escape")
    func sources() throws {
        let calls = [
            "StandardStream.output.write(", "StandardStream.error.write(", "StandardStream.write(", "write(above:",
            "Glibc.write(", ".writeAll(",
        ]
        let functions = /\b(?:print|debugPrint|dump|printf|puts|fputs|putchar)\(/
        var found: Set<String> = []
        for path in try Self.swiftFiles(in: "Hosts") {
            let lines = try TestFile.source(path).split(separator: "\n").filter {
                let code = $0.drop { $0 == " " }
                // A tool's own function is called with try, the library's is not.
                let others = code.replacing("try print(", with: "").replacing("func print(", with: "")
                return !code.hasPrefix("//") && (others.contains(functions) || calls.contains(where: code.contains))
            }
            if !lines.isEmpty { found.insert(path) }
        }
        #expect(found == Set(Self.direct.keys), "changed: \(found.symmetricDifference(Self.direct.keys).sorted())")
    }

    private static func swiftFiles(in folder: String) throws -> [String] {
        guard let stream = unsafe opendir("\(TestFile.repository)/\(folder)") else {
            throw Unreadable(folder: folder)
        }
        defer { unsafe closedir(stream) }
        var paths: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let path = "\(folder)/\(name)"
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
                paths += try swiftFiles(in: path)
            } else if name.hasSuffix(".swift") {
                paths.append(path)
            }
        }
        return paths
    }

    private struct Unreadable: Error {
        let folder: String
    }
}
