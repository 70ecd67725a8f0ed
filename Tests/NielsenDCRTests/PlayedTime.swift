import TallyTesting

/// How long anything can have played in a sequence: worked out from its actions alone, not by the tracker's rules.
enum PlayedTime {
    /// Microseconds in which a session was open, and the player neither paused, buffering, seeking nor interrupted.
    ///
    /// The background interrupts a player with a picture alone.
    static func upperBound(of sequence: PlayingSequence, isAudioOnly: Bool) -> Int64 {
        var played: Int64 = 0
        var isOpen = false
        var paused = false
        var buffering = false
        var seeking = false
        var interrupted = false
        var background = false
        for step in sequence.steps {
            if isOpen, !paused, !buffering, !seeking, !interrupted, !background {
                played += step.wait
            }
            switch step.action {
            case .load: (isOpen, paused, buffering, seeking) = (true, false, false, false)
            case .unload: (isOpen, paused, buffering, seeking) = (false, false, false, false)
            case .play: paused = paused && !isOpen
            case .pause: paused = true
            case .bufferStart: buffering = true
            case .bufferComplete: buffering = false
            case .seekStart: seeking = true
            case .seekComplete: seeking = false
            case .interruptionStart: interrupted = true
            case .interruptionEnd: interrupted = false
            case .background: background = !isAudioOnly
            case .foreground: background = false
            default: break
            }
        }
        return played
    }
}
