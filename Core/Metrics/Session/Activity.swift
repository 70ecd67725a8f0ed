internal import EventModel
internal import PluginABI

/// What goes on in a session from one event to the next.
package enum Activity: Int, CaseIterable, Sendable {
    case ad
    case ended
    case idle
    case starting
    case seeking
    case paused
    case interrupted
    case playing
    case rebuffering

    /// The first that the state after an event holds for; `wait` is the cause of the wait that began last.
    init(_ state: PlayerState, wait: WaitCause) {
        if state.hasAny(TALLY_STATE_IN_AD | TALLY_STATE_IN_AD_BREAK) {
            self = .ad
            return
        }
        let wantsToPlay = state.has(TALLY_STATE_PLAYING)
        if state.has(TALLY_STATE_ENDED), !wantsToPlay {
            self = .ended
        } else if !state.has(TALLY_STATE_STARTED) {
            self = wantsToPlay ? .starting : .idle
        } else if state.has(TALLY_STATE_SEEKING) {
            self = .seeking
        } else if !wantsToPlay {
            self = .paused
        } else if state.has(TALLY_STATE_INTERRUPTED) {
            self = .interrupted
        } else if !state.has(TALLY_STATE_BUFFERING) {
            self = .playing
        } else {
            switch wait {
            case .seek: self = .seeking
            case .initial: self = .starting
            case .stall: self = .rebuffering
            }
        }
    }
}

/// Why a player waits for data, as far as it matters to what the wait counts as.
enum WaitCause {
    case initial
    case seek
    /// Any other cause, and none.
    case stall

    init(_ cause: UTF8Text?) {
        switch cause {
        case let cause? where cause == "initial": self = .initial
        case let cause? where cause == "seek": self = .seek
        default: self = .stall
        }
    }
}
