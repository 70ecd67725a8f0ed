import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// What can be configured about events: attributes, time since, rules before they are sent, obfuscation.
@Suite struct RuleTests {
    @Test("the guide's regular expression: an attribute for actions that begin with CONTENT_")
    func attributesForActions() {
        let host = playing(
            #"""
            {"attributes":{"all":1},"attributesForActions":[
            {"name":"myAttr","value":"myVal","actions":"^CONTENT_[A-Z_]+$"},{"name":"plain","value":true}]}
            """#
        )
        host.send(.custom, [("custom_name", .string("CONTENT_OWN")), ("myAttr", .string("mine"))])
        host.send(.custom, [("custom_name", .string("CONTENT_own"))])
        for event in host.events {
            let isMatch = event.action.hasPrefix("CONTENT_") && event.action != "CONTENT_own"
            #expect(event["myAttr"] == (isMatch ? .string("myVal") : nil), "\(event.action)")
            #expect(event["plain"] == .int(1))
            #expect(event["all"] == .int(1))
        }
    }

    @Test("V7: an own row of the time-since table, by configuration")
    func timeSince() {
        let host = playing(
            #"{"timeSince":[{"action":"TEST_ACTION","attribute":"timeSinceTest","actions":"(TEST|CONTENT)_[A-Z]+"}]}"#
        )
        host.send(.custom, [("custom_name", .string("TEST_ACTION"))])
        #expect(host.events.last?["timeSinceTest"] == nil)
        host.wait(milliseconds: 75)
        host.send(.custom, [("custom_name", .string("TEST_ACTION"))])
        #expect(host.events.last?["timeSinceTest"] == .int(75))
        host.wait(milliseconds: 5)
        host.send(.pause)
        #expect(host.events.last?["timeSinceTest"] == .int(5))
    }

    @Test("V17: an event that is dropped has stamped the time-since table all the same")
    func drop() {
        let host = playing(
            #"{"heartbeatSeconds":10,"rules":[{"actions":"CONTENT_HEARTBEAT","where":{"a":{"exists":false}},"drop":true}]}"#
        )
        let count = host.events.count
        host.wait(milliseconds: 10_000)
        #expect(host.events.count == count)
        host.wait(milliseconds: 4_000)
        host.send(.pause)
        #expect(host.events.last?["timeSinceLastHeartbeat"] == .int(4_000))
        #expect(host.events.last?["playtimeSinceLastEvent"] == .int(4_000))
        #expect(host.events.last?["totalPlaytime"] == .int(14_000))
    }

    @Test("a rule changes what its conditions hold for, in the order of the rules")
    func change() {
        let host = playing(
            #"""
            {"rules":[
            {"actions":"CONTENT_.*","where":{"isAd":0,"contentTitle":{"matches":"Sin.*"}},
             "set":{"plan":"gold","trackerName":"mine"},"remove":["viewSession","timeSinceRequested"],
             "rename":{"contentTitle":"title"},"eventType":"My Video"},
            {"where":{"plan":"gold","title":{"exists":true}},"set":{"seen":2}},
            {"where":{"plan":"silver"},"drop":true}]}
            """#
        )
        host.send(.metadataChange, [("video_name", .string("Sintel"))])
        host.send(.pause)
        let pause = host.events.last
        #expect(pause?["eventType"] == .string("My Video"))
        #expect(pause?["title"] == .string("Sintel"))
        #expect(pause?["plan"] == .string("gold"))
        #expect(pause?["trackerName"] == .string("mine"))
        #expect(pause?["seen"] == .int(2))
        for name in ["contentTitle", "viewSession", "timeSinceRequested"] { #expect(pause?[name] == nil) }
        #expect(host.events.first?["eventType"] == .string("MobileVideo"))
    }

    @Test("obfuscation replaces what matches in every text but type and action")
    func obfuscation() {
        let host = playing(
            #"{"userId":"CONTENT 17","obfuscation":[{"pattern":"CONTENT"},{"pattern":"token=[^&]*","replacement":"token="}]}"#
        )
        host.send(.metadataChange, [("video_url", .string("http://a/b?token=secret&x=1"))])
        host.send(.pause)
        #expect(host.events.last?["actionName"] == .string("CONTENT_PAUSE"))
        #expect(host.events.last?["enduser.id"] == .string("*** 17"))
        #expect(host.events.last?["contentSrc"] == .string("http://a/b?token=&x=1"))
    }

    @Test("a pattern matches each name once and keeps the answer")
    func pattern() throws {
        let pattern = try #require(TextPattern("^CONTENT_[A-Z_]+$"))
        for _ in 0..<3 {
            #expect(pattern.matches(UTF8Text("CONTENT_PAUSE")))
            #expect(!pattern.matches(UTF8Text("CONTENT_PAUSE1")))
            #expect(!pattern.matches(UTF8Text("XCONTENT_PAUSE")))
        }
        #expect(TextPattern("(") == nil)
        #expect(TextPattern("") == nil)
    }

    private func playing(_ configuration: String) -> FakeHost {
        let host = NewRelic.host(configuration: configuration)
        #expect(host.faults.isEmpty)
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        return host
    }
}
