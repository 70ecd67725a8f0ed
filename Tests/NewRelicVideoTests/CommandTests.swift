import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// The guide's calls to the agent and to a tracker, as commands.
@Suite struct CommandTests {
    @Test("trackers are found by their id, the content's and the ads'")
    func byID() throws {
        let host = try playing(#"{"trackers":"pair"}"#)
        #expect(host.command("trackers").value == [["id": 0, "content": true, "ad": true]])
        #expect(host.command("contentTracker", ["id": 0]).value?["isPlaying"] == true)
        #expect(host.command("adTracker", ["id": 0]).value?["isAd"] == true)
        #expect(host.command("adTracker", ["id": 1]).isRefused)
        #expect(host.faults.last?.text.contains("\"id\" has the value 1") == true)
    }

    @Test("every getter answers, by its attribute's name and as the guide calls it")
    func getters() throws {
        let host = try playing(#"{"trackers":"pair"}"#)
        host.player.durationMilliseconds = 60_000
        host.player.adPlayheadMilliseconds = 250
        let names = ["duration", "getDuration", "contentDuration"]
        for name in names {
            #expect(host.command("get", ["attribute": .string(name)]).value == 60_000)
        }
        #expect(host.command("get", ["attribute": "playhead", "tracker": "ad"]).value == 250)
        #expect(host.command("get", ["attribute": "title"]).value == .null)
        #expect(host.command("get", ["attribute": "getNothing"]).isRefused)
        for tracker in ["content", "ad"] {
            let all = try #require(host.command("getAll", ["tracker": .string(tracker)]).value?.object)
            #expect(all.count > 25)
            for member in all {
                let one = host.command("get", ["attribute": .string(member.key), "tracker": .string(tracker)]).value
                #expect(one == member.value, "\(member.key)")
            }
        }
    }

    @Test("a query says nothing and starts nothing")
    func queries() throws {
        let host = NewRelic.host()
        #expect(host.command("trackers").value == [])
        #expect(host.command("getAll").isRefused)
        #expect(host.events.isEmpty)
    }

    @Test("an event with attributes, which lose against the tracker's own")
    func sendEvent() throws {
        let host = try playing()
        host.command("sendEvent", ["action": "MY_TEST_ACTION"])
        #expect(host.events.last?.action == "MY_TEST_ACTION")
        host.command(
            "sendEvent",
            ["action": "my action", "attributes": ["myAttr": "myVal", "on": true, "viewId": "x"]]
        )
        #expect(host.events.last?.action == "my action")
        #expect(host.events.last?["myAttr"] == .string("myVal"))
        #expect(host.events.last?["on"] == .int(1))
        #expect(host.events.last?["viewId"] != .string("x"))
        #expect(host.command("sendEvent", ["action": ""]).isRefused)
        #expect(host.command("nonsense").isRefused)
    }

    @Test("a sender called by its name asks the state machine")
    func senders() throws {
        let host = try playing()
        let count = host.events.count
        for sender in ["pause", "pause", "adClick"] { host.command("send", ["sender": .string(sender)]) }
        #expect(host.events.dropFirst(count).map(\.action) == ["CONTENT_PAUSE"])
        #expect(host.command("send", ["sender": "sing"]).isRefused)
    }

    @Test("an attribute without a filter is on every event, one with a filter on those that match")
    func setAttribute() throws {
        let host = try playing()
        host.command("setAttribute", ["name": "myAttr", "value": "myVal"])
        host.command("setAttribute", ["name": "only", "value": 1, "actions": "^CONTENT_[A-Z_]+$"])
        host.command("sendEvent", ["action": "lower case 1"])
        #expect(host.events.last?["myAttr"] == .string("myVal"))
        #expect(host.events.last?["only"] == nil)
        host.send(.pause)
        #expect(host.events.last?["myAttr"] == .string("myVal"))
        #expect(host.events.last?["only"] == .int(1))
        host.command("setAttribute", ["name": "myAttr", "value": 5])
        host.send(.play)
        #expect(host.events.last?["myAttr"] == .int(5))
        #expect(host.command("setAttribute", ["name": "actionName", "value": 5]).isRefused)
    }

    @Test("the user's id is on all events from then on, of trackers that are started later too")
    func setUserId() throws {
        let host = try playing()
        host.command("setUserId", ["userId": "TEST_USER"])
        host.send(.pause)
        #expect(host.events.last?["enduser.id"] == .string("TEST_USER"))
        host.send(.adStart)
        let ofAds = host.events.filter { $0["isAd"] == .int(1) }
        #expect(ofAds.count == 3)
        #expect(ofAds.allSatisfy { $0["enduser.id"] == .string("TEST_USER") })
        host.command("startTracker", ["trackers": "content"])
        #expect(host.events.last?["enduser.id"] == .string("TEST_USER"))
        let early = NewRelic.host()
        early.command("setUserId", ["userId": "early"])
        #expect(early.events.isEmpty)
        early.send(.playerReady)
        #expect(early.events.first?["enduser.id"] == .string("early"))
    }

    @Test("several trackers at once, each with its id, started and released independently")
    func several() throws {
        let host = try playing()
        host.player.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED
        #expect(host.command("startTracker", ["trackers": "content"]).value == 1)
        #expect(
            Array(host.events.map(\.action).suffix(4)) == [
                "TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST", "CONTENT_START",
            ]
        )
        #expect(host.command("startTracker", ["trackers": "ad"]).value == 2)
        host.send(.pause)
        let pauses = host.events.filter { $0.action == "CONTENT_PAUSE" }
        #expect(pauses.count == 2)
        #expect(pauses[0]["viewSession"] != pauses[1]["viewSession"])
        #expect(pauses[0]["agentSession"] == pauses[1]["agentSession"])
        let count = host.events.count
        host.command("releaseTracker", ["id": 0])
        #expect(host.events.count == count)
        #expect(host.runningTimerCount == 1)
        #expect(host.command("contentTracker", ["id": 0]).isRefused)
        #expect(host.command("releaseTracker", ["id": 0]).isRefused)
        host.send(.play)
        #expect(host.events.dropFirst(count).map(\.action) == ["CONTENT_RESUME"])
        host.wait(milliseconds: 30_000)
        #expect(host.events.dropFirst(count).map(\.action) == ["CONTENT_RESUME", "CONTENT_HEARTBEAT"])
        #expect(host.command("startTracker", ["trackers": "ad"]).value == 3)
    }

    @Test("a row of the time-since table, and another time between two heartbeats")
    func timeSinceAndHeartbeat() throws {
        let host = try playing()
        host.command(
            "addTimeSinceEntry",
            ["action": "TEST_ACTION", "attribute": "timeSinceTest", "actions": "TEST_ACTION"]
        )
        host.command("sendEvent", ["action": "TEST_ACTION"])
        #expect(host.events.last?["timeSinceTest"] == nil)
        host.wait(milliseconds: 40)
        host.command("sendEvent", ["action": "TEST_ACTION"])
        #expect(host.events.last?["timeSinceTest"] == .int(40))
        host.command("setHeartbeatTime", ["seconds": 5])
        let count = host.events.count
        host.wait(milliseconds: 10_000)
        #expect(host.events.count == count + 2)
        host.command("setHeartbeatTime", ["seconds": 0])
        host.wait(milliseconds: 100_000)
        #expect(host.events.count == count + 2)
    }

    @Test("a disabled tracker takes no command that changes something")
    func disabled() throws {
        let host = try playing()
        host.disable()
        #expect(host.command("sendEvent", ["action": "A"]).isRefused)
        #expect(host.faults.last?.text.contains("enable it first") == true)
    }

    private func playing(_ configuration: String = "{}") throws -> FakeHost {
        let host = NewRelic.host(configuration: configuration)
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        return host
    }
}
