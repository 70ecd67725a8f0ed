import OTLP
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// What can be configured, and what is said of what cannot.
@Suite("Configuration")
struct ConfigurationTests {
    private static let refused: [(JSONObject, String)] = [
        (["endpoint": "localhost:4318"], "endpoint"),
        (["endpoint": "http://me:hunter2@localhost:4318"], "endpoint"),
        (["encoding": "grpc"], "encoding"),
        (["signals": ["profiles"]], "signals.0"),
        (["resource": ["service.name": "x"]], "resource.service.name"),
        (["metric_attributes": [""]], "metric_attributes.0"),
        (["metric_attributes": ["country", "user_id"]], "metric_attributes.1"),
        (["endpoint": "http://localhost:4318?a=b"], "endpoint"),
        (["idempotency_header": "bad header"], "idempotency_header"),
        (["credentials": ["k": ["header": "Authori zation", "environment": "K"]]], "credentials.k.header"),
        (["spool": ""], "spool"),
        (["interval_ms": 1], "interval_ms"),
        (["credential": "token"], "credential"),
        (["retry": ["first_ms": 0]], "retry.first_ms"),
        (["timeout_ms": 1], "timeout_ms"),
    ]

    @Test("What cannot be is refused, by its key", arguments: 0..<refused.count)
    func refusals(_ place: Int) throws {
        let (configuration, key) = Self.refused[place]
        let host = try FakeHost(.file(PluginFiles.plugin("otlp")))
        do {
            try host.start(.object(configuration))
            Issue.record("\(configuration) is taken")
        } catch {
            #expect("\(error)".contains(key), "\(error)")
            #expect(!"\(error)".contains("hunter2"), "\(error)")
        }
        host.destroy()
    }

    @Test("The page has every key and every command")
    func page() throws {
        let page = try TestFile.source("docs/plugins/otlp.md")
        let schema = try JSONParser().parse(OTLPReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 20)
        for key in keys where key != "retry" { #expect(page.contains("`\(key)`"), "\(key)") }
        for command in OTLPReporter.commands { #expect(page.contains("| `\(command.name)` |"), "\(command.name)") }
    }

    @Test("The registry's page is made of the declarations")
    func registry() throws {
        let page = try TestFile.source("docs/media-semantics.md")
        for (name, lines) in MediaRegistry.tables {
            let table = "<!-- registry: \(name) -->\n\(lines.joined(separator: "\n"))\n<!-- end -->"
            #expect(page.contains(table), "\(name) is stale; it is to be:\n\(lines.joined(separator: "\n"))")
        }
        let names = MediaAttribute.all.map(\.name) + MediaMetric.all.map(\.name) + SpanKind.allCases.map(\.name)
        #expect(Set(names).count == names.count, "a name stands for one thing")
    }
}
