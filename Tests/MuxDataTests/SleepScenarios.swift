import EventModel
import Tally
import TallyTesting

/// What the tracker says of a sleep of the machine.
enum SleepScenarios {
    static let all: [Scenario] = [sleep, nearlyAnHour]

    static let sleep = Scenario(
        "A sleep of the machine is two events and no watched time",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(5_000, .sample), .sleep(5_500, to: 65_500),
            .at(66_000, .sample), .at(69_000, .pause), .at(69_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(5_500, "devicesleep", ["viewer_time": .int(1_700_000_005_500), "view_watch_time": .int(5_500)]),
            .at(5_500, "devicewake", ["viewer_time": .int(1_700_000_065_500), "view_watch_time": .int(5_500)]),
            .at(69_000, "pause", ["view_watch_time": .int(9_000), "view_content_playback_time": .int(9_000)]),
        ] + Says.end(69_500, ["watch_time_ms": .int(9_000), "rebuffer_time_ms": .int(0)])
    )

    static let nearlyAnHour = Scenario(
        "After nearly an hour of sleep the view goes on, with one heartbeat 10 s after it",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .sleep(5_500, to: 3_595_500), .at(3_609_000, .pause),
            .at(3_609_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(5_500, "devicesleep"),
            .at(5_500, "devicewake", ["viewer_time": .int(1_700_003_595_500), "view_watch_time": .int(5_500)]),
            .at(3_600_000, "beacon"), .at(3_605_500, "hb", ["view_watch_time": .int(15_500)]),
            .at(3_609_000, "pause", ["view_watch_time": .int(19_000), "view_content_playback_time": .int(19_000)]),
        ] + Says.end(3_609_500, ["watch_time_ms": .int(19_000), "rebuffer_time_ms": .int(0)])
    )
}
