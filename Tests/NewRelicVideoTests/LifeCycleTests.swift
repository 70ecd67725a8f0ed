import PluginABI
import PluginKit
import TallyTesting
import Testing

/// Joining, leaving and coming back.
struct LifeCycleTests {
    @Test func `joining while it plays says what brings the tracker there`() {
        let host = NewRelic.host()
        host.wait(milliseconds: 600_000)
        host.player = FakePlayer {
            $0.playheadMilliseconds = 580_000
            $0.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED
        }
        host.beginSession(joined + [("video_name", .string("Sintel"))])
        #expect(
            host.events.map(\.action) == ["TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST", "CONTENT_START"]
        )
        #expect(host.events.last?["contentTitle"] == .string("Sintel"))
        #expect(host.events.last?["contentPlayhead"] == .int(580_000))
        #expect(host.events.last?["timeSinceRequested"] == .int(0))
        host.wait(milliseconds: 30_000)
        #expect(host.events.last?.action == "CONTENT_HEARTBEAT")
        #expect(host.events.last?["totalPlaytime"] == .int(30_000))
    }

    @Test func `joining in a pause`() {
        let host = NewRelic.host()
        host.player.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PAUSED | TALLY_STATE_STARTED
        host.beginSession(joined)
        #expect(Array(host.events.map(\.action).suffix(2)) == ["CONTENT_START", "CONTENT_PAUSE"])
        host.wait(milliseconds: 1000)
        host.send(.play)
        #expect(host.events.last?.action == "CONTENT_RESUME")
        #expect(host.events.last?["totalPlaytime"] == .int(0))
    }

    @Test func `joining before the first frame, in the first buffering`() {
        let host = NewRelic.host()
        host.player.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_BUFFERING
        host.beginSession(joined)
        #expect(Array(host.events.map(\.action).suffix(2)) == ["CONTENT_REQUEST", "CONTENT_BUFFER_START"])
        host.send(.firstFrame)
        #expect(host.events.last?.action == "CONTENT_START")
    }

    @Test func `joining after the end`() {
        let host = NewRelic.host()
        host.player.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_STARTED | TALLY_STATE_ENDED
        host.beginSession(joined)
        #expect(host.events.map(\.action) == ["TRACKER_READY", "PLAYER_READY"])
        host.send(.play)
        #expect(Array(host.events.map(\.action).suffix(2)) == ["CONTENT_REQUEST", "CONTENT_START"])
    }

    @Test(arguments: [SessionEndReason.disable, .replace, .shutdown])
    func `a tracker that is released says nothing`(reason: SessionEndReason) {
        let host = started()
        let count = host.events.count
        host.endSession(reason)
        host.disable()
        host.wait(milliseconds: 120_000)
        #expect(host.events.count == count)
        #expect(host.runningTimerCount == 0)
    }

    @Test func `a session's end without an unload ends the view`() {
        let host = started()
        host.endSession(.unload)
        #expect(host.events.last?.action == "CONTENT_END")
    }

    @Test func `a sleep of the machine is no play time, and times since an action have it`() {
        let host = NewRelic.host(configuration: #"{"heartbeatSeconds":0}"#)
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        host.wait(milliseconds: 4_000)
        host.send(.systemSuspended, [("step_us", .int(3_600_000_000))])
        host.advance(to: host.time + 3_600_000_000)
        host.wait(milliseconds: 6_000)
        host.send(.pause)
        #expect(host.events.last?["totalPlaytime"] == .int(10_000))
        #expect(host.events.last?["timeSinceStarted"] == .int(3_610_000))
        for length: PlainValue in [.int(-5), .int(0), .string("long"), .int(.max)] {
            host.send(.systemSuspended, [("step_us", length)])
        }
        host.send(.play)
        host.wait(milliseconds: 1_000)
        host.send(.videoUnload)
        #expect(host.events.last?["totalPlaytime"] == .int(11_000))
        #expect(host.events.map(\.action).count { $0.hasSuffix("HEARTBEAT") } == 0)
    }

    @Test func `enabled again, it begins as new`() {
        let host = started()
        host.send(.playerError)
        host.endSession(.disable)
        host.disable()
        host.wait(milliseconds: 5000)
        host.enable()
        host.beginSession()
        host.send(.videoLoad)
        let again = host.events.suffix(2)
        #expect(again.map(\.action) == ["TRACKER_READY", "CONTENT_REQUEST"])
        #expect(again.last?["numberOfVideos"] == .int(0))
        #expect(again.last?["numberOfErrors"] == .int(0))
        #expect(again.last?["timeSinceRequested"] == nil)
        #expect(again.last?["timeSinceTrackerReady"] == .int(0))
    }

    @Test func `what is not known is forgotten between sessions, the player is not`() {
        let host = NewRelic.host()
        host.beginSession()
        host.send(.videoLoad, [("video_name", .string("One")), ("player_name", .string("gst"))])
        host.send(.videoUnload)
        host.endSession()
        host.beginSession()
        host.send(.videoLoad)
        #expect(host.events.last?["contentTitle"] == nil)
        #expect(host.events.last?["playerName"] == .string("gst"))
    }

    private let joined: [(String, PlainValue)] = [
        ("joined", .bool(true)), ("loaded_at_us", .int(0)), ("first_play_at_us", .int(1000)),
    ]

    private func started() -> FakeHost {
        let host = NewRelic.host()
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] {
            host.send(type)
        }
        return host
    }
}
