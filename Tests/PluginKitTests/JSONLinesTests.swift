import PluginABI
import PluginKit
import Testing

@Suite("The reporter jsonlines")
struct JSONLinesTests {
    private func reporter(_ configuration: String) throws -> HostedReporter {
        let reporter = unsafe try HostedReporter(PluginFile.entry("jsonlines"))
        #expect(reporter.start(configuration) == TALLY_OK)
        return reporter
    }

    private func everything() -> Outputs {
        let outputs = Outputs()
        outputs.addNote(TALLY_OUTPUT_RUN_BEGIN)
        outputs.addNote(TALLY_OUTPUT_SESSION_BEGIN, at: 10, session: 1)
        outputs.addEvent(
            TestBlock(
                .play,
                at: 1_000_001,
                state: TALLY_STATE_PLAYING | TALLY_STATE_IN_SESSION,
                playhead: 250,
                attributes: [("autoplay", .bool(true)), ("odd \"name\"", .string("a\nb"))]
            )
        )
        outputs.addRecord(
            "CONTENT_START",
            ordinal: 1,
            at: 2_000_000,
            attributes: [("b", .int(5)), ("a", .string("ü")), ("n", .null)]
        )
        outputs.addBeacon(body: Array("ab\"c0000".utf8), ordinal: 1, at: 2_500_000)
        outputs.addBeacon(body: [0xFF, 0x00], ordinal: 2, at: 2_500_000)
        outputs.addGap(12, at: 2_600_000)
        outputs.addNote(TALLY_OUTPUT_SESSION_END, at: 3_000_000, session: 1)
        outputs.addNote(TALLY_OUTPUT_RUN_END, at: 3_000_000)
        return outputs
    }

    private let recordLine =
        #"{"line":"record","run":"run-1","session":1,"instance":"nr","plugin":"com.newrelic.video","n":1,"#
        + #""t_us":2000000,"kind":"CONTENT_START","attributes":{"b":5,"a":"ü","n":null}}"#

    private let gapLine = #"{"line":"gap","run":"run-1","session":0,"t_us":2600000,"lost":12}"#

    private func beaconLine(_ ordinal: Int, body: String) -> String {
        #"{"line":"beacon","run":"run-1","session":1,"instance":"nr","plugin":"com.newrelic.video","n":\#(ordinal),"#
            + #""t_us":2500000,"destination":"vendor.events","method":"POST","url":"https://example.com/v1","#
            + #""headers":[["Content-Type","text/plain"]],"body":\#(body),"credential":"vendor.key","#
            + #""patches":[{"part":"body","kind":"attempt","offset":4,"width":2}],"records":[1,2],"#
            + #""options":["gzip_wanted","no_retry"],"max_age_s":0}"#
    }

    @Test func recordsAndBeaconsAreWrittenByDefaultAndGapsAlways() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
        #expect(
            reporter.wants
                == 1 << TALLY_OUTPUT_RECORD | 1 << TALLY_OUTPUT_BEACON | 1 << TALLY_OUTPUT_GAP
        )
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.take(everything()) == 9)
        #expect(
            file.lines == [
                recordLine, beaconLine(1, body: #""ab\"c0000""#), beaconLine(2, body: #"{"$b":"/wA="}"#), gapLine,
            ]
        )
        reporter.flush(77)
        #expect(reporter.host.answers == [FakeHost.Answer(token: 77, delivered: 4, kept: 0, dropped: 0)])
    }

    @Test func eventsSessionsAndRunsAreWrittenOnRequest() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)","events":true,"records":false,"beacons":false}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.take(everything()) == 9)
        #expect(
            file.lines == [
                #"{"line":"run_begin","run":"run-1","session":0,"t_us":0,"epoch_us":1700000000000000}"#,
                #"{"line":"session_begin","run":"run-1","session":1,"t_us":10}"#,
                #"{"line":"event","run":"run-1","session":1,"n":7,"t_us":1000001,"type":"play","flags":[],"#
                    + #""state":{"playhead_ms":250,"is":["playing"]},"#
                    + #""attributes":{"autoplay":true,"odd \"name\"":"a\nb"}}"#,
                gapLine,
                #"{"line":"session_end","run":"run-1","session":1,"t_us":3000000}"#,
                #"{"line":"run_end","run":"run-1","session":0,"t_us":3000000}"#,
            ]
        )
    }

    @Test func everyLineIsJSON() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)","events":true}"#)
        #expect(reporter.enable() == TALLY_OK)
        _ = reporter.take(everything())
        let lines = file.lines
        #expect(lines.count == 9)
        for line in lines { _ = try JSONParser().parse(line) }
    }

    @Test func anOldFileIsReplacedUnlessItIsToBeKeptAndEnablingAgainGoesOn() throws {
        let file = TemporaryFile()
        let outputs = Outputs()
        outputs.addGap(1, at: 0)
        for _ in 0..<2 {
            let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
            #expect(reporter.enable() == TALLY_OK)
            #expect(reporter.take(outputs) == 1)
            reporter.disable()
            #expect(reporter.enable() == TALLY_OK)
            #expect(reporter.take(outputs) == 1)
        }
        #expect(file.lines.count == 2)
        let reporter = try reporter(#"{"path":"\#(file.path)","append":true}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.take(outputs) == 1)
        #expect(file.lines.count == 3)
    }

    @Test func aBatchAboveTheWriteSizeIsWrittenWhole() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
        #expect(reporter.enable() == TALLY_OK)
        let outputs = Outputs()
        let text = String(repeating: "x", count: 5000)
        for ordinal in 1...100 as ClosedRange<UInt64> {
            outputs.addRecord("R", ordinal: ordinal, at: 0, attributes: [("text", .string(text))])
        }
        #expect(reporter.take(outputs) == 100)
        let numbers = try file.lines.map { try JSONParser().parse($0)["n"]?.int }
        #expect(numbers == (1...100).map { Int64($0) })
    }

    @Test func aFileThatCannotBeOpenedIsNamedWithTheReasonAndWhatToDo() throws {
        let reporter = try reporter(#"{"path":"/tmp/tally-no-such-folder/out.jsonl"}"#)
        #expect(reporter.enable() == TALLY_ERR_IO)
        #expect(
            reporter.host.errors == [
                #"-5 cannot open "/tmp/tally-no-such-folder/out.jsonl" for writing: No such file or directory "#
                    + #"(errno 2); create its folder, make it writable, or set "path" to another file"#
            ]
        )
    }

    @Test func aFullDiskIsAnErrorAndWhatItCostIsCounted() throws {
        let reporter = try reporter(#"{"path":"/dev/full"}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.take(everything()) == Int64(TALLY_ERR_IO))
        #expect(reporter.take(everything()) == Int64(TALLY_ERR_IO))
        #expect(
            reporter.host.errors.first
                == #"-5 cannot write to "/dev/full": No space left on device (errno 28); make room or set "path" to "#
                + "another file; 9 outputs are lost"
        )
        reporter.flush(1)
        reporter.flush(2)
        #expect(
            reporter.host.answers == [
                FakeHost.Answer(token: 1, delivered: 0, kept: 0, dropped: 18),
                FakeHost.Answer(token: 2, delivered: 0, kept: 0, dropped: 0),
            ]
        )
        reporter.disable()
    }

    @Test func anEmptyPathIsRefused() throws {
        let reporter = unsafe try HostedReporter(PluginFile.entry("jsonlines"))
        #expect(reporter.start(#"{"path":""}"#) == TALLY_ERR_CONFIG)
        #expect(reporter.host.errors.first?.contains(#"the key "path""#) == true)
    }

    @Test(arguments: ["jsonlines", "console", "discard"])
    func theSchemaIsJSONAndAllowsNoUnknownKey(name: String) throws {
        let descriptor = unsafe try #require(PluginFile.entry(name).pointee.descriptor(0)).pointee
        let text = unsafe try #require(descriptor.config_schema)
        let schema = unsafe try JSONParser().parse(String(cString: text))
        #expect(schema["additionalProperties"] == .bool(false))
        unsafe #expect(String(cString: descriptor.id) == "org.tally.reporter.\(name)")
        unsafe #expect(descriptor.kind == TALLY_KIND_REPORTER)
    }
}
