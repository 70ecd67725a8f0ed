internal import PluginKit

/// A load of which the player has not said yet all that is mandatory, with what came since.
///
/// It counts the seconds of wanted playback as the session will, so that a quantum that ends while the load waits is
/// recorded with where playback stood then.
struct HeldLoad {
    let moment: KeptMoment
    /// What is known of the video so far.
    var video: VideoInformation
    var missing: InvalidInformation
    private(set) var steps: [WaitingStep] = []
    private(set) var clock: QuantumClock
    private var isPaused = false
    private var isSeeking = false

    /// Something that waits for the session.
    struct WaitingStep {
        /// What happened.
        let step: Step
        /// When it was.
        let moment: KeptMoment

        enum Step {
            case call(TrackCall)
            case quantumEnd
            case sleep(Sleep)
        }
    }

    /// How long is waited for it, us: longer than any player loads.
    private static let patience: Int64 = 30_000_000
    /// How long the machine slept meanwhile, us.
    private var slept: Int64 = 0
    private static let mostSteps = 1_000

    init(_ video: VideoInformation, missing: InvalidInformation, interval: Int64, at moment: KeptMoment) {
        self.moment = moment
        self.video = video
        self.missing = missing
        clock = QuantumClock(base: moment.time, interval: interval)
        clock.start(at: moment.time)
    }

    /// When it is given up, us.
    private var end: Int64 { moment.time + slept + Self.patience }

    /// When the timer has to fire next: at a quantum's end, or when the load is given up.
    var deadline: Int64 { min(clock.deadline ?? end, end) }

    /// Whether nothing is waited for any more.
    func isOver(at time: Int64) -> Bool { time >= end }

    /// Keeps a call for later; false when there are too many.
    mutating func hold(_ call: TrackCall, at moment: KeptMoment) -> Bool {
        guard steps.count < Self.mostSteps else { return false }
        steps.append(WaitingStep(step: .call(call), moment: moment))
        switch call {
        case .play: isPaused = false
        case .pause: isPaused = true
        case .seekStart: isSeeking = true
        case .seekComplete: isSeeking = false
        default: return true
        }
        if isPaused || isSeeking {
            // What is due at this very instant goes out behind the halt.
            if clock.stop(at: moment.time) { steps.append(WaitingStep(step: .quantumEnd, moment: moment)) }
        } else {
            clock.start(at: moment.time)
        }
        return true
    }

    /// Records that a quantum ends, if one does.
    mutating func endQuantum(at moment: KeptMoment) {
        guard clock.deadline == moment.time else { return }
        clock.count(until: moment.time)
        steps.append(WaitingStep(step: .quantumEnd, moment: moment))
    }

    /// Lets a sleep of the machine pass, which is no waiting.
    mutating func pass(_ sleep: Sleep) {
        slept += sleep.length
        clock.pass(sleep)
        steps.append(WaitingStep(step: .sleep(sleep), moment: sleep.begin))
    }

    /// Quanta have another length from now on, s.
    mutating func setInterval(_ interval: Int64, at time: Int64) {
        clock.count(until: time)
        clock.interval = interval
    }
}
