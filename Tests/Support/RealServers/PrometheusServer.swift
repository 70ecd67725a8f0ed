internal import ChildPrograms
internal import Glibc
internal import System
package import TextEncoding

/// A Prometheus on 127.0.0.1 that scrapes one address every second; ended with this object.
package final class PrometheusServer: Sendable {
    private static let program = "/usr/bin/prometheus"
    private static let tool = "/usr/bin/promtool"

    /// Whether it is installed, as `Scripts/bootstrap --tests` does.
    package static var isInstalled: Bool { unsafe access(program, X_OK) == 0 && access(tool, X_OK) == 0 }

    /// Its own port.
    package let port: UInt16
    private let folder: ServerFolder
    private let running = Lock<ChildProgram?>(nil)

    /// Starts it, to scrape `target`, a host with its port; `rules` is a file of rules.
    package init(scraping target: String, rules: String? = nil) async throws(RealServerError) {
        folder = try ServerFolder()
        port = FreePort.find()
        let rules = rules.map { "rule_files: ['\($0)']\n" } ?? ""
        _ = try folder.write(
            """
            global: { scrape_interval: 1s, evaluation_interval: 1s }
            \(rules)scrape_configs:
              - job_name: tally
                static_configs: [{ targets: ['\(target)'] }]

            """,
            to: "prometheus.yml"
        )
        try await start()
    }

    deinit { running.with { $0 }?.send(SIGKILL) }

    /// Starts it, with what it stored before, and waits until it answers.
    package func start() async throws(RealServerError) {
        let program = try RealServers.start(
            Self.program,
            [
                "--config.file=\(folder.file("prometheus.yml"))", "--storage.tsdb.path=\(folder.file("data"))",
                "--web.listen-address=127.0.0.1:\(port)", "--enable-feature=exemplar-storage",
            ],
            output: folder.file("server.log")
        )
        running.with { $0 = program }
        let isUp = await eventually {
            let answer = try? await Self.get("http://127.0.0.1:\(port)/-/ready")
            return answer?.contains("Ready") == true || program.state != .running
        }
        guard isUp, program.state == .running else {
            throw .silent("prometheus", log: folder.lines("server.log").suffix(5).joined(separator: "; "))
        }
    }

    /// Kills it.
    package func crash() async {
        running.with { $0 }?.send(SIGKILL)
        _ = try? await running.with { $0 }?.end()
    }

    /// What its API says to a request: the member `data`.
    package func ask(_ path: String, _ parameters: [String] = []) async throws(RealServerError) -> JSONValue {
        let words = parameters.flatMap { ["--data-urlencode", $0] }
        let text = try await Self.get("http://127.0.0.1:\(port)/api/v1/\(path)", words)
        guard let answer = try? JSONParser().parse(text), answer["status"]?.string == "success" else {
            throw .program("prometheus", code: 1, log: text)
        }
        return answer["data"] ?? .null
    }

    /// The values of a query's result now.
    package func values(_ query: String) async throws(RealServerError) -> [Double] {
        let rows = try await ask("query", ["query=\(query)"])["result"]?.array ?? []
        return rows.compactMap { $0["value"]?.array?.last?.string.flatMap(Double.init) }
    }

    private static func get(_ address: String, _ more: [String] = []) async throws(RealServerError) -> String {
        guard let outcome = try? await ChildProgram.run("/usr/bin/curl", ["-sS", "-G", address] + more) else {
            throw .silent("curl", log: "it does not end")
        }
        return outcome.output
    }

    /// What promtool says to arguments, given text.
    package static func check(
        _ arguments: [String],
        _ file: String = "/dev/null"
    ) async throws -> (code: Int32, text: String) {
        let outcome = try await ChildProgram.run(tool, arguments, input: file)
        return (outcome.code, outcome.output + outcome.errors)
    }
}
