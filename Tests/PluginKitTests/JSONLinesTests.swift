import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("The reporter jsonlines")
struct JSONLinesTests {
    private func reporter(_ configuration: String) throws -> FakeHost {
        let host = try FakeHost(.file(PluginFiles.plugin("jsonlines")))
        #expect(host.create())
        #expect(host.initialize(text: configuration) == TALLY_OK)
        return host
    }

    private func outputs() -> ReporterOutputs {
        ReporterOutputs(plugin: "com.newrelic.video", instance: "nr", videoID: "asset-1")
    }

    private func everything() -> ReporterOutputs {
        let outputs = outputs()
        outputs.add(.runBegin)
        outputs.add(.sessionBegin, at: 10, session: 1)
        outputs.add(
            EventBlock(
                .play,
                at: 1_000_001,
                ordinal: 7,
                player: FakePlayer {
                    $0.playheadMilliseconds = 250
                    $0.flags = TALLY_STATE_PLAYING | TALLY_STATE_IN_SESSION
                },
                attributes: [("autoplay", .bool(true)), ("odd \"name\"", .string("a\nb"))]
            )
        )
        let record = FakeHost.Record(
            kind: "CONTENT_START",
            time: 2_000_000,
            attributes: [("b", .int(5)), ("a", .string("ü")), ("n", .null)]
        )
        outputs.add(record, ordinal: 1)
        outputs.add(.example(body: Array("ab\"c0000".utf8), at: 2_500_000), ordinal: 1)
        outputs.add(.example(body: [0xFF, 0x00], at: 2_500_000), ordinal: 2)
        outputs.addGap(12, at: 2_600_000)
        outputs.add(.sessionEnd, at: 3_000_000, session: 1)
        outputs.add(.runEnd, at: 3_000_000)
        return outputs
    }

    private let recordLine =
        #"{"line":"record","run":"run-1","session":1,"video_id":"asset-1","instance":"nr","#
        + #""plugin":"com.newrelic.video","n":1,"t_us":2000000,"time":"2023-11-14T22:13:22.000000Z","#
        + #""kind":"CONTENT_START","attributes":{"b":5,"a":"ü","n":null}}"#

    private let gapLine =
        #"{"line":"gap","run":"run-1","session":0,"t_us":2600000,"time":"2023-11-14T22:13:22.600000Z","lost":12}"#

    private func beaconLine(_ ordinal: Int, body: String) -> String {
        #"{"line":"beacon","run":"run-1","session":1,"video_id":"asset-1","instance":"nr","#
            + #""plugin":"com.newrelic.video","n":\#(ordinal),"t_us":2500000,"time":"2023-11-14T22:13:22.500000Z","#
            + #""destination":"vendor.events","method":"POST","url":"https://example.com/v1","#
            + #""headers":[["Content-Type","text/plain"]],"body":\#(body),"credential":"vendor.key","#
            + #""patches":[{"part":"body","kind":"attempt","offset":4,"width":2}],"records":[1,2],"#
            + #""options":["gzip_wanted","no_retry"],"max_age_s":0}"#
    }

    @Test func recordsAndBeaconsAreWrittenByDefaultAndGapsAlways() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
        #expect(reporter.wants == [.records, .beacons, .gaps])
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.deliver(everything()) == 9)
        #expect(
            file.lines == [
                recordLine, beaconLine(1, body: #""ab\"c0000""#), beaconLine(2, body: #"{"$b":"/wA="}"#), gapLine,
            ]
        )
        reporter.flush(token: 77)
        #expect(reporter.flushAnswers == [FakeHost.FlushAnswer(token: 77, delivered: 4)])
    }

    @Test func eventsSessionsAndRunsAreWrittenOnRequest() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)","events":true,"records":false,"beacons":false}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.deliver(everything()) == 9)
        #expect(
            file.lines == [
                #"{"line":"run_begin","run":"run-1","session":0,"t_us":0,"time":"2023-11-14T22:13:20.000000Z","#
                    + #""epoch_us":1700000000000000}"#,
                #"{"line":"session_begin","run":"run-1","session":1,"video_id":"asset-1","t_us":10,"#
                    + #""time":"2023-11-14T22:13:20.000010Z"}"#,
                #"{"line":"event","run":"run-1","session":1,"video_id":"asset-1","n":7,"t_us":1000001,"#
                    + #""time":"2023-11-14T22:13:21.000001Z","type":"play","flags":[],"#
                    + #""state":{"playhead_ms":250,"is":["playing"]},"#
                    + #""attributes":{"autoplay":true,"odd \"name\"":"a\nb"}}"#,
                gapLine,
                #"{"line":"session_end","run":"run-1","session":1,"video_id":"asset-1","t_us":3000000,"#
                    + #""time":"2023-11-14T22:13:23.000000Z"}"#,
                #"{"line":"run_end","run":"run-1","session":0,"t_us":3000000,"time":"2023-11-14T22:13:23.000000Z"}"#,
            ]
        )
    }

    @Test func aLineLacksTheTimeOfARunWithoutWallClockAndAnAssetThatIsNotKnown() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)","events":true}"#)
        #expect(reporter.enable() == TALLY_OK)
        let outputs = ReporterOutputs(epochMicroseconds: 0)
        outputs.add(.sessionBegin, at: 10, session: 1)
        #expect(reporter.deliver(outputs) == 1)
        #expect(file.lines == [#"{"line":"session_begin","run":"run-1","session":1,"t_us":10}"#])
    }

    @Test func aDoubleOfARecordHasAPointWhateverItsValueIs() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
        #expect(reporter.enable() == TALLY_OK)
        let outputs = outputs()
        let list = PlainValue.list([.double(2), .int(2), .list([.double(-0.0)])])
        let record = FakeHost.Record(
            kind: "R",
            attributes: [("rate", .double(3)), ("count", .int(3)), ("half", .double(0.5)), ("list", list)]
        )
        outputs.add(record, ordinal: 1)
        #expect(reporter.deliver(outputs) == 1)
        #expect(file.lines[0].hasSuffix(#""attributes":{"rate":3.0,"count":3,"half":0.5,"list":[2.0,2,[0.0]]}}"#))
    }

    @Test func aBodyThatIsJSONIsWrittenAsJSONOnRequestAndEveryOtherAsBefore() throws {
        func bodies(_ configuration: String, _ beacons: [FakeHost.Beacon]) throws -> [String] {
            let file = TemporaryFile()
            let reporter = try reporter(#"{"path":"\#(file.path)"\#(configuration)}"#)
            #expect(reporter.enable() == TALLY_OK)
            let outputs = outputs()
            for beacon in beacons { outputs.add(beacon, ordinal: UInt64(outputs.count + 1)) }
            #expect(reporter.deliver(outputs) == Int64(beacons.count))
            return file.lines.map { line in
                String(line.split(separator: #""body":"#, maxSplits: 1)[1].split(separator: #","credential""#)[0])
            }
        }
        func beacon(_ body: String, _ patches: [BeaconView.Patch] = []) -> FakeHost.Beacon {
            var beacon = FakeHost.Beacon.example(body: Array(body.utf8), at: 0)
            beacon.patches = patches
            return beacon
        }
        let beacons = [
            beacon("{\"a\" : [1, \"x \\\" y\"],\n\t\"b\": 1.0 }\r\n"), beacon("[]"), beacon("42"), beacon("\"text\""),
            beacon("[1 2]"), beacon("{\"a\":1,\"a\":2}"), beacon("a=1"), beacon(""),
            beacon(
                #"{"at":0000000000000,"text":"0000000000000"}"#,
                [6, 28].map { BeaconView.Patch(part: .body, patch: .sendEpochMilliseconds, offset: $0) }
            ),
        ]
        #expect(
            try bodies(#","json_bodies":true"#, beacons) == [
                #"{"a":[1,"x \" y"],"b":1.0}"#, "[]", #""42""#, #""\"text\"""#, #""[1 2]""#, #""{\"a\":1,\"a\":2}""#,
                #""a=1""#, "\"\"", #"{"at":0,"text":"0000000000000"}"#,
            ]
        )
        #expect(try bodies("", beacons).allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
    }

    @Test func everyLineIsJSON() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)","events":true}"#)
        #expect(reporter.enable() == TALLY_OK)
        _ = reporter.deliver(everything())
        let lines = file.lines
        #expect(lines.count == 9)
        for line in lines { _ = try JSONParser().parse(line) }
    }

    @Test func anOldFileIsReplacedUnlessItIsToBeKeptAndEnablingAgainGoesOn() throws {
        let file = TemporaryFile()
        let outputs = outputs()
        outputs.addGap(1)
        for _ in 0..<2 {
            let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
            #expect(reporter.enable() == TALLY_OK)
            #expect(reporter.deliver(outputs) == 1)
            reporter.disable()
            #expect(reporter.enable() == TALLY_OK)
            #expect(reporter.deliver(outputs) == 1)
        }
        #expect(file.lines.count == 2)
        let reporter = try reporter(#"{"path":"\#(file.path)","append":true}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.deliver(outputs) == 1)
        #expect(file.lines.count == 3)
    }

    @Test func aBatchAboveTheWriteSizeIsWrittenWhole() throws {
        let file = TemporaryFile()
        let reporter = try reporter(#"{"path":"\#(file.path)"}"#)
        #expect(reporter.enable() == TALLY_OK)
        let outputs = outputs()
        let text = String(repeating: "x", count: 5000)
        for ordinal in 1...100 as ClosedRange<UInt64> {
            outputs.add(FakeHost.Record(kind: "R", attributes: [("text", .string(text))]), ordinal: ordinal)
        }
        #expect(reporter.deliver(outputs) == 100)
        let numbers = try file.lines.map { try JSONParser().parse($0)["n"]?.int }
        #expect(numbers == (1...100).map { Int64($0) })
    }

    @Test func aFileThatCannotBeOpenedIsNamedWithTheReasonAndWhatToDo() throws {
        let file = TemporaryFile()
        let path = file.folder + "/absent/out.jsonl"
        let reporter = try reporter(#"{"path":"\#(path)"}"#)
        #expect(reporter.enable() == TALLY_ERR_IO)
        #expect(
            reporter.faults.map(\.text) == [
                #"cannot open "\#(path)" for writing: No such file or directory "#
                    + #"(errno 2); create its folder, make it writable, or set "path" to another file"#
            ]
        )
    }

    @Test func aFullDiskIsAnErrorAndWhatItCostIsCounted() throws {
        let reporter = try reporter(#"{"path":"/dev/full"}"#)
        #expect(reporter.enable() == TALLY_OK)
        #expect(reporter.deliver(everything()) == Int64(TALLY_ERR_IO))
        #expect(reporter.deliver(everything()) == Int64(TALLY_ERR_IO))
        #expect(
            reporter.faults.first?.text
                == #"cannot write to "/dev/full": No space left on device (errno 28); make room or set "path" to "#
                + "another file"
        )
        reporter.flush(token: 1)
        reporter.flush(token: 2)
        #expect(
            reporter.flushAnswers == [
                FakeHost.FlushAnswer(token: 1, delivered: 0, dropped: 18),
                FakeHost.FlushAnswer(token: 2, delivered: 0),
            ]
        )
        reporter.disable()
    }

    @Test func anEmptyPathIsRefused() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("jsonlines")))
        #expect(host.create())
        #expect(host.initialize(["path": ""]) == TALLY_ERR_CONFIG)
        #expect(host.faults.first?.text.contains(#"the key "path""#) == true)
    }

    @Test(arguments: ["jsonlines", "console", "discard"])
    func theSchemaIsJSONAndAllowsNoUnknownKey(name: String) throws {
        let entry = unsafe try PluginSource.file(PluginFiles.plugin(name)).entry()
        let descriptor = unsafe try #require(entry.pointee.descriptor(entry, 0)).pointee
        let text = unsafe try #require(descriptor.config_schema)
        let schema = unsafe try JSONParser().parse(String(cString: text))
        #expect(schema["additionalProperties"] == .bool(false))
        unsafe #expect(String(cString: descriptor.id) == "org.tally.reporter.\(name)")
        unsafe #expect(descriptor.kind == TALLY_KIND_REPORTER)
    }
}
