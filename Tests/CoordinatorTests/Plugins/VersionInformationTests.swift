import PluginLoading
import Testing

/// Versions in full, as the Video Heartbeat guides define them.
struct VersionInformationTests {
    @Test("A version in full has the platform, four numbers and the first seven digits of the commit")
    func parts() throws {
        let version = try #require(VersionInformation(version: "1.12.3", build: "45-3a4f2c1"))
        #expect(version.text == "linux-1.12.3.45-3a4f2c1")
        #expect([version.major, version.minor, version.micro, version.patch] == [1, 12, 3, 45])
        #expect(version.build == "3a4f2c1" && version.platform == "linux" && version.version == "1.12.3")
    }

    @Test(
        "What has another form is no version",
        arguments: [
            ("1.2", "0-3a4f2c1"), ("1.2.3.4", "0-3a4f2c1"), ("1.2.", "0-3a4f2c1"), ("1.2.x", "0-3a4f2c1"),
            ("1.2.3", "3a4f2c1"), ("1.2.3", "0-3A4F2C1"), ("1.2.3", "0-3a4f2c"), ("1.2.3", "0-3a4f2c11"),
            ("1.2.3", "-3a4f2c1"), ("1.2.3", "0-3a4f2cg"), ("1.2.3", "0-3a4f2c1-"), ("1.2.3", ""),
            ("99999999999999999999.0.0", "0-3a4f2c1"),
        ]
    )
    func refused(version: String, build: String) {
        #expect(VersionInformation(version: version, build: build) == nil)
    }
}
