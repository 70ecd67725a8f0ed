import NielsenDCR
import PluginKit
import Tally
import TallyTesting
import Testing

/// What a configuration may be.
@Suite struct ConfigurationTests {
    @Test(
        "all communication is https; http is for loopback with allowInsecure",
        arguments: [
            ("secure-dmk.nmrodam.com", false, "https://secure-dmk.nmrodam.com"),
            ("HTTPS://secure-uk.imrworldwide.com", false, "https://secure-uk.imrworldwide.com"),
            ("http://127.0.0.1:8080", true, "http://127.0.0.1:8080"),
            ("http://127.4.5.6", true, "http://127.4.5.6"), ("http://localhost:1", true, "http://localhost:1"),
            ("http://[::1]:80", true, "http://[::1]:80"),
            ("http://127.0.0.1:8080", false, nil), ("http://secure-dmk.nmrodam.com", true, nil),
            ("http://127.0.0.1.example.org", true, nil), ("http://localhost.example.org", true, nil),
            ("http://127.0.0.1@example.org", true, nil), ("ftp://127.0.0.1", true, nil), ("", false, nil),
            ("https://", false, nil), ("secure-dmk.nmrodam.com/cgi-bin", false, nil), ("a b", false, nil),
            ("host?x", false, nil),
        ] as [(String, Bool, String?)]
    )
    func collectionHost(text: String, allowInsecure: Bool, address: String?) {
        let json: JSONValue = ["collectionHost": .string(text), "allowInsecure": .bool(allowInsecure)]
        #expect((try? TrackerConfiguration(reading: json))?.pings.origin == address)
    }

    @Test("the page for the user's choice is https as well")
    func optOutURL() throws {
        #expect(throws: ConfigurationError.self) {
            try TrackerConfiguration(reading: ["optOutURL": "http://example.org/x"])
        }
        let configuration = try TrackerConfiguration(reading: ["optOutURL": "https://example.org/out?lang=sv"])
        #expect(configuration.optOutURL == "https://example.org/out?lang=sv")
    }

    @Test(
        "an App ID is a GUID, as the guide and its sample write it",
        arguments: [
            (Setup.appID, true), ("10DF14BA-937E-436D-99DF-ED39A0422387", true),
            ("P0DF14BA-937E-436D-99DF-ED39A0422387", true), ("PXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX", false),
            ("P10DF14BA-937E-436D-99DF", false), ("", false), ("P10DF14BA937E436D99DFED39A0422387", false),
            ("P10DF14BA-937E-436D-99DF-ED39A0422387-1", false), ("P10DF14BA-937E-436D-99DF-ED39A042238", false),
            ("P10DF14BA-937E-436D0-99DF-ED39A0422387", false), ("P110DF14BA-937E-436D-99DF-ED39A0422387", false),
        ]
    )
    func appID(text: String, isUsable: Bool) throws {
        let application = try #require(try TrackerConfiguration(reading: ["appid": .string(text)]).application)
        #expect(application.isUsable == isUsable)
        #expect(application.problems.isEmpty == isUsable)
    }

    @Test("more seconds cannot be asked of a segment than it has; the default is that of all segments")
    func creditSeconds() throws {
        for (segment, credit) in [(60, 61), (20, 21)] {
            let json: JSONValue = ["segmentSeconds": .int(Int64(segment)), "creditSeconds": .int(Int64(credit))]
            let error = #expect(throws: ConfigurationError.self) { try TrackerConfiguration(reading: json) }
            #expect(error?.description.contains("at most segmentSeconds, which is \(segment)") == true)
        }
        #expect(try TrackerConfiguration(reading: ["creditSeconds": 60]).pings.creditSeconds == 60)
        #expect(try TrackerConfiguration(reading: ["segmentSeconds": 20]).pings.segmentSeconds == 20)
    }

    @Test("values of metadata in a configuration are strings")
    func metadataValues() {
        #expect(throws: ConfigurationError.self) { try TrackerConfiguration(reading: ["content": ["length": 170]]) }
        #expect(throws: ConfigurationError.self) { try TrackerConfiguration(reading: ["ad": ["subbrand": true]]) }
        #expect(throws: ConfigurationError.self) { try TrackerConfiguration(reading: ["content": "title"]) }
    }

    @Test("four instances can share an App ID, a fifth is refused")
    func instanceLimit() throws {
        let catalog = try RecordedRun.catalog([.file(PluginFiles.plugin("nielsen-dcr"))])
        func selections(_ count: Int, _ appID: String = Setup.appID) -> [PluginSelection] {
            (0..<count).map { number in
                PluginSelection("nielsen-dcr", name: "\(appID) \(number)", configuration: ["appid": .string(appID)])
            }
        }
        let other = "P10DF14BA-937E-436D-99DF-ED39A0422388"
        _ = try Telemetry(plugins: selections(4) + selections(4, other), catalog: catalog)
        let error = #expect(throws: TelemetryError.self) {
            try Telemetry(plugins: selections(5) + selections(1, other), catalog: catalog)
        }
        #expect(error?.kind == .configuration)
        #expect(error?.instance == "\(Setup.appID) 4")
        #expect(error?.description.contains("only 4 instances of com.nielsen.dcr") == true)
    }

    @Test("a fifth instance is refused while the others work, too")
    func instanceLimitAtRunTime() throws {
        let catalog = try RecordedRun.catalog([.file(PluginFiles.plugin("nielsen-dcr"))])
        func selection(_ number: Int) -> PluginSelection {
            PluginSelection("nielsen-dcr", name: "\(number)", configuration: ["appid": .string(Setup.appID)])
        }
        let telemetry = try Telemetry(plugins: (1...3).map(selection), catalog: catalog)
        try telemetry.load(selection(4))
        let error = #expect(throws: ControlError.self) { try telemetry.load(selection(5)) }
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("only 4 instances") == true)
        telemetry.close()
    }

    @Test("instances that measure at once do not disturb each other")
    func severalInstances() throws {
        let selections = ["one", "two"].map {
            PluginSelection("nielsen-dcr", name: $0, configuration: Setup.application)
        }
        let sequence = ActionSequence(seed: 12, count: 400, legal: 95, longestWait: 1_500_000)
        let both = try Self.run(selections, sequence)
        let alone = try Self.run([selections[1]], sequence)
        #expect(both.lines(of: "two") == alone.lines(of: "two"))
        #expect(both.lines(of: "one").count == alone.lines(of: "two").count)
        #expect(alone.lines.contains { $0.kind == "ping" })
    }

    private static func run(_ selections: [PluginSelection], _ sequence: ActionSequence) throws -> OutputTranscript {
        try VirtualRun(plugins: selections, sources: [.file(PluginFiles.plugin("nielsen-dcr"))])
            .record(sequence).live
    }
}
