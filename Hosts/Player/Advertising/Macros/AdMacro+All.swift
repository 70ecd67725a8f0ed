extension AdMacro {
    /// All macros of the standard (VAST 4.3, 6, with the Tech Lab's list of VAST 4.x), and those of VMAP 1.0.1, 2.5.
    ///
    /// docs/player.md has them as a table, and `DocumentationTests` compares the two.
    package static let all: [AdMacro] = generic + adBreak + client + capabilities + state + ofOneUse + notKnown

    private static let generic = [
        AdMacro("TIMESTAMP", .everywhere, "the time in UTC, with milliseconds") { .known($0.timestamp) },
        AdMacro("CACHEBUSTING", .everywhere, "eight random digits, anew in each address") { _ in
            .known(Int.random(in: 10_000_000...99_999_999))
        },
        AdMacro("TRANSACTIONID", .everywhere, "a UUID, one for all ads of a source") { .known($0.transactionID) },
    ]

    private static let adBreak = [
        AdMacro("CONTENTPLAYHEAD", .everywhere, "the place in the main content") { .time($0.contentMs) },
        AdMacro("MEDIAPLAYHEAD", .everywhere, "the place in the main content") { .time($0.contentMs) },
        AdMacro("BREAKPOSITION", .everywhere, "1, 2 or 3: before, within or behind the main content") {
            .known($0.breakType.map { ["pre": 1, "mid": 2, "post": 3][$0] ?? 0 })
        },
        AdMacro("BREAKMAXADS", .everywhere, "how many ads the break has room for") { .known($0.maxAds) },
        AdMacro("BREAKMAXDURATION", .everywhere, "the limit of an interstitial, in seconds") { .known($0.maxSeconds) },
        AdMacro("ADCOUNT", .everywhere, "in requests 1 when the break is for one ad; else the ads begun in the break") {
            if $0.use == .request { return $0.maxAds == 1 ? .known(1) : .unknown }
            return .known($0.adCount)
        },
        AdMacro("BLOCKEDADCATEGORIES", .requests, "what the wrappers around block") {
            $0.blockedCategories.isEmpty ? .unknown : .list($0.blockedCategories)
        },
        AdMacro("PLACEMENTTYPE", .everywhere, "1, in the stream") { _ in .known(1) },
        AdMacro("ADTYPE", .tracking, "what the ad says: `video`, `audio` or `hybrid`") { .known($0.ad?.type) },
        AdMacro("UNIVERSALADID", .tracking, "registry and identifier of the creative") { moment in
            guard let ids = moment.ad?.universalIDs, !ids.isEmpty else { return .unknown }
            return .list(ids.map { $0.registry + " " + $0.value })
        },
    ]

    private static let client = [
        AdMacro("CLIENTUA", .everywhere, "`tally-player/` and its version") { .known($0.player) },
        AdMacro("DEVICEUA", .everywhere, "`tally-player`, as in its requests") { .known($0.userAgent) },
        AdMacro("SERVERSIDE", .everywhere, "0, the player itself asks") { _ in .known(0) },
        AdMacro("DEVICEIP", .everywhere, "-2: whoever is asked sees it") { _ in .withheld },
    ]

    private static let capabilities = [
        // Creative subtypes of AdCOM 1.0: VAST 2 to 4.3, each with its wrappers.
        AdMacro("VASTVERSIONS", .requests, "2.0 to 4.3 as numbers of AdCOM") { _ in
            .list([2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16].map { "\($0)" })
        },
        AdMacro("MEDIAMIME", .requests, "the types that can be played") { _ in .list(MediaFile.playableTypes) },
        AdMacro("PLAYERCAPABILITIES", .everywhere, "all but `icon`") { _ in
            .list(["skip", "mute", "autoplay", "mautoplay", "fullscreen"])
        },
        AdMacro("CLICKTYPE", .everywhere, "1, clicks anywhere") { _ in .known(1) },
        AdMacro("DSAPUBRENDER", .requests, "1, nothing can be rendered") { _ in .known(1) },
    ]

    private static let state = [
        AdMacro("PLAYERSTATE", .tracking, "`muted`, `fullscreen`, both or nothing") { moment in
            .list((moment.isMuted ? ["muted"] : []) + (moment.isFullscreen ? ["fullscreen"] : []))
        },
        AdMacro("INVENTORYSTATE", .everywhere, "`skippable` for such an ad; `autoplayed`, or `mautoplayed` when muted")
        {
            moment in
            .list((moment.ad?.skipOffset == nil ? [] : ["skippable"]) + [moment.isMuted ? "mautoplayed" : "autoplayed"])
        },
        AdMacro("PLAYBACKMETHODS", .everywhere, "1, begins by itself, or 2 when muted") { .known($0.isMuted ? 2 : 1) },
        AdMacro("PLAYERSIZE", .everywhere, "the size that a command gave") { moment in
            moment.playerSize.map { .list(["\($0.width)", "\($0.height)"]) } ?? .unknown
        },
        AdMacro("ADPLAYHEAD", .tracking, "the place in the ad") { .time($0.adMs) },
        AdMacro("ASSETURI", .tracking, "the ad's media file; -2 for a file of this machine") {
            .location($0.ad?.location)
        },
        AdMacro("CONTENTURI", .everywhere, "the source's address; -2 for a file of this machine") {
            .location($0.content)
        },
        AdMacro("PODSEQUENCE", .tracking, "the ad's `sequence`") { .known($0.ad?.sequence) },
        AdMacro("ADSERVINGID", .tracking, "the ad's `AdServingId`") { .known($0.ad?.servingID) },
    ]

    private static let ofOneUse = [
        AdMacro("ERRORCODE", .errors, "the error's number in VAST") {
            if case .error(let vast, _, _) = $0.use { .known(vast) } else { .unknown }
        },
        AdMacro("ERROR_CODE", .errors, "the error's number in VMAP") {
            if case .error(_, let vmap, _) = $0.use { .known(vmap) } else { .unknown }
        },
        AdMacro("ERROR_MESSAGE", .errors, "the error in words") {
            if case .error(_, _, let message) = $0.use { .known(message) } else { .unknown }
        },
        AdMacro("REASON", .verification, "2, not supported") {
            if case .notVerified(let reason) = $0.use { .known(reason) } else { .unknown }
        },
        // There is no pointer.
        AdMacro("CLICKPOS", .clicks, "-1, there is no pointer") { _ in .unknown },
    ]

    private static let notKnown = [
        "ADCATEGORIES", "BREAKMINADLENGTH", "BREAKMAXADLENGTH", "IFA", "IFATYPE", "SERVERUA", "LATLONG", "DOMAIN",
        "PAGEURL", "APPBUNDLE", "STOREID", "STOREURL", "APIFRAMEWORKS", "EXTENSIONS", "VERIFICATIONVENDORS",
        "OMIDPARTNER", "CONTENTID", "CONTENTCAT", "LIMITADTRACKING", "REGULATIONS", "GDPRCONSENT", "GPPSTRING",
        "GPPSECTIONID", "DSAREQUIRED", "DSAPARAMS",
    ].map(AdMacro.init(unknown:))
}

extension AdMacro.Value {
    fileprivate static func time(_ milliseconds: Int64?) -> Self {
        .known(milliseconds.map { AdTime.text(milliseconds: $0) })
    }
}
