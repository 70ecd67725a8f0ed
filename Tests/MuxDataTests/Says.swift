import EventModel
import TallyTesting

/// What comes at a view's begin, start and end.
enum Says {
    /// A player that appears with its load.
    static func opening(_ time: Int64 = 0) -> [Scenario.Expected] {
        [.at(time, "globaldata"), .at(time, "viewinit"), .at(time, "data"), .at(time, "playerready")]
    }

    /// The first play of a view.
    static func start(_ time: Int64) -> [Scenario.Expected] {
        [.at(time, "viewstart", ["player_is_paused": .bool(false)]), .at(time, "beacon"), .at(time, "play")]
    }

    /// The end of a view that had started.
    static func end(_ time: Int64, _ metrics: [String: PlainValue] = [:]) -> [Scenario.Expected] {
        [.at(time, "viewend"), .at(time, "beacon"), .at(time, "viewmetrics", metrics)]
    }
}
