internal import AdDocuments
internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// A real playback with ads and chapters, and what Adobe's servers are sent for it.
struct AdobePlaybackTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("A film with a preroll, a midroll and two chapters gives the requests that the trackers' pages list")
    func requests() async throws {
        var answers = ServerConfiguration()
        answers.faults = [try FaultRule(parsing: "*=status:200")]
        let collector = try LoopbackServer(answers)
        let advertising = try advertising()
        let result = try await ChildProgram.run(
            [
                media.clip, "--ads", advertising.url("schedule.xml"), "--chapters",
                folder.write("chapters.vtt", Self.chapters), "--config", try configuration(collector.port), "-q",
                "--set", "player.adTimeoutSeconds=600",
            ]
        )
        #expect(result.code == 0, "\(result.errors)")
        let heartbeats = values(
            ["s:event:type", "s:asset:ad_id", "s:stream:chapter_name"],
            of: collector.requests.filter { $0.method == "GET" && $0.path == "/" }.compactMap(\.query)
        )
        let page = try TestFile.source("docs/plugins/adobe-heartbeat.md")
        #expect(heartbeats == Self.rows("A film with ads and chapters", of: page).map { Array($0.dropFirst()) })
        // In the old version an ad's entries tell the place in the ad, from its first second to its last.
        let old = values(
            ["s:event:type", "s:asset:ad_id", "l:event:playhead"],
            of: collector.requests.filter { $0.path == "/old/" }.compactMap(\.query)
        )
        let places = ["pre", "mid"].flatMap { [["start", $0, "0"], ["play", $0, "1"], ["complete", $0, "1"]] }
        #expect(old.filter { !$0[1].isEmpty } == places, "the midroll stands at 2 s")
        let hits = values(
            ["pe", "contentType", "podPosition"],
            of: collector.requests.filter { $0.method == "POST" }.map(\.text)
        )
        let other = try TestFile.source("docs/plugins/adobe-analytics.md")
        #expect(hits == Self.rows("A film with ads", of: other).map { Array($0.dropFirst()) })
    }

    private static let chapters = "WEBVTT\n\n00:00.000 --> 00:01.500\nOne\n\n00:01.500 --> 00:09.000\nTwo\n"

    /// An ad server with a preroll, and a midroll at 2.5 s.
    private func advertising() throws -> AdServer {
        let server = try AdServer()
        let schedule = AdDocuments.vmap([
            AdDocuments.adBreak("start", id: "before", AdDocuments.data(AdDocuments.inline("pre"))),
            AdDocuments.adBreak("00:00:02.500", id: "between", AdDocuments.data(AdDocuments.inline("mid"))),
        ])
        server.write("schedule.xml", schedule)
        return server
    }

    /// Both trackers and the reporter that sends, to a server on this machine.
    ///
    /// A quantum is longer than the film, so that the list does not depend on how fast the machine is.
    private func configuration(_ port: UInt16) throws -> String {
        try #require(folder.makeFolder("AdobeMobile"))
        _ = folder.write(
            "AdobeMobile/ADBMobileConfig.json",
            #"{"analytics": {"rsids": "suite", "server": "127.0.0.1:\#(port)"}}"#
        )
        return folder.write(
            "tally.json5",
            """
            {
                pluginDirectories: ["\(TestFile.products)"],
                plugins: [
                    { plugin: "adobe-analytics" },
                    { plugin: "adobe-heartbeat",
                      config: { trackingServer: "127.0.0.1:\(port)", jobId: "j2", publisher: "example", trackingInterval: 600 } },
                    { name: "old", plugin: "adobe-heartbeat",
                      config: { compatibility: "1.3.1", trackingServer: "127.0.0.1:\(port)/old", jobId: "j2",
                          publisher: "example", trackingInterval: 600 } },
                    { plugin: "http" },
                ],
            }
            """
        )
    }

    /// The values of some parameters in each query; empty where there is none.
    private func values(_ names: [String], of queries: [String]) -> [[String]] {
        queries.map { query in
            let parameters = Dictionary(
                query.split(separator: "&").compactMap { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1)
                    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
                },
                uniquingKeysWith: { first, _ in first }
            )
            return names.map { parameters[$0] ?? "" }
        }
    }

    /// The cells of a section's table, without its head and without code marks.
    private static func rows(_ section: String, of page: String) -> [[String]] {
        guard let start = page.firstRange(of: "\n## \(section)\n") else { return [] }
        let text = page[start.upperBound...]
        let end = text.firstRange(of: "\n## ")?.lowerBound ?? text.endIndex
        let lines = text[..<end].split(separator: "\n").filter { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
                cell.split(separator: " ").joined(separator: " ").replacing("`", with: "")
            }
        }
    }
}
