import Coordinator
import EventModel
import PluginABI

extension PlayerStateMachine {
    /// Takes an event with what `report` fills in; gives whether it is legal.
    @discardableResult
    mutating func take(_ type: EventType, at time: Int64 = 0, _ report: (inout tally_state) -> Void = { _ in }) -> Bool
    {
        var state = tally_state()
        report(&state)
        return unsafe withUnsafePointer(to: &state) { state in
            unsafe apply(type, report: state, at: time)
        }
    }

    /// Takes an event at which the player reports where it stands, ms.
    @discardableResult
    mutating func take(_ type: EventType, at time: Int64, playhead: Int64) -> Bool {
        take(type, at: time) { state in
            state.known = TALLY_KNOWN_PLAYHEAD
            state.playhead_ms = playhead
        }
    }

    /// The state that a tracker would see.
    func state(at time: Int64) -> tally_state {
        var state = tally_state()
        unsafe write(to: &state, at: time)
        return state
    }

    /// The estimate that a tracker would see, ms.
    func playhead(at time: Int64) -> Int64 {
        state(at: time).playhead_ms
    }
}
