import Glibc
import PluginABI
import PluginKit
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
            let reporter = unsafe try HostedReporter(PluginFile.entry("console"))
            #expect(reporter.start(configuration) == TALLY_OK)
            #expect(reporter.enable() == TALLY_OK)
            #expect(reporter.take(outputs) == Int64(outputs.count))
        }
        return String(decoding: child.standardErrorContent, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func outputs() -> Outputs {
        let outputs = Outputs()
        outputs.addNote(TALLY_OUTPUT_SESSION_BEGIN, at: 1_000, session: 1)
        outputs.addEvent(TestBlock(.play, at: 61_234_567, attributes: [("autoplay", .bool(true))]))
        outputs.addRecord(
            "CONTENT_START",
            ordinal: 1,
            at: 4_000_000_000,
            attributes: [
                ("a", .int(1)), ("b", .string("two words")), ("c", .string("x\u{1B}[31m")), ("d", .null),
                ("e", .int(5)),
            ]
        )
        outputs.addBeacon(body: [1, 2, 3], ordinal: 1, at: 4_000_000_000)
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
        let reporter = unsafe try HostedReporter(PluginFile.entry("console"))
        #expect(reporter.start(configuration) == TALLY_ERR_CONFIG)
        #expect(reporter.host.errors.count == 1)
    }
}
