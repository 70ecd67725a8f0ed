import EventModel
import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// The vectors, through the senders and through the plugin's table of functions.
struct VectorTests {
    @Test("a vector through the senders", arguments: Vector.all)
    func senders(vector: Vector) {
        let collector = EventCollector()
        let tracker = collector.makeTracker()
        for step in vector.steps {
            perform(step, collector, tracker)
        }
        ExpectedEvent.expect(vector.expected, in: collector.events, vector.name)
    }

    @Test("a vector through the plugin", arguments: Vector.all)
    func plugin(vector: Vector) {
        let host = NewRelic.host()
        host.send(.applicationLaunched)
        #expect(host.events.map(\.action) == ["TRACKER_READY"])
        for step in vector.steps {
            perform(step, host)
        }
        ExpectedEvent.expect(vector.expected, in: Array(host.events.dropFirst()), vector.name)
    }

    private func perform(_ step: VectorStep, _ collector: EventCollector, _ tracker: VideoTracker) {
        switch step {
        case .setPlayer: tracker.send(.playerReady, at: collector.moment)
        case .request: tracker.send(.request, at: collector.moment)
        case .start: tracker.send(.start, at: collector.moment)
        case .pause: tracker.send(.pause, at: collector.moment)
        case .resume: tracker.send(.resume, at: collector.moment)
        case .bufferStart: tracker.send(.bufferStart, at: collector.moment)
        case .bufferEnd: tracker.send(.bufferEnd, at: collector.moment)
        case .seekStart: tracker.send(.seekStart, at: collector.moment)
        case .seekEnd: tracker.send(.seekEnd, at: collector.moment)
        case .heartbeat: tracker.send(.heartbeat, at: collector.moment)
        case .end: tracker.send(.end, at: collector.moment)
        case .wait(let milliseconds): collector.time += milliseconds * 1000
        case .playhead(let playhead): collector.player.playheadMilliseconds = playhead
        case .send(let name): sendCustom(name, collector, tracker)
        }
    }

    private func sendCustom(_ name: String, _ collector: EventCollector, _ tracker: VideoTracker) {
        let block = EventBlock(
            .custom,
            at: collector.time,
            player: collector.player,
            attributes: [("custom_name", .string(name))]
        )
        let event = unsafe EventView(block.raw)
        guard let text = event.attributes[.customName]?.string else { return }
        tracker.sendEvent(text, .custom(event.attributes), at: collector.moment)
        withExtendedLifetime(block) {}
    }

    private func perform(_ step: VectorStep, _ host: FakeHost) {
        switch step {
        case .setPlayer: host.send(.playerReady)
        case .request:
            host.beginSession()
            host.send(.videoLoad)
        case .start:
            host.send(.play)
            host.send(.firstFrame)
        case .pause: host.send(.pause)
        case .resume: host.send(.play)
        case .bufferStart: host.send(.bufferStart)
        case .bufferEnd: host.send(.bufferComplete)
        case .seekStart: host.send(.seekStart)
        case .seekEnd: host.send(.seekComplete)
        case .heartbeat: host.wait(milliseconds: 30_000)
        case .end: host.send(.complete)
        case .wait(let milliseconds): host.wait(milliseconds: milliseconds)
        case .playhead(let playhead): host.player.playheadMilliseconds = playhead
        case .send(let name): host.send(.custom, [("custom_name", .string(name))])
        }
    }
}
