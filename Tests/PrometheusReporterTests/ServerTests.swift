import Campaigns
import ChildPrograms
import PluginKit
import Prometheus
import RealServers
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// A real Prometheus scrapes the reporter.
@Suite(
    "The reporter prometheus and Prometheus",
    .enabled(if: PrometheusServer.isInstalled, "run Scripts/bootstrap --tests")
)
struct ServerTests {
    private static func example(_ name: String) -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "\(root)/Plugins/Reporting/Prometheus/Examples/\(name)"
    }

    private static func write(_ runs: Range<Int>, to replay: ScrapedReplay) {
        for run in runs {
            let attributes = "{\"video_cdn\":\"cdn\(run % 2)\",\"stream_type\":\"vod\"}"
            replay.write(ArchiveText.run("run\(run)", samples: 30, attributes: attributes).map { $0 + "\n" }.joined())
        }
    }

    @Test("It reads all families and exemplars, through crashes of its own; every query of the dashboard has an answer")
    func scraped() async throws {
        let replay = try await ScrapedReplay(binaries: PluginFiles.folder)
        Self.write(0..<10, to: replay)
        try await replay.awaitSessions(10)
        let server = try await PrometheusServer(scraping: replay.target, rules: Self.example("alerts.yml"))
        for round in 1...3 {
            let isSeen = try await eventually {
                try await server.values("sum(tally_sessions_ended_total)") == [Double(10 * round)]
            }
            #expect(isSeen)
            guard round < 3 else { break }
            await server.crash()
            Self.write(10 * round..<10 * (round + 1), to: replay)
            try await replay.awaitSessions(10 * (round + 1))
            try await server.start()
        }
        let text = try await replay.metrics()
        for family in MetricFamily.all {
            let name = family.kindName == "histogram" ? "\(family.name)_sum" : "\(family.name)_total"
            let found = try await server.values("sum(\(name))")
            #expect(found.count == 1 && abs(found[0] - ScrapedReplay.sum(name, in: text)) < 1e-6, "\(name)")
        }
        let exemplars = try await server.ask(
            "query_exemplars",
            ["query=tally_startup_seconds_bucket", "start=0", "end=4102444800"]
        )
        let runs =
            exemplars.array?.flatMap { $0["exemplars"]?.array ?? [] }.compactMap { $0["labels"]?["run"]?.string } ?? []
        #expect(!runs.isEmpty && runs.allSatisfy { $0.hasPrefix("run") })
        let dashboard = try JSONParser().parse(TestFile.text(Self.example("dashboard.json")))
        let queries =
            dashboard["panels"]?.array?.flatMap { $0["targets"]?.array ?? [] }.compactMap { $0["expr"]?.string } ?? []
        #expect(queries.count > 10)
        for query in queries {
            // A rate has to see the counters grow.
            let plain = query.replacing("$__rate_interval", with: "5m")
            #expect(try await server.ask("query", ["query=\(plain)"])["result"]?.array?.isEmpty == false, "\(plain)")
        }
        let rules = try await server.ask("rules")["groups"]?.array?.first?["rules"]?.array ?? []
        #expect(rules.count == 9)
        let areWell = try await eventually {
            let rules = try await server.ask("rules")["groups"]?.array?.first?["rules"]?.array ?? []
            return rules.allSatisfy { $0["health"]?.string == "ok" }
        }
        #expect(areWell)
    }

    @Test("promtool finds nothing wrong with rules and metrics but that bits and minutes are no base units")
    func checked() async throws {
        let rules = try await PrometheusServer.check(["check", "rules", Self.example("alerts.yml")])
        #expect(rules.code == 0, "\(rules.text)")
        let replay = try await ScrapedReplay(binaries: PluginFiles.folder)
        Self.write(0..<3, to: replay)
        try await replay.awaitSessions(3)
        let folder = TemporaryFolder()
        let plain = try await ChildProgram.run("/usr/bin/curl", ["-sS", replay.address]).output
        folder.write("metrics", plain)
        let metrics = try await PrometheusServer.check(["check", "metrics"], folder.file("metrics"))
        let complaints = metrics.text.split(separator: "\n").filter {
            !$0.contains(#"instead of "bits""#) && !$0.contains(#"instead of "minutes""#)
        }
        #expect(complaints == [])
    }

    @Test("The page has every key, command and family")
    func page() throws {
        let page = try TestFile.source("docs/plugins/prometheus.md")
        let schema = try JSONParser().parse(PrometheusReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 5)
        for key in keys + PrometheusReporter.commands.map(\.name) { #expect(page.contains("| `\(key)` |"), "\(key)") }
        for family in MetricFamily.all {
            #expect(page.contains("| `\(family.name)` | \(family.kindName) |"), "\(family.name)")
        }
    }
}
