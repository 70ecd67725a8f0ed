internal import PluginABI
internal import PluginKit

// Ads and chapters: parts of a session that have information of their own.
extension HeartbeatSession {
    /// Enters an ad; without information, tracking goes on with the main content.
    ///
    /// Nothing else signals the way between content and ads (Adobe VHL 1.4, "Ad Tracking").
    func adStart(
        _ adBreak: Reading<AdBreakInformation>,
        _ ad: Reading<AdInformation>,
        at moment: KeptMoment
    ) throws(InvalidInformation) {
        guard let (adBreak, ad) = try Self.usable(adBreak, ad) else {
            ignore(
                .adStart(.nothing, .nothing),
                "the delegate knows of no ad or no ad break; the main content is tracked",
                at: moment
            )
            guard current !== main else { return }
            current = main
            return follow(at: moment)
        }
        current = makeAd(adBreak, ad, at: moment)
        append(.start, at: moment)
        follow(at: moment)
    }

    /// Ends an ad that was shown to its end.
    func adComplete(at moment: KeptMoment) {
        guard current !== main else { return ignore(.adComplete, "no ad is shown", at: moment) }
        append(.play, at: moment)
        append(.complete, at: moment)
        current = main
        follow(at: moment)
    }

    /// Leaves an ad without saying that it was shown to its end.
    func leaveAd(_ call: TrackCall, at moment: KeptMoment) {
        guard current !== main else { return ignore(call, "no ad is shown", at: moment) }
        current = main
        follow(at: moment)
    }

    /// Enters a chapter; without information there is none.
    func chapterStart(_ reading: Reading<ChapterInformation>, at moment: KeptMoment) throws(InvalidInformation) {
        guard let information = try Self.usable(reading) else {
            ignore(.chapterStart(.nothing), "the delegate knows of no chapter", at: moment)
            return enter(nil, at: moment)
        }
        let chapter = makeChapter(information, at: moment)
        sendNow(.chapterStart, main, playhead: mainPlayhead(at: moment), chapter: chapter, at: moment)
        enter(chapter, at: moment)
    }

    func chapterComplete(at moment: KeptMoment) {
        guard let chapter else { return ignore(.chapterComplete, "no chapter goes on", at: moment) }
        sendNow(.chapterComplete, main, playhead: mainPlayhead(at: moment), chapter: chapter, at: moment)
        enter(nil, at: moment)
    }

    /// Leaves a chapter without saying that it was shown to its end.
    func chapterSkip(at moment: KeptMoment) {
        guard chapter != nil else { return ignore(.chapterSkip, "no chapter goes on", at: moment) }
        enter(nil, at: moment)
    }

    /// Puts what playback stands in when the tracker joins a session that goes on.
    func join(_ landing: Landing, player: PlayerState, at moment: KeptMoment) throws(InvalidInformation) {
        if let (adBreak, ad) = try Self.usable(landing.adBreak, landing.ad) {
            current = makeAd(adBreak, ad, at: moment)
        }
        if let information = try Self.usable(landing.chapter) { chapter = makeChapter(information, at: moment) }
        resume(player, at: moment)
    }

    /// Changes the chapter; playback that goes on is cut in two there.
    private func enter(_ chapter: Chapter?, at moment: KeptMoment) {
        guard self.chapter !== chapter else { return }
        self.chapter = chapter
        guard timeline.last?.type == .play else { return }
        append(.play, at: moment)
        if configuration.compatibility == .v131 { append(.play, at: moment) }
    }

    // MARK: - Information

    /// What the delegate said of a thing; nil when it said nothing, an error when that cannot be used.
    static func usable<Information>(_ reading: Reading<Information>) throws(InvalidInformation) -> Information? {
        switch reading {
        case .nothing: return nil
        case .known(let information): return information
        case .invalid(let problem): throw problem
        }
    }

    /// Break and ad; nil when the delegate said nothing of one of them.
    static func usable(
        _ adBreak: Reading<AdBreakInformation>,
        _ ad: Reading<AdInformation>
    ) throws(InvalidInformation) -> (AdBreakInformation, AdInformation)? {
        // Without one of them, what is wrong with the other does not matter.
        if case .nothing = adBreak { return nil }
        if case .nothing = ad { return nil }
        guard let adBreak = try usable(adBreak), let ad = try usable(ad) else { return nil }
        return (adBreak, ad)
    }
}

extension HeartbeatSession {
    /// Takes over what the player does when the tracker joins in its midst.
    func resume(_ player: PlayerState, at moment: KeptMoment) {
        isPaused = player.has(TALLY_STATE_PAUSED)
        isSeeking = player.has(TALLY_STATE_SEEKING)
        isBuffering = player.has(TALLY_STATE_BUFFERING)
        hasPlayed = player.hasAny(TALLY_STATE_PLAYING | TALLY_STATE_STARTED)
        guard player.hasAny(TALLY_STATE_PLAYING | TALLY_STATE_PAUSED | TALLY_STATE_SEEKING | TALLY_STATE_BUFFERING)
        else { return }
        follow(at: moment)
    }
}

/// Values of `s:event:source`.
enum ErrorSource {
    /// The tracker itself; 1.4 only.
    static let heartbeat: StaticString = "sourceErrorHeartbeat"

    /// The player.
    static func player(_ compatibility: Compatibility) -> StaticString {
        compatibility == .v14 ? "sourceErrorSDK" : "player"
    }

    /// The application.
    static func application(_ compatibility: Compatibility) -> StaticString {
        compatibility == .v14 ? "sourceErrorExternal" : "application"
    }
}
