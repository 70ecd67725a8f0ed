import Glibc
import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("The reporter console")
struct ConsoleTests {
    /// What a reporter with the configuration writes to standard error for the outputs, in a process of its own: this one's
    /// standard error has other writers.
    private func lines(_ configuration: String) async throws -> [String] {
        let child = try await #require(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [configuration] in
            let outputs = Self.outputs()
            let host = try FakeHost(.file(PluginFiles.plugin("console")))
            try host.start(text: configuration)
            #expect(host.deliver(outputs) == Int64(outputs.count))
        }
        return String(decoding: child.standardErrorContent, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func outputs() -> ReporterOutputs {
        let outputs = ReporterOutputs(plugin: "com.newrelic.video", instance: "nr")
        outputs.add(.sessionBegin, at: 1_000, session: 1)
        outputs.add(EventBlock(.play, at: 61_234_567, attributes: [("autoplay", .bool(true))]))
        let record = FakeHost.Record(
            kind: "CONTENT_START",
            time: 4_000_000_000,
            attributes: [
                ("a", .int(1)), ("b", .string("two words")), ("c", .string("x\u{1B}[31m")), ("d", .null),
                ("e", .int(5)),
            ]
        )
        outputs.add(record, ordinal: 1)
        outputs.add(.example(body: [1, 2, 3], at: 4_000_000_000), ordinal: 1)
        return outputs
    }

    @Test func linesAreAlignedAndShowTheFirstAttributes() async throws {
        #expect(
            try await lines("{}") == [
                "00:00.001  s1    player            session begins          ",
                "66:40.000  s1    nr                CONTENT_START             "
                    + #"a=1 b="two words" c=x\u{1b}[31m d=null"#,
                "66:40.000  s1    nr                POST beacon               "
                    + "https://example.com/v1 (3 bytes, 2 records)",
            ]
        )
    }

    @Test func namedAttributesComeInTheirOrderAndEventsOnRequest() async throws {
        let lines = try await lines(#"{"attributes":["e","a","zz"],"events":true}"#)
        #expect(lines.count == 4)
        #expect(lines[1] == "01:01.234  s1    player            play                    ")
        #expect(lines[2].hasSuffix("CONTENT_START             e=5 a=1"))
    }

    @Test func allAttributesAreShownWhenAll() async throws {
        #expect(try await lines(#"{"attributes":"all"}"#)[1].hasSuffix("d=null e=5"))
    }

    @Test func noEscapeIsWrittenToAFile() async throws {
        #expect(try await lines(#"{"events":true}"#).allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test(arguments: [#"{"attributes":"some"}"#, #"{"attributes":[1]}"#, #"{"to":"printer"}"#])
    func whatCannotBeShownIsRefused(configuration: String) throws {
        let host = try FakeHost(.file(PluginFiles.plugin("console")))
        #expect(host.create())
        #expect(host.initialize(text: configuration) == TALLY_ERR_CONFIG)
        #expect(host.faults.count == 1)
    }
}
