import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// What a tracker of one's own overrides, and when it is called.
@Suite struct CustomTrackerTests {
    @Test("every getter can be overridden, of contents and of ads", arguments: [false, true])
    func getters(isAd: Bool) {
        let host = started(#"{"trackers":"\#(isAd ? "ad" : "content")"}"#)
        let prefix = isAd ? "ad" : "content"
        var expected = OverridingTracker.ofMedia.map { (name: prefix + $0.name, value: $0.value) }
        expected += OverridingTracker.ofBoth
        if isAd { expected += OverridingTracker.ofAds }
        let start = host.events.last
        #expect(start?.action == (isAd ? "AD_START" : "CONTENT_START"))
        for (name, value) in expected { #expect(start?[name] == value, "\(name)") }
        // No attribute of the content or the ad is without a getter, but for those that are made from others.
        let made = ["contentId", "adId", "adBreakId"]
        for name in start?.names ?? [] where name.hasPrefix(prefix) && !made.contains(name) {
            #expect(expected.contains { $0.name == name }, "\(name)")
        }
    }

    @Test("each event has its sender, and those of ads alone say nothing of a content", arguments: [false, true])
    func senders(isAd: Bool) {
        let host = started(#"{"trackers":"\#(isAd ? "ad" : "content")"}"#)
        let count = host.events.count
        host.send(.custom)
        let senders = OverridingTracker.senders.filter { isAd || !$0.isOfAds }
        #expect(host.events.dropFirst(count).map(\.action) == senders.map { (isAd ? "AD_" : "CONTENT_") + $0.action })
    }

    @Test("attributes of its own are on the events that it wants, and win over the tracker's")
    func attributes() {
        let host = started("{}")
        #expect(host.events.last?["own"] == nil)
        #expect(host.events.last?["trackerName"] == .string("own tracker"))
        host.send(.pause)
        #expect(host.events.last?["own"] == .string("CONTENT_PAUSE"))
        #expect(host.events.last?["trackerName"] == .string("of the pause"))
    }

    @Test("listeners are registered with the player, and unregistered when the tracker is released")
    func listeners() {
        let host = NewRelic.host(plugin: OverridingTracker.descriptor.id)
        #expect(lines(host) == [])
        host.beginSession()
        host.send(.videoLoad)
        #expect(lines(host) == ["listens"])
        host.endSession(.disable)
        host.disable()
        #expect(lines(host) == ["listens", "listens no more"])
        host.enable()
        #expect(lines(host).count == 2)
        host.beginSession()
        host.send(.videoLoad)
        #expect(lines(host) == ["listens", "listens no more", "listens"])
        #expect(host.events.filter { $0.action == "CONTENT_REQUEST" }.count == 2)
    }

    @Test("a tracker that never had a player has nothing to unregister")
    func withoutPlayer() {
        let host = NewRelic.host(plugin: OverridingTracker.descriptor.id)
        host.disable()
        #expect(lines(host) == [])
    }

    @Test("an event goes from the state over attributes and preSend to the recorder, in this order")
    func lifeCycle() {
        let probe = LifeCycleProbe()
        probe.tracker.send(.pause, at: probe.collector.moment)
        #expect(probe.steps == [])
        #expect(!probe.tracker.state.isRequested)
        probe.tracker.send(.request, at: probe.collector.moment)
        #expect(
            probe.steps == [
                "getter, requested", "getAttributes CONTENT_REQUEST", "preSend with its own", "record CONTENT_REQUEST",
            ]
        )
        probe.steps = []
        probe.tracker.send(.request, at: probe.collector.moment)
        #expect(probe.steps == [])
    }

    @Test("an event that preSend drops is not recorded, and the state has changed")
    func dropped() {
        let probe = LifeCycleProbe()
        probe.isSending = false
        probe.tracker.send(.request, at: probe.collector.moment)
        #expect(probe.steps.last == "preSend with its own")
        #expect(probe.tracker.state.isRequested)
        probe.isSending = true
        probe.steps = []
        probe.tracker.send(.end, at: probe.collector.moment)
        #expect(probe.steps.last == "record CONTENT_END")
    }

    @Test("a custom tracker tells the content's picture while an ad is shown, and counts no sleep")
    func besideAds() {
        let host = NewRelic.host(plugin: "org.tally.example.new-relic-custom")
        host.beginSession()
        host.player.bitrate = 3_000_000
        for type: EventType in [.videoLoad, .firstFrame] { host.send(type) }
        host.player.playheadMilliseconds = 5_000
        host.send(.adBreakStart)
        host.wait(milliseconds: 1_000)
        host.player.bitrate = 200_000
        host.send(.adStart)
        host.send(.chapterStart)
        #expect(host.events.last?["contentBitrate"] == .int(3_000_000))
        #expect(host.events.last?["totalPlaytime"] == .int(0))
        host.send(.adComplete)
        host.player.bitrate = 2_000_000
        host.send(.adBreakComplete)
        host.send(.systemSuspended, [("step_us", .int(60_000_000))])
        host.advance(to: host.time + 60_000_000)
        host.wait(milliseconds: 700)
        host.send(.pause)
        #expect(host.events.last?["contentBitrate"] == .int(2_000_000))
        #expect(host.events.last?["totalPlaytime"] == .int(700))
    }

    private func started(_ configuration: String) -> FakeHost {
        let host = NewRelic.host(configuration: configuration, plugin: OverridingTracker.descriptor.id)
        host.beginSession()
        for type: EventType in [.videoLoad, .firstFrame] { host.send(type) }
        return host
    }

    private func lines(_ host: FakeHost) -> [String] { host.logLines.map(\.message) }
}

/// A tracker that writes down what is done with its events.
private final class LifeCycleProbe: EventCustomization, EventRecorder {
    let collector = EventCollector()
    var steps: [String] = []
    var isSending = true
    private(set) lazy var tracker = {
        let identifiers = ViewIdentifiers(epochSeconds: 1) { 0 }
        let tracker = VideoTracker(TrackerConfiguration(), identifiers: identifiers, recorder: self)
        tracker.customization = self
        return tracker
    }()

    func value(of attribute: StandardAttribute, standard: EventValue?, in texts: TextPool) -> EventValue? {
        if attribute == .contentPlayhead { steps.append("getter, \(tracker.state.isRequested ? "" : "not ")requested") }
        return standard
    }

    func attributes(of action: Action) -> [AttributeSetting] {
        steps.append("getAttributes \(action.name.string)")
        return (try? AttributeSetting(reading: ["name": "own", "value": 1], at: "own")).map { [$0] } ?? []
    }

    func preSend(_ action: Action, _ attributes: inout EventAttributes, in texts: TextPool) -> Bool {
        steps.append("preSend \(attributes.value(of: UTF8Text("own")) == nil ? "without" : "with") its own")
        return isSending
    }

    func record(_ action: Action, _ attributes: EventAttributes, _ delivery: DeliveryClass) {
        steps.append("record \(action.name.string)")
    }
}
