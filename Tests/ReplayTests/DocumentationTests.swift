import ChildPrograms
import HostSupport
import Testing

/// The reference against the program.
struct DocumentationTests {
    @Test("The reference has the table of exit codes as the programs have it")
    func exitCodes() throws {
        #expect(try TestFile.source("docs/cli.md").contains("\n" + ExitCode.markdownTable + "\n"))
    }

    /// The pages of plugins that show how they are set up and tried.
    private static let pages = [
        "adobe-heartbeat", "console", "discard", "http", "jsonlines", "mux-data", "new-relic-video", "nielsen-dcr",
        "sqlite",
    ]

    @Test("Each configuration and each replay on a plugin's page works as it is printed", arguments: pages)
    func examples(page: String) async throws {
        let folder = TemporaryFolder()
        // As `tally-player` records a file.
        let archive = try TestFile.text(TestFile.archive("plain")).replacing("big-buck", with: "film.mp4")
        for name in ["run.tally", "archives/run.tally"] { folder.write(name, archive) }
        folder.write("AdobeMobile/ADBMobileConfig.json", #"{"analytics": {"rsids": "suite", "server": "example.com"}}"#)
        folder.write("lib/keep", "")
        var tried = 0
        for block in try Self.blocks(of: "docs/plugins/\(page).md") {
            var command = block.text
            switch block.language {
            case "json5":
                folder.write("tally.json5", command.replacing(#//var/(lib|log)/tally/#, with: "lib"))
                command = "tally-replay run.tally --config tally.json5"
            case "sh" where command.hasPrefix("tally-replay"): break
            default: continue
            }
            tried += 1
            let environment = ["PATH": "\(TestFile.products):/usr/bin:/bin", "NEW_RELIC_KEY": "key"]
            let run = try await ChildProgram.run(
                "/bin/bash",
                ["-c", "set -o pipefail; cd '\(folder.path)'; \(command)"],
                environment: environment
            )
            #expect(run.code == 0, "\(command)\n\(run.errors)")
        }
        #expect(tried > 0)
    }

    /// The page's fenced blocks.
    private static func blocks(of page: String) throws -> [(language: String, text: String)] {
        let parts = try TestFile.source(page).split(separator: "```", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count, by: 2).map { index in
            let language = parts[index].prefix { $0 != "\n" }
            return (String(language), String(parts[index].dropFirst(language.count + 1)))
        }
    }
}
