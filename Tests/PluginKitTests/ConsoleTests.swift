import Glibc
import PluginABI
import PluginKit
import Testing

@Suite("The reporter console", .serialized)
struct ConsoleTests {
    /// What is written to standard error while a reporter with the configuration takes the outputs.
    private func lines(_ configuration: String, _ outputs: Outputs) throws -> [String] {
        let file = TemporaryFile()
        let reporter = unsafe try HostedReporter(PluginFile.entry("console"))
        #expect(reporter.start(configuration) == TALLY_OK)
        let target = unsafe open(file.path, O_CREAT | O_RDWR, 0o600)
        let saved = dup(STDERR_FILENO)
        dup2(target, STDERR_FILENO)
        let status = reporter.enable()
        let count = reporter.take(outputs)
        dup2(saved, STDERR_FILENO)
        close(saved)
        close(target)
        #expect(status == TALLY_OK)
        #expect(count == Int64(outputs.count))
        return file.lines
    }

    private func outputs() -> Outputs {
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

    @Test func linesAreAlignedAndShowTheFirstAttributes() throws {
        #expect(
            try lines("{}", outputs()) == [
                "00:00.001  s1    player            session begins          ",
                "66:40.000  s1    nr                CONTENT_START             "
                    + #"a=1 b="two words" c=x\u{1b}[31m d=null"#,
                "66:40.000  s1    nr                POST beacon               "
                    + "https://example.com/v1 (3 bytes, 2 records)",
            ]
        )
    }

    @Test func namedAttributesComeInTheirOrderAndEventsOnRequest() throws {
        let lines = try lines(#"{"attributes":["e","a","zz"],"events":true}"#, outputs())
        #expect(lines.count == 4)
        #expect(lines[1] == "01:01.234  s1    player            play                    ")
        #expect(lines[2].hasSuffix("CONTENT_START             e=5 a=1"))
    }

    @Test func allAttributesAreShownWhenAll() throws {
        #expect(try lines(#"{"attributes":"all"}"#, outputs())[1].hasSuffix("d=null e=5"))
    }

    @Test func noEscapeIsWrittenToAFile() throws {
        #expect(try lines(#"{"events":true}"#, outputs()).allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test(arguments: [#"{"attributes":"some"}"#, #"{"attributes":[1]}"#, #"{"to":"printer"}"#])
    func whatCannotBeShownIsRefused(configuration: String) throws {
        let reporter = unsafe try HostedReporter(PluginFile.entry("console"))
        #expect(reporter.start(configuration) == TALLY_ERR_CONFIG)
        #expect(reporter.host.errors.count == 1)
    }
}
