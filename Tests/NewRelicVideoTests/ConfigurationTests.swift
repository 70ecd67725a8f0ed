import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// A configuration either means what it says or is refused with a reason.
struct ConfigurationTests {
    @Test func `without a configuration the defaults hold`() throws {
        let configuration = try TrackerConfiguration(reading: .object([:]))
        #expect(configuration.heartbeatPeriod == 30_000_000)
        #expect(configuration.trackerName == "tally")
        #expect(configuration.attributes.isEmpty)
    }

    @Test func `a heartbeat below one second is none`() throws {
        #expect(try TrackerConfiguration(reading: ["heartbeatSeconds": 0]).heartbeatPeriod == nil)
        #expect(try TrackerConfiguration(reading: ["heartbeatSeconds": -5]).heartbeatPeriod == nil)
        #expect(try TrackerConfiguration(reading: ["heartbeatSeconds": 1]).heartbeatPeriod == 1_000_000)
    }

    @Test func `the user comes first, then the attributes in their order`() throws {
        let configuration = try TrackerConfiguration(reading: [
            "attributes": ["plan": "gold", "beta": true, "weight": 0.5, "seats": 4], "userId": "u-1",
        ])
        #expect(configuration.attributes.map(\.name) == ["enduser.id", "plan", "beta", "weight", "seats"])
        #expect(
            configuration.attributes.map(\.value) == [.string("u-1"), .string("gold"), .int(1), .double(0.5), .int(4)]
        )
    }

    @Test(
        arguments: [
            (#"{"heartbeatSeconds":1.5}"#, "\"heartbeatSeconds\" has a number; give it an integer"),
            (#"{"heartbeatSeconds":100000}"#, "\"heartbeatSeconds\" has the value 100000"),
            (#"{"trackerName":""}"#, "\"trackerName\" has the value \"\""),
            (#"{"userId":7}"#, "\"userId\" has an integer; give it a string"),
            (#"{"attributes":[]}"#, "\"attributes\" has an array; give it an object"),
            (#"{"attributes":{"a":[1]}}"#, "\"attributes.a\" has an array"),
            (#"{"attributes":{"actionName":"x"}}"#, "\"attributes.actionName\" has the value \"actionName\""),
            (
                #"{"attributes":{"timeSinceStarted":1}}"#,
                "\"attributes.timeSinceStarted\" has the value \"timeSinceStarted\", which cannot be used; give it another name"
            ),
            (#"{"attributes":{"":1}}"#, "has the value 0 bytes, which cannot be used; give it 1 to 255 bytes"),
            (#"{"generation":"C"}"#, "\"generation\" has the value \"C\""),
            (#"{"trackers":"both"}"#, "\"trackers\" has the value \"both\""),
            (#"{"rules":[{"actions":"["}]}"#, "give it a regular expression"),
            (#"{"rules":[{"eventType":"A-B"}]}"#, "\"rules.0.eventType\" has the value \"A-B\""),
            (#"{"rules":[{"set":{"timestamp":1}}]}"#, "\"rules.0.set.timestamp\""),
            (#"{"rules":[{"where":{"a":{"is":1}}}]}"#, "\"rules.0.where.a\""),
            (#"{"obfuscation":[{"pattern":"("}]}"#, "\"obfuscation.0.pattern\""),
            (#"{"timeSince":[{"action":"A","attribute":"timestamp"}]}"#, "\"timeSince.0.attribute\""),
            (#"{"attributesForActions":[{"name":"a","value":[]}]}"#, "\"attributesForActions.0.value\""),
            (#"{"delivery":{}}"#, "\"delivery.accountId\" is missing"),
            (#"{"delivery":{"accountId":1,"harvestSeconds":4}}"#, "\"delivery.harvestSeconds\" has the value 4"),
        ])
    func `what cannot be used is refused, and the message names the key`(text: String, message: String) {
        let host = NewRelic.host(configuration: text)
        #expect(host.faults.last?.text.contains(message) == true)
        #expect(host.send(.playerReady) != 0)
    }

    @Test func `the schema is JSON and lists the keys`() throws {
        let schema = try JSONParser().parse(TrackerConfiguration.schemaText)
        let keys = schema["properties"]?.object?.keys
        #expect(
            keys == [
                "generation", "platform", "trackers", "heartbeatSeconds", "trackerName", "userId", "attributes",
                "attributesForActions", "timeSince", "rules", "obfuscation", "delivery", "qoeAggregateHarvests",
            ]
        )
    }
}
