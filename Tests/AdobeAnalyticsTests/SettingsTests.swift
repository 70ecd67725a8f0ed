import AdobeShared
import PluginKit
import Testing

/// The vendor's settings file (Adobe VHL 1.3.1, "Initialize / Configure Video Tracking Libraries").
@Suite struct SettingsTests {
    /// The guide's sample, unchanged.
    static let sample = """
        {
          "version" : "1.1",
          "analytics" : {
            "rsids" : "YOUR_OWN_ADOBE_ANALYTICS_RSID",
            "server" : "ADDRESS_OF_THE_ADOBE_ANALYTICS_SERVER",
            "charset" : "UTF-8",
            "ssl" : false,
            "offlineEnabled" : false,
            "lifecycleTimeout" : 5,
            "batchLimit" : 50,
            "privacyDefault" : "optedin",
            "poi" : []
          },
          "target" : {
            "clientCode" : "",
            "timeout" : 5
          },
          "audienceManager" : {
            "server" : ""
          }
        }
        """

    private func settings(_ text: String) throws -> SettingsBlock {
        let block = try JSONParser().parse(text)
        return try #require(try SettingsBlock(configuration: ["ADBMobileConfig": block]))
    }

    @Test("The guide's sample is taken as it is, with no unknown key")
    func sample() throws {
        let settings = try settings(Self.sample)
        #expect(settings.reportSuites == ["YOUR_OWN_ADOBE_ANALYTICS_RSID"])
        #expect(settings.server == "ADDRESS_OF_THE_ADOBE_ANALYTICS_SERVER")
        #expect(settings.charset == "UTF-8")
        #expect(!settings.usesTLS && !settings.keepsOffline)
        #expect(settings.lifecycleTimeout == 5)
        #expect(settings.batchLimit == 50)
        #expect(settings.privacy == .optedIn)
        #expect(settings.unknownKeys == [])
    }

    @Test("What the file does not say has the vendor's defaults")
    func defaults() throws {
        let settings = try settings("{}")
        var standard = SettingsBlock()
        standard.source = [:]
        #expect(settings == standard)
        #expect(settings.lifecycleTimeout == 300 && settings.batchLimit == 0 && settings.charset == "UTF-8")
    }

    @Test("Without a block there are no settings")
    func absent() throws {
        #expect(try SettingsBlock(configuration: [:]) == nil)
        #expect(try SettingsBlock(configuration: ["ADBMobileConfig": .null]) == nil)
    }

    @Test("Several report suites are separated by commas, and a protocol before the server is dropped")
    func lists() throws {
        let settings = try settings(#"{"analytics":{"rsids":"one, two,three","server":"HTTPS://m.example.com/"}}"#)
        #expect(settings.reportSuites == ["one", "two", "three"])
        #expect(settings.server == "m.example.com")
    }

    @Test(
        "A value of the wrong kind is refused with file, key and what is expected",
        arguments: [
            (#"{"analytics":[]}"#, "analytics", "an object"),
            (#"{"analytics":{"rsids":7}}"#, "analytics.rsids", "a string"),
            (#"{"analytics":{"server":true}}"#, "analytics.server", "a string"),
            (#"{"analytics":{"charset":1}}"#, "analytics.charset", "a string"),
            (#"{"analytics":{"ssl":"yes"}}"#, "analytics.ssl", "true or false"),
            (#"{"analytics":{"offlineEnabled":1}}"#, "analytics.offlineEnabled", "true or false"),
            (#"{"analytics":{"lifecycleTimeout":"5"}}"#, "analytics.lifecycleTimeout", "an integer"),
            (#"{"analytics":{"batchLimit":1.5}}"#, "analytics.batchLimit", "an integer"),
            (#"{"analytics":{"batchLimit":-1}}"#, "analytics.batchLimit", "an integer that is not negative"),
            (
                #"{"analytics":{"privacyDefault":"maybe"}}"#, "analytics.privacyDefault",
                "one of optedin, optedout, optunknown"
            ),
            (#"{"analytics":{"poi":{}}}"#, "analytics.poi", "an array"),
            (
                #"{"analytics":{"poi":[["home",1,2]]}}"#, "analytics.poi.0",
                "an array of name, latitude, longitude and radius"
            ),
            (#"{"target":{"timeout":"5"}}"#, "target.timeout", "an integer"),
            (#"{"audienceManager":{"server":1}}"#, "audienceManager.server", "a string"),
        ]
    )
    func wrongKind(text: String, key: String, expected: String) throws {
        let block = try JSONParser().parse(text)
        do throws(ConfigurationError) {
            _ = try SettingsBlock(configuration: ["ADBMobileConfig": block])
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.description.contains("\"ADBMobileConfig.json: \(key)\""))
            #expect(error.description.hasSuffix("give it \(expected)"))
        }
    }

    @Test("Keys that are not known are kept by name, in the file's order")
    func unknown() throws {
        let settings = try settings(
            #"{"x":1,"analytics":{"rsids":"a","y":2,"referrerTimeout":0},"marketingCloud":{"org":"o","z":1},"messages":[]}"#
        )
        #expect(settings.unknownKeys == ["x", "analytics.y", "marketingCloud.z"])
    }

    @Test(
        "An end-point is a host with an optional port and path",
        arguments: [
            ("m.example.com", true), ("localhost:8080", true), ("127.0.0.1/collect", true), ("a_b-c.d", true),
            ("", false), ("two words", false), ("h:0", false), ("h:99999", false), ("h:", false), ("-h", false),
            ("a..b", false), ("h/p?q", false), ("h/p#f", false), ("ex\u{E4}mple.com", false),
        ]
    )
    func endPoint(text: String, isUsable: Bool) {
        #expect(HostName.isUsable(text) == isUsable)
    }
}
