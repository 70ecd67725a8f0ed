package import EventModel
package import PluginABI

/// The one piece of code that knows the player's state: live and in replay.
///
/// It takes events with what the player reported, judges whether an event is legal where it stands, and writes the
/// state that trackers see. It repairs nothing.
package struct PlayerStateMachine {
    /// What is known; playhead members are filled in by ``write(to:at:)``.
    private var known = tally_state()
    private var estimate = PlayheadEstimate()
    private var moving = false
    /// Whether the last event has ended an ad and the player has said with it where in the ad it stood.
    private var knowsEndOfAd = false
    /// Whether playback is paused only because the playback rate is 0: no track call has said so.
    private var isPausedByRate = false
    /// Whether the playhead has moved by itself though no track call has said that playback goes on, or no longer does.
    private var movesUntold = false

    /// Begins with nothing known.
    package init() {
        known.struct_size = UInt32(MemoryLayout<tally_state>.size)
        known.rate_milli = 1000
        known.ad_playhead_ms = -1
    }

    /// Bits `TALLY_STATE_...` as they are now.
    package var flags: UInt32 {
        known.flags
    }

    /// Whether a session is open.
    package var isInSession: Bool {
        has(TALLY_STATE_IN_SESSION)
    }

    /// Whether the player said that it plays, and not that it is paused or over.
    var isPlaying: Bool { isInSession && has(TALLY_STATE_PLAYING) }

    /// What the playback rate says and no track call has said; nil when that is nothing.
    ///
    /// Playback that would go on stands at a rate of 0, which is a pause. What paused by nothing else goes on at any
    /// other rate. A seek or a wait for data holds playback anyway, and some players set the rate to 0 for it.
    package var impliedEvent: EventType? {
        let stands = known.rate_milli == 0
        if isPausedByRate { return stands ? nil : .play }
        guard stands, isInSession, has(TALLY_STATE_PLAYING) || movesUntold else { return nil }
        return has(TALLY_STATE_SEEKING) || has(TALLY_STATE_BUFFERING) ? nil : .pause
    }

    /// Writes the state at a time that is not before the last event's.
    package func write(to target: UnsafeMutablePointer<tally_state>, at time: Int64) {
        unsafe target.pointee = known
        guard known.known & TALLY_KNOWN_PLAYHEAD != 0 else { return }
        unsafe target.pointee.playhead_ms = estimate.value(at: time) / 1000
        unsafe target.pointee.reported_playhead_ms = estimate.reportedMilliseconds
        unsafe target.pointee.reported_age_us = estimate.age(at: time)
    }

    /// Takes an event with what the player reported at it; an implicit one was inserted by the core.
    ///
    /// - Returns: whether the event is legal after the ones before it.
    package mutating func apply(
        _ type: EventType,
        isImplicit: Bool = false,
        report: UnsafePointer<tally_state>,
        at time: Int64
    ) -> Bool {
        let legal = isLegal(type)
        prepare(type, at: time)
        unsafe merge(report, at: time, jump: has(TALLY_STATE_SEEKING) || type == .videoLoad)
        follow(type, isImplicit: isImplicit, tellsAdPlace: unsafe report.pointee.known & TALLY_KNOWN_AD_PLAYHEAD != 0)
        updateEstimate(at: time)
        return legal
    }

    /// Forgets the place in an ad that the last event has ended, after the event's own state was written.
    package mutating func forgetEndedAd() {
        guard knowsEndOfAd else { return }
        knowsEndOfAd = false
        known.ad_playhead_ms = -1
    }

    /// Ends the session after its unload was delivered: what belongs to the video is forgotten.
    package mutating func endSession(at time: Int64) {
        forgetVideo(at: time)
        known.flags &= ~Self.sessionFlags
        updateEstimate(at: time)
    }

    /// The machine goes to sleep: the playhead stands until it is reported again.
    package mutating func suspend(at time: Int64) {
        estimate.stand(at: time)
    }

    // MARK: - Flags

    private static let sessionFlags: UInt32 =
        TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_PAUSED | TALLY_STATE_SEEKING
        | TALLY_STATE_BUFFERING | TALLY_STATE_IN_AD_BREAK | TALLY_STATE_IN_AD | TALLY_STATE_IN_CHAPTER
        | TALLY_STATE_STARTED | TALLY_STATE_ENDED | TALLY_STATE_LIVE | TALLY_STATE_AUDIO_ONLY

    /// What a track call has said of whether playback goes on.
    private static let told: UInt32 = TALLY_STATE_PLAYING | TALLY_STATE_PAUSED | TALLY_STATE_ENDED

    /// What belongs to the player and not to the video outlasts a session.
    private static let playerMembers: UInt32 =
        TALLY_KNOWN_VOLUME | TALLY_KNOWN_RATE | TALLY_KNOWN_PLAYER_SIZE | TALLY_KNOWN_MUTED | TALLY_KNOWN_FULLSCREEN

    private func has(_ flag: UInt32) -> Bool {
        known.flags & flag != 0
    }

    private mutating func set(_ flag: UInt32, _ on: Bool) {
        known.flags = on ? known.flags | flag : known.flags & ~flag
    }

    private mutating func forgetVideo(at time: Int64) {
        let old = known
        known = tally_state()
        known.struct_size = old.struct_size
        known.flags = old.flags
        known.known = old.known & Self.playerMembers
        known.rate_milli = old.rate_milli
        known.volume_milli = old.volume_milli
        known.player_width = old.player_width
        known.player_height = old.player_height
        known.ad_playhead_ms = -1
        estimate.reset(at: time)
        moving = false
        movesUntold = false
        isPausedByRate = false
    }

    // MARK: - Legality

    private func isLegal(_ type: EventType) -> Bool {
        switch type {
        case .videoLoad: return true
        case .play: return isInSession && !has(TALLY_STATE_PLAYING) && !has(TALLY_STATE_ENDED)
        case .pause: return isInSession && (!has(TALLY_STATE_PAUSED) || isPausedByRate) && !has(TALLY_STATE_ENDED)
        case .firstFrame: return isInSession && !has(TALLY_STATE_STARTED)
        case .complete: return isInSession && !has(TALLY_STATE_ENDED)
        case .seekStart: return isInSession
        case .seekComplete: return has(TALLY_STATE_SEEKING)
        case .bufferStart: return isInSession && !has(TALLY_STATE_BUFFERING)
        case .bufferComplete: return has(TALLY_STATE_BUFFERING)
        case .adBreakStart: return isInSession && !has(TALLY_STATE_IN_AD_BREAK)
        case .adBreakComplete: return has(TALLY_STATE_IN_AD_BREAK)
        case .adStart: return isInSession && !has(TALLY_STATE_IN_AD)
        case .adComplete, .adSkip, .adClick, .adQuartile: return has(TALLY_STATE_IN_AD)
        case .chapterStart: return isInSession && !has(TALLY_STATE_IN_CHAPTER)
        case .chapterComplete, .chapterSkip: return has(TALLY_STATE_IN_CHAPTER)
        case .interruptionStart: return !has(TALLY_STATE_INTERRUPTED)
        case .interruptionEnd: return has(TALLY_STATE_INTERRUPTED)
        case .videoUnload, .renditionChange, .qualitySample, .playheadSample, .adError, .metadataChange:
            return isInSession
        default: return true
        }
    }

    // MARK: - What an event changes

    private mutating func prepare(_ type: EventType, at time: Int64) {
        switch type {
        case .videoLoad:
            forgetVideo(at: time)
            known.flags = known.flags & ~Self.sessionFlags | TALLY_STATE_IN_SESSION
        case .seekStart: set(TALLY_STATE_SEEKING, true)
        default: break
        }
    }

    private mutating func follow(_ type: EventType, isImplicit: Bool, tellsAdPlace: Bool) {
        if type == .play || type == .pause || type == .complete {
            isPausedByRate = type == .pause && isImplicit
            movesUntold = false
        }
        switch type {
        case .play:
            set(TALLY_STATE_PLAYING, true)
            set(TALLY_STATE_PAUSED, false)
        case .pause:
            set(TALLY_STATE_PLAYING, false)
            set(TALLY_STATE_PAUSED, true)
        case .firstFrame: set(TALLY_STATE_STARTED, true)
        case .complete:
            set(TALLY_STATE_PLAYING, false)
            set(TALLY_STATE_ENDED, true)
        case .seekComplete: set(TALLY_STATE_SEEKING, false)
        case .bufferStart: set(TALLY_STATE_BUFFERING, true)
        case .bufferComplete: set(TALLY_STATE_BUFFERING, false)
        case .adBreakStart: set(TALLY_STATE_IN_AD_BREAK, true)
        case .adBreakComplete:
            set(TALLY_STATE_IN_AD_BREAK, false)
            leaveAd(tellsPlace: tellsAdPlace)
        case .adStart: set(TALLY_STATE_IN_AD, true)
        case .adComplete, .adSkip: leaveAd(tellsPlace: tellsAdPlace)
        case .chapterStart: set(TALLY_STATE_IN_CHAPTER, true)
        case .chapterComplete, .chapterSkip: set(TALLY_STATE_IN_CHAPTER, false)
        case .interruptionStart: set(TALLY_STATE_INTERRUPTED, true)
        case .interruptionEnd: set(TALLY_STATE_INTERRUPTED, false)
        case .applicationBackground: set(TALLY_STATE_BACKGROUND, true)
        case .applicationForeground: set(TALLY_STATE_BACKGROUND, false)
        default: break
        }
    }

    /// Where an ad ended is a place in it, too: what the player reports with the end holds for that event.
    ///
    /// Archives of before have -1 as reported there, whatever rules they follow, and replay as they were.
    private mutating func leaveAd(tellsPlace: Bool) {
        knowsEndOfAd = tellsPlace && has(TALLY_STATE_IN_AD)
        set(TALLY_STATE_IN_AD, false)
        if !knowsEndOfAd { known.ad_playhead_ms = -1 }
    }

    private mutating func updateEstimate(at time: Int64) {
        let halting =
            TALLY_STATE_PAUSED | TALLY_STATE_SEEKING | TALLY_STATE_BUFFERING | TALLY_STATE_IN_AD
            | TALLY_STATE_ENDED | TALLY_STATE_INTERRUPTED
        let started = has(TALLY_STATE_STARTED) || moving
        let advancing = isInSession && has(TALLY_STATE_PLAYING) && started && known.flags & halting == 0
        estimate.set(advancing: advancing, rateMilli: known.rate_milli, at: time)
    }

    // MARK: - What the player reports

    private mutating func merge(_ report: UnsafePointer<tally_state>, at time: Int64, jump: Bool) {
        let members = unsafe report.pointee.known
        let wasReported = known.known & TALLY_KNOWN_PLAYHEAD != 0
        known.known |= members
        if members & TALLY_KNOWN_PLAYHEAD != 0 {
            // A player that tells of no first frame is taken to play once its playhead has moved by itself.
            let playhead = unsafe report.pointee.playhead_ms
            let moved = wasReported && !jump && playhead > estimate.reportedMilliseconds
            moving = moving || has(TALLY_STATE_PLAYING) && moved
            if moved, known.flags & Self.told == 0, known.rate_milli != 0 { movesUntold = true }
            estimate.report(playhead, at: time, jump: jump)
            // Most samples say nothing else.
            if members == TALLY_KNOWN_PLAYHEAD { return }
        }
        let report = unsafe report.pointee
        if members & TALLY_KNOWN_AD_PLAYHEAD != 0 { known.ad_playhead_ms = report.ad_playhead_ms }
        if members & TALLY_KNOWN_LIVE_WALL != 0 { known.live_wall_ms = report.live_wall_ms }
        if members & TALLY_KNOWN_DURATION != 0 { known.duration_ms = report.duration_ms }
        if members & TALLY_KNOWN_BITRATE != 0 { known.bitrate_bps = report.bitrate_bps }
        if members & TALLY_KNOWN_THROUGHPUT != 0 { known.throughput_bps = report.throughput_bps }
        if members & TALLY_KNOWN_DROPPED != 0 { known.dropped_frames = report.dropped_frames }
        if members & TALLY_KNOWN_RENDERED != 0 { known.rendered_frames = report.rendered_frames }
        if members & TALLY_KNOWN_FPS != 0 { known.fps_milli = report.fps_milli }
        if members & TALLY_KNOWN_SIZE != 0 {
            known.width = report.width
            known.height = report.height
        }
        if members & TALLY_KNOWN_VOLUME != 0 { known.volume_milli = report.volume_milli }
        if members & TALLY_KNOWN_RATE != 0 { known.rate_milli = report.rate_milli }
        if members & TALLY_KNOWN_PLAYER_SIZE != 0 {
            known.player_width = report.player_width
            known.player_height = report.player_height
        }
        for (member, flag, _) in StateMembers.flagMembers where members & member != 0 {
            set(flag, report.flags & flag != 0)
        }
    }

    /// Takes from a report all that is known already, but never the playhead: that it was reported again counts.
    package func strip(_ report: UnsafeMutablePointer<tally_state>) {
        let members = unsafe report.pointee.known
        guard members & ~TALLY_KNOWN_PLAYHEAD != 0 else { return }
        var same: UInt32 = 0
        if unsafe report.pointee.ad_playhead_ms == known.ad_playhead_ms { same |= TALLY_KNOWN_AD_PLAYHEAD }
        if unsafe report.pointee.live_wall_ms == known.live_wall_ms { same |= TALLY_KNOWN_LIVE_WALL }
        if unsafe report.pointee.duration_ms == known.duration_ms { same |= TALLY_KNOWN_DURATION }
        if unsafe report.pointee.bitrate_bps == known.bitrate_bps { same |= TALLY_KNOWN_BITRATE }
        if unsafe report.pointee.throughput_bps == known.throughput_bps { same |= TALLY_KNOWN_THROUGHPUT }
        if unsafe report.pointee.dropped_frames == known.dropped_frames { same |= TALLY_KNOWN_DROPPED }
        if unsafe report.pointee.rendered_frames == known.rendered_frames { same |= TALLY_KNOWN_RENDERED }
        if unsafe report.pointee.fps_milli == known.fps_milli { same |= TALLY_KNOWN_FPS }
        if unsafe report.pointee.width == known.width && report.pointee.height == known.height {
            same |= TALLY_KNOWN_SIZE
        }
        if unsafe report.pointee.volume_milli == known.volume_milli { same |= TALLY_KNOWN_VOLUME }
        if unsafe report.pointee.rate_milli == known.rate_milli { same |= TALLY_KNOWN_RATE }
        if unsafe report.pointee.player_width == known.player_width,
            unsafe report.pointee.player_height == known.player_height
        {
            same |= TALLY_KNOWN_PLAYER_SIZE
        }
        for (member, flag, _) in StateMembers.flagMembers
        where unsafe report.pointee.flags & flag == known.flags & flag {
            same |= member
        }
        unsafe report.pointee.known = members & ~(same & known.known)
    }
}
