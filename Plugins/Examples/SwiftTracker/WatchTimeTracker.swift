internal import PluginABI
package import PluginKit

/// Measures how long each session is really watched: playing, and neither seeking nor waiting nor in an ad.
///
/// It says so in a record every 10 seconds, at a pause, a seek and the end, and in one beacon for each session.
package final class WatchTimeTracker: Tracker {
    package static let descriptor = TrackerDescriptor(
        id: "org.tally.example.swift",
        name: "Watch time (example in Swift)",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object","additionalProperties":false,"properties":{"url":{"type":"string"}}}"#
    )

    private let run: RunInformation
    private let host: TrackerHost
    private let record = RecordBuilder()
    private let beacon = BeaconBuilder()
    private var interval: Interval
    private var url = ""
    /// Watched in this session up to `watchingSince`, us.
    private var watched: Int64 = 0
    private var watchingSince: Int64?
    private var lastRecord: UInt64 = 0

    package init(run: RunInformation, host: TrackerHost) {
        self.run = run
        self.host = host
        interval = Interval(every: 10_000_000, host: host)
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        url = try configuration.text("url", default: "http://localhost/watch-time")
    }

    package func sessionBegin(_ snapshot: EventView) {
        watched = 0
        watchingSince = nil
        update(snapshot.state, at: snapshot.time)
    }

    package func handle(_ event: EventView) {
        update(event.state, at: event.time)
        switch event.type {
        case .pause, .seekStart, .complete: report(event.typeName)
        default: break
        }
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        guard interval.fires(timer, at: deadline) else { return }
        update(state, at: deadline)
        report(UTF8Text("interval"))
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        update(state, at: time)
        interval.stop()
        report(UTF8Text("end"))
        send()
    }

    /// Adds the time since the last call when the player was seen playing then, and looks again.
    private func update(_ state: PlayerState, at time: Int64) {
        if let since = watchingSince { watched += time - since }
        let isHeldUp = state.hasAny(TALLY_STATE_SEEKING | TALLY_STATE_BUFFERING | TALLY_STATE_IN_AD_BREAK)
        let isWatching = state.has(TALLY_STATE_PLAYING | TALLY_STATE_STARTED) && !isHeldUp
        watchingSince = isWatching ? time : nil
        if isWatching && !interval.isRunning { interval.start(at: time) }
        if !isWatching { interval.stop() }
    }

    private func report(_ cause: UTF8Text) {
        record.begin("watch_time")
        record.set("cause", cause)
        record.set("watched_ms", watched / 1000)
        lastRecord = host.emit(record)
    }

    private func send() {
        beacon.begin(destination: "example.watch-time")
        beacon.url.append(url)
        beacon.addHeader("Content-Type", "application/json")
        var writer = JSONWriter(beacon.body)
        writer.beginObject()
        writer.key("run")
        writer.string(run.playerRunID)
        writer.key("watched_ms")
        writer.int(watched / 1000)
        writer.endObject()
        beacon.carry(lastRecord)
        host.emit(beacon)
    }
}
