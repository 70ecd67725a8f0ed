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
        adPlace = nil
        followAd(at: moment)
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
        chapterWasLeftBySeek = false
        let chapter = makeChapter(information, at: moment)
        sendNow(.chapterStart, main, playhead: mainPlayhead(at: moment), chapter: chapter, at: moment)
        enter(chapter, at: moment)
    }

    func chapterComplete(at moment: KeptMoment) {
        guard let chapter else { return leaveNoChapter(.chapterComplete, at: moment) }
        sendNow(.chapterComplete, main, playhead: mainPlayhead(at: moment), chapter: chapter, at: moment)
        enter(nil, at: moment)
    }

    /// Leaves a chapter without saying that it was shown to its end.
    func chapterSkip(at moment: KeptMoment) {
        guard chapter != nil else { return leaveNoChapter(.chapterSkip, at: moment) }
        enter(nil, at: moment)
    }

    /// A player says that a chapter is over when it knows where a seek has led, and the seek has left it already.
    private func leaveNoChapter(_ call: TrackCall, at moment: KeptMoment) {
        guard !chapterWasLeftBySeek else {
            chapterWasLeftBySeek = false
            return
        }
        ignore(call, "no chapter goes on", at: moment)
    }

    /// Puts what playback stands in when the tracker joins a session that goes on.
    func join(_ landing: Landing, player: PlayerState, at moment: KeptMoment) throws(InvalidInformation) {
        if let (adBreak, ad) = try Self.usable(landing.adBreak, landing.ad) {
            current = makeAd(adBreak, ad, at: moment)
            followAd(at: moment)
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

    // MARK: - The place in an ad

    /// Whether what the player says of the place in the ad matters: 1.4's AdInfo has none.
    var followsAd: Bool { configuration.compatibility == .v131 && current.ad != nil }

    /// Keeps the place in the ad, since it is not known any more when the ad is over.
    func followAd(at moment: KeptMoment) {
        guard followsAd, let place = moment.adPlayheadMilliseconds, place != adPlace?.milliseconds else { return }
        adPlace = (place, moment.time)
    }

    /// The last place in an ad carried forward as a playhead is: for two sample intervals, and not beyond the ad's end.
    func lastPlace(in ad: Ad, at moment: KeptMoment) -> Int64? {
        guard let (place, time) = adPlace else { return nil }
        guard !isPaused, !isSeeking, !isBuffering else { return place }
        let carried = place + min(max(moment.time - time, 0), Self.carriedMicroseconds) / 1000
        return max(place, min(carried, ad.information.length * 1000))
    }

    private static let carriedMicroseconds: Int64 = 500_000

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
