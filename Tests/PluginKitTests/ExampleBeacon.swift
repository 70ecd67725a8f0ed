import PluginKit
import TallyTesting

extension FakeHost.Beacon {
    /// A beacon with something of everything.
    static func example(body: [UInt8], at time: Int64) -> FakeHost.Beacon {
        var beacon = FakeHost.Beacon(destination: "vendor.events", url: "https://example.com/v1", body: body)
        beacon.time = time
        beacon.headers = [Header("Content-Type", "text/plain")]
        beacon.credential = "vendor.key"
        beacon.patches = [BeaconView.Patch(part: .body, patch: .attempt(digits: 2), offset: 4)]
        beacon.records = [1, 2]
        beacon.options = [.gzipWanted, .noRetry]
        return beacon
    }
}
