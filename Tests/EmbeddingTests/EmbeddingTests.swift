import ChildPrograms
import Tally
import TallyTesting
import TestFiles
import Testing

/// The example of the page on embedding: its text, and what it does.
struct EmbeddingTests {
    private static let source = "Tests/Examples/Embedding/main.swift"

    @Test("The page shows the example that is built, and it has fewer than 60 lines")
    func samePage() throws {
        let page = try TestFile.source("docs/embedding.md")
        let example = try TestFile.source(Self.source)
        #expect(page.contains("```swift\n\(example)```\n"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count < 60)
    }

    @Test("The page names every track method, every method of the delegate and no track method that is not there")
    func namesMethods() throws {
        let page = try TestFile.source("docs/embedding.md")
        let parts = ["Playback", "Ads", "Quality", "Application", "Named"]
        let methods = try parts.flatMap { part in
            try Self.functions(in: "Core/Tally/Track/PlayerRun+\(part).swift", after: "public func ")
        }
        #expect(methods.count > 30)
        for method in methods {
            #expect(page.contains("`\(method)("), "\(method)")
        }
        // Without a parenthesis stand the guides' names, in their column.
        let named = page.split { !$0.isLetter && $0 != "(" }.filter { $0.hasPrefix("track") && $0.contains("(") }
        for name in Set(named.map { $0.prefix { $0 != "(" } }) {
            #expect(methods.contains(String(name)), "\(name)")
        }
        for method in try Self.functions(in: "Core/Tally/Delegate/PlayerDelegate.swift", after: "    func ") {
            #expect(page.contains("| `\(method)` |"), "\(method)")
        }
    }

    @Test("The example runs, prints what happened, and its archive replays to the same records")
    func runs() async throws {
        let folder = TemporaryFolder()
        let archive = folder.file("run.tally")
        let said = try await ChildProgram.run("embedding-example", [PluginFiles.folder, archive])
        #expect(said.code == 0)
        let lines = said.output.split(separator: "\n").map(String.init)
        let records = lines.filter { $0.hasPrefix("{") }
        let kinds = try records.map { try JSONParser().parse($0)["kind"]?.string }
        #expect(kinds == ["TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "CONTENT_END"])
        #expect(lines.contains("session 1: delivered 4, lost 0"))
        #expect(lines.contains("dropped track calls: 0"))
        #expect(try Self.replay(archive) == records)
    }

    @Test("Without its plugins the example ends with an error that names what is missing")
    func withoutPlugins() async throws {
        let said = try await ChildProgram.run("embedding-example", [TemporaryFolder().file("nowhere")])
        #expect(said.code != 0)
        #expect(said.errors.contains("new-relic-video"))
    }

    /// What the plugins of the example make of an archive.
    private static func replay(_ archive: String) throws -> [String] {
        let folder = TemporaryFolder()
        let output = folder.file("out.jsonl")
        var options = Telemetry.Options()
        options.mode = .replay
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection("new-relic-video"),
                PluginSelection("jsonlines", configuration: ["path": .string(output)]),
            ],
            directories: [PluginFiles.folder],
            options: options
        )
        try Replay(telemetry: telemetry).replay(path: archive)
        telemetry.close()
        return try TestFile.text(output).split(separator: "\n").map(String.init)
    }

    /// The names of the functions that a file declares.
    private static func functions(in path: String, after start: String) throws -> [String] {
        try TestFile.source(path).split(separator: "\n").compactMap { line in
            line.firstRange(of: start).map { String(line[$0.upperBound...].prefix { $0 != "(" }) }
        }
    }
}
