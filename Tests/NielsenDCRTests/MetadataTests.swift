import NielsenDCR
import PluginKit
import Testing

/// The rules of single values.
@Suite struct MetadataTests {
    @Test(
        "an air date is YYYYMMDD HH:MI:SS with a day and a time that exist",
        arguments: [
            ("19700101 00:00:00", true), ("20200713 10:22:00", true), ("20240229 23:59:59", true),
            ("20230229 00:00:00", false), ("20200431 00:00:00", false), ("20201301 00:00:00", false),
            ("20200100 00:00:00", false), ("20200101 24:00:00", false), ("20200101 00:60:00", false),
            ("20200101 00:00:60", false), ("2020-07-13 10:22:00", false), ("20200713T10:22:00", false),
            ("20200713 10:22", false), ("", false), ("00000101 00:00:00", false), ("2020071３ 10:22:00", false),
            ("19000229 00:00:00", false), ("20000229 00:00:00", true),
        ]
    )
    func airDate(text: String, isValid: Bool) {
        #expect(AirDate.isValid(text) == isValid)
    }

    @Test("an object and its JSON text are the same argument")
    func forms() throws {
        let object: JSONValue = ["type": "preroll", "assetid": "ad_1-B", "subbrand": "c05"]
        let fromObject = try AssetMetadata(object)
        let fromText = try AssetMetadata(.string(object.canonicalText))
        #expect(fromObject == fromText)
        #expect(fromText.kind == .preroll)
        #expect(fromText["subbrand"] == "c05")
        #expect(fromText["SubBrand"] == nil)
    }

    @Test(
        "the length of a stream round the clock is 86400",
        arguments: [("86400", true), ("86401", false), ("0", false)]
    )
    func linearLength(length: String, isValid: Bool) {
        let content: JSONValue = [
            "type": "content", "assetid": "a", "program": "p", "title": "t", "length": .string(length),
            "airdate": "19700101 00:00:00", "isfullepisode": "n", "adloadtype": "1",
        ]
        #expect(((try? AssetMetadata(content, isLinear: true)) != nil) == isValid)
        #expect((try? AssetMetadata(content)) != nil)
    }

    @Test("codes and names of events and errors are the vendor's")
    func codes() {
        let names = Dictionary(uniqueKeysWithValues: VendorCode.errors.map { ($0.code, "\($0.name)") })
        let vendors: [Int64: String] = [
            1001: "NetworkConnectionFailure", 1002: "FileWriteFailure", 1003: "FileReadFailure", 1004: "EmptyValue",
            1005: "EmptyAppName", 1006: "EmptyAppVersion", 1007: "EmptyAppId", 1: "FailedParseStartInfo",
            2: "FailedParseMetadata", 3: "FailedProcessID3", 4: "FailedReceiveConfig", 5: "FailedParseConfig",
            6: "FailedStartProcessor", 7: "FailedCreateUrl", 8: "FailedCreateRequest", 9: "FailedSendHttpRequest",
            10: "FailedSendPing", 11: "FailedSendTSV", 12: "FailedSendStationRequest", 13: "FailedAccessDatabase",
            14: "Exception", 15: "InvalidPlayheadPosition",
        ]
        #expect(names == vendors)
        #expect(VendorCode.events.map { "\($0.code) \($0.name)" } == ["2001 AppApiStartup", "2002 AppApiShutdown"])
    }
}
