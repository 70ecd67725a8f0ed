import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("Beacons")
struct BeaconBuilderTests {
    @Test func everyPartReachesTheHost() throws {
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            let beacon = BeaconBuilder()
            beacon.begin(destination: "vendor.events", method: "PUT")
            beacon.url.append("https://example.com/?t=")
            beacon.appendPatch(.sendEpochSeconds, to: .url)
            beacon.addHeader("Content-Type", "application/json")
            beacon.addHeader("X-Attempt", "")
            beacon.setCredential("vendor.key")
            var writer = JSONWriter(beacon.body)
            writer.beginArray()
            writer.int(1)
            beacon.appendPatch(.sendEpochMilliseconds, to: &writer)
            beacon.appendPatch(.attempt(digits: 2), to: &writer)
            writer.int(2)
            writer.endArray()
            beacon.carry(3)
            beacon.carry(0)
            beacon.carry(4)
            beacon.options = [.gzipWanted, .keepOrder]
            beacon.maximumAgeSeconds = 60
            host.emit(beacon)
        }
        let beacon = try #require(host.beacons.first)
        #expect(beacon.destination == "vendor.events")
        #expect(beacon.method == "PUT")
        #expect(beacon.url == "https://example.com/?t=0000000000")
        #expect(beacon.bodyText == "[1,0000000000000,00,2]")
        #expect(beacon.headers == [.init("Content-Type", "application/json"), .init("X-Attempt", "")])
        #expect(beacon.credential == "vendor.key")
        #expect(beacon.records == [3, 4])
        #expect(beacon.options.rawValue == TALLY_BEACON_GZIP_WANTED | TALLY_BEACON_KEEP_ORDER)
        #expect(beacon.maximumAgeSeconds == 60)
        #expect(
            beacon.patches == [
                BeaconView.Patch(part: .url, patch: .sendEpochSeconds, offset: 23),
                BeaconView.Patch(part: .body, patch: .sendEpochMilliseconds, offset: 3),
                BeaconView.Patch(part: .body, patch: .attempt(digits: 2), offset: 17),
            ]
        )
    }

    @Test func nothingOfAnEarlierBeaconIsLeft() throws {
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            let beacon = BeaconBuilder()
            beacon.begin(destination: "first")
            beacon.url.append("http://first")
            beacon.body.append("body")
            beacon.addHeader("A", "b")
            beacon.setCredential("key")
            beacon.carry(1)
            beacon.appendPatch(.sendEpochSeconds, to: .body)
            beacon.options = .noRetry
            beacon.begin(destination: "second")
            beacon.url.append("x")
            host.emit(beacon)
        }
        let beacon = try #require(host.beacons.first)
        #expect(beacon.destination == "second")
        #expect(beacon.method == "POST")
        #expect([beacon.url, beacon.bodyText, beacon.credential] == ["x", "", ""])
        #expect(beacon.headers.isEmpty && beacon.records.isEmpty && beacon.patches.isEmpty)
        #expect(beacon.options == [])
    }
}
