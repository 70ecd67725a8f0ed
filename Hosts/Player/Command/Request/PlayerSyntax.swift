package import HostSupport
internal import PlaybackEngine
internal import Tally

/// What the command line and the configuration may say.
package enum PlayerSyntax {
    /// How many seconds a reporter may take nothing at the end.
    static let patience = 10

    package static let syntax = CommandLineSyntax(
        program: "tally-player",
        summary: "Plays media without a screen and reports what happens: to trackers, whose output goes to reporters, "
            + "and to an archive that tally-replay can replay.",
        operands: CommandLineSyntax.Operands(
            "SOURCE",
            minimum: 0,
            maximum: 10_000,
            help: "Media files, or addresses of such (http, https, file), of HLS playlists or of DASH manifests (http, "
                + "https), played one after another."
        ),
        commands: [
            ControlCommandLine.syntax(program: "tally-player"), PluginCommandLine.syntax(program: "tally-player"),
        ],
        settings: settings + HostSettings.options,
        commonKeys: HostSettings.keys,
        epilogue: """
            Data goes to standard output, through reporters. Notes, errors and the summary go to standard error. On a
            terminal one line there shows how playback goes, unless the console reporter writes to the same terminal.
            An interrupt (Ctrl-C) or SIGTERM ends the run gracefully, a second interrupt at once. SIGHUP reads the
            configuration file again.
            Exit codes: 0 all is well, 1 a condition of --expect is not met, 64 wrong command line, 65 the source is no
            usable media, 66 no such source, 69 a server does not answer, 73 an output cannot be created, 74 output was
            lost, 75 a plugin failed, 78 wrong configuration or script, 130 second interrupt.

            Examples:
              tally-player film.mp4 --archive run.tally
              tally-player http://127.0.0.1:8080/hls/master.m3u8 --plugins new-relic-video,console
              tally-player film.mp4 --script commands.txt --plugins example-c,jsonlines
              tally-player plugin list
              tally-player ctl --control tally.socket pause
            """
    )

    private static let section = "Player"
    private static let requests = "Requests"

    static let script = Setting(
        "script",
        short: "s",
        .text("FILE"),
        in: section,
        "Run the commands of this file at their times: pause, seek, rate and others.",
        details: "See [scripts](#scripts)."
    )
    static let ads = Setting(
        "ads",
        .text("LOCATION"),
        in: section,
        "Put in the ads of this VMAP or VAST document, a file or an address.",
        details: "See [the player](player.md#ads)."
    )
    static let vastTracking = Setting(
        flag: "vast-tracking",
        in: section,
        needs: ["ads"],
        "Request the addresses that the ads' documents name for impressions, quartiles, errors and clicks."
    )
    static let indexes = Setting(
        flag: "archive-index",
        key: "player.archiveIndex",
        in: section,
        "Write an index beside the archive when the run is over, with which runs are chosen without reading the others.",
        details: "See [choosing runs](#choosing-runs)."
    )
    static let chapters = Setting(
        "chapters",
        .text("FILE"),
        in: section,
        "Take the chapters from this WebVTT file and not from the media."
    )
    static let repetitions = Setting(
        "repeat",
        .integer("COUNT", 1...1_000_000),
        in: section,
        "Play all sources so many times."
    )
    static let untilError = Setting(
        flag: "until-error",
        in: section,
        "Play all sources again and again until one fails.",
        details: "With `--repeat`, so often at most."
    )
    static let expect = Setting(
        "expect",
        Expectation.form,
        in: section,
        "Exit with 1 unless the summary meets a condition such as 'startup_ms < 2000'."
    ).repeatable()
    static let junit = Setting(
        "junit",
        .text("FILE"),
        in: section,
        "Write the outcome to this file as JUnit's XML.",
        details: "There is a test for the playback, and one for each condition."
    )
    static let retries = Setting(
        "retry",
        .integer("COUNT", 0...1_000_000),
        key: "player.retries",
        in: section,
        "Open a source again, up to so many times, when its server fails."
    ).unlessGiven(0)
    static let retryDelay = Setting(
        "retry-delay",
        .number("SECONDS", 0...86_400),
        key: "player.retryDelaySeconds",
        in: section,
        "Wait so long before a source is opened again."
    ).unlessGiven(1)
    static let players = Setting(
        "players",
        .integer("COUNT", 1...1000),
        in: section,
        "Play with so many players at once, each with a run and an archive of its own.",
        details: "See [many players](#many-players)."
    ).unlessGiven(1)
    static let stagger = Setting(
        "stagger",
        .integer("MILLISECONDS", 0...3_600_000),
        in: section,
        "Start each player so much later than the one before."
    ).unlessGiven(100)
    static let decodes = Setting(
        flag: "no-decode",
        says: false,
        key: "player.decode",
        in: section,
        "Take pictures and sound apart and time them without decoding them."
    )
    static let streamType = Setting(
        "stream-type",
        .word("TYPE", of: [AssetType.vod, .live, .linear]),
        key: "player.streamType",
        in: section,
        "Report the source as vod, live or linear; otherwise the player finds out vod and live."
    )
    static let start = Setting(
        "start",
        .number("SECONDS", -31_536_000...31_536_000),
        key: "player.startSeconds",
        in: section,
        "Begin each source at this place; a negative one counts from its end.",
        details: "Goes before what an HLS playlist says in `EXT-X-START`."
    )
    static let audio = Setting(
        "audio-language",
        TrackForm.sound,
        key: "player.audioLanguage",
        in: section,
        "Play the sound of this language, such as de, or of this number from 1 on."
    )
    static let subtitles = Setting(
        "subtitle-language",
        TrackForm.subtitles,
        key: "player.subtitleLanguage",
        in: section,
        "Choose the subtitles of this language, such as de, or of this number from 1 on, or none with off.",
        details: "See [the player](player.md#rules)."
    )
    static let duration = Setting(
        "duration",
        .number("SECONDS", 0...31_536_000),
        in: section,
        "End the run gracefully after so much time since its start, a year at most."
    )

    static let buffer = seconds("bufferSeconds", "The most media that an adaptive stream keeps ahead.").unlessGiven(30)
    static let resume = seconds("resumeSeconds", "How much is buffered before playback starts or goes on.").unlessGiven(
        2
    )
    static let loadTimeout = seconds(
        "loadTimeoutSeconds",
        "The longest time from the load to the first picture; 20, for a file 8 unless given."
    )
    static let stallTimeout = seconds("stallTimeoutSeconds", "The longest time without progress.").unlessGiven(20)
    static let adTimeout = seconds("adTimeoutSeconds", "The longest wait for an ad's document or creative.")
        .unlessGiven(5)
    static let networkTimeout = Setting(
        nil,
        .integer("SECONDS", 1...3600),
        key: "player.networkTimeoutSeconds",
        "The longest silence of a connection."
    ).unlessGiven(30)
    static let networkRetries = Setting(
        nil,
        .integer("COUNT", 0...100),
        key: "player.networkRetries",
        "How often a failed request for a progressive file is repeated."
    ).unlessGiven(1)
    static let maxBitrate = Setting(
        nil,
        .integer("BITRATE", 1...4_294_967_295),
        key: "player.maxBitrate",
        "A ceiling for renditions and for media files of ads, bit/s; none unless given."
    )

    static let userAgent = Setting(
        "user-agent",
        RequestForm.userAgent,
        key: "player.userAgent",
        in: requests,
        "Call the player so in its requests, to every server."
    )
    static let headers = Setting(
        "header",
        RequestForm.header,
        key: "player.headers",
        in: requests,
        "Send this header with every request.",
        details:
            "`Authorization` and `Cookie` go to the source's server alone. See [requests](player.md#what-requests-carry)."
    ).hiding(RequestForm.hiddenHeader).repeatable()
    static let cookies = Setting(
        "cookie",
        RequestForm.cookie,
        key: "player.cookies",
        in: requests,
        "Send this cookie, or several with semicolons between them, to the source's server."
    ).hiding(RequestForm.hiddenCookie).repeatable()
    static let certificates = Setting(
        "ca",
        .text("FILE"),
        key: "player.certificates",
        in: requests,
        isPath: true,
        "Trust the certificates of this PEM file, in place of those of the system."
    )
    static let insecure = Setting(
        flag: "insecure",
        key: "player.insecure",
        in: requests,
        "Believe every certificate, so that anybody on the way can read and change what is played."
    )

    static let cmcd = Setting(
        "cmcd",
        .word("FORM", of: CMCDSettings.Form.allCases),
        key: "player.cmcd",
        in: requests,
        "Say of the media, the player and its session what Common Media Client Data has: in addresses or in headers.",
        details: "See [CMCD](player.md#cmcd)."
    ).unlessGiven(.off, shown: "off")
    static let cmcdVersion = Setting(
        "cmcd-version",
        .integer("VERSION", 1...2),
        key: "player.cmcdVersion",
        in: requests,
        "The version of what is said."
    ).unlessGiven(1)

    private static func seconds(_ key: String, _ summary: String) -> Setting<Double?> {
        Setting(nil, .number("SECONDS", 0.1...86_400), key: "player." + key, summary)
    }

    /// The settings of the player itself.
    static let settings: [any DeclaredSetting] = [
        HostSettings.archive, indexes, script, HostSettings.control, HostSettings.store, HostSettings.isolate, ads,
        vastTracking, chapters,
        repetitions,
        untilError, expect, junit, retries, retryDelay, players, stagger, decodes, streamType, start, audio, subtitles,
        duration, userAgent, headers, cookies, certificates, insecure, cmcd, cmcdVersion, buffer, resume, loadTimeout,
        stallTimeout,
        adTimeout, networkTimeout,
        networkRetries, maxBitrate,
    ]
}

/// What may stand for a sound or for subtitles.
private enum TrackForm {
    static let sound = form("LANG|N", .sound)
    static let subtitles = form("LANG|N|off", .subtitles)

    private static func form(_ name: String, _ track: TrackName) -> ValueForm<String> {
        ValueForm<String>(name) { text throws(UnfitValue) in
            guard track.fits(text) else { throw UnfitValue(expected: track.expected) }
            return text
        }
    }
}
