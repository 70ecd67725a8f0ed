import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// `tally-plugin check` of the plugins that come with Tally.
struct OwnPluginsTests {
    /// What these need to work at all.
    private static let configurations = [
        "adobe-analytics": #"{"ADBMobileConfig":{"analytics":{"rsids":"suite","server":"stats.example.com"}}}"#,
        "adobe-heartbeat": #"{"trackingServer":"heartbeat.example.com","publisher":"p","jobId":"j"}"#,
        "kafka": #"{"brokers":"127.0.0.1:9"}"#,
    ]

    /// The names of all products that are plugins.
    static var names: [String] {
        get throws {
            try TestFile.text("\(TestFile.repository)/Package.swift")
                .matches(of: /\b(?:swiftPlugin|cPlugin)\(\s*"([^"]+)"/).map { String($0.1) }
        }
    }

    @Test("Each plugin of Tally passes every check, and none warns", arguments: try names)
    func plugin(name: String) async throws {
        let path = "\(TestFile.products)/lib\(name).tallyplugin.so"
        let words = Self.configurations[name].map { ["--config", $0] } ?? []
        let run = try await ChildProgram.run("tally-plugin", ["check", path, "--json"] + words)
        let checks = try JSONParser().parse(run.output)["checks"]?.array ?? []
        #expect(checks.count > 45 && run.code == 0, "\(run.errors)")
        let found = checks.filter { $0["verdict"] != "passed" }
            .map { "\($0["check"]?.string ?? "") \($0["verdict"]?.string ?? ""): \($0["text"]?.string ?? "")" }
        // Whether there is a sanitizer is a matter of the machine.
        let borne = [
            "memory-refused skipped: Swift ends the process when there is no memory", "memory-errors skipped: ",
        ]
        #expect(found.allSatisfy { line in borne.contains { line.hasPrefix($0) } }, "\(found)")
    }

    @Test("All of them are found")
    func all() throws {
        let names = try Self.names
        #expect(names.count >= 19 && Set(names).count == names.count)
    }
}
