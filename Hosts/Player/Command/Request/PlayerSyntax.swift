package import HostSupport
internal import TextEncoding

/// What the command line and the configuration may say.
package enum PlayerSyntax {
    static let streamTypes = ["vod", "live", "linear"]
    /// How many seconds a reporter may take nothing at the end.
    static let patience = 10
    /// How many seconds a run may be given, a year: in nanoseconds that is far from what an integer holds.
    static let longestDuration = 31_536_000.0
    /// How many seconds a player may wait for anything.
    static let longestDelay = 86_400.0

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
        options: own + PluginOptions.all,
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

    private static let own = [
        CommandLineOption(
            "archive",
            short: "a",
            value: "FILE",
            section: "Player",
            help: "Record the run to this file."
        ),
        CommandLineOption(
            "script",
            short: "s",
            value: "FILE",
            section: "Player",
            help: "Run the commands of this file at their times: pause, seek, rate and others."
        ),
        CommandLineOption(
            "control",
            value: "PATH",
            section: "Player",
            help: "Take commands on this Unix socket, from the same user; tally-player ctl gives them."
        ),
        CommandLineOption(
            "store",
            value: "FILE",
            section: "Player",
            help: "Keep the trackers' persistent values in this file from run to run."
        ),
        CommandLineOption(
            "ads",
            value: "LOCATION",
            section: "Player",
            help: "Put in the ads of this VMAP or VAST document, a file or an address."
        ),
        CommandLineOption(
            "vast-tracking",
            section: "Player",
            help: "Request the addresses that the ads' documents name for impressions, quartiles, errors and clicks."
        ),
        CommandLineOption(
            "chapters",
            value: "FILE",
            section: "Player",
            help: "Take the chapters from this WebVTT file and not from the media."
        ),
        CommandLineOption(
            "repeat",
            value: "COUNT",
            section: "Player",
            help: "Play all sources so many times."
        ),
        CommandLineOption(
            "until-error",
            section: "Player",
            help: "Play all sources again and again until one fails."
        ),
        CommandLineOption(
            "expect",
            value: "CONDITION",
            isRepeatable: true,
            section: "Player",
            help: "Exit with 1 unless the summary meets a condition such as 'startup_ms < 2000'."
        ),
        CommandLineOption(
            "junit",
            value: "FILE",
            section: "Player",
            help: "Write the outcome to this file as JUnit's XML."
        ),
        CommandLineOption(
            "retry",
            value: "COUNT",
            section: "Player",
            help: "Open a source again, up to so many times, when its server fails."
        ),
        CommandLineOption(
            "retry-delay",
            value: "SECONDS",
            section: "Player",
            help: "Wait so long before a source is opened again, up to 86400; 1 without this option."
        ),
        CommandLineOption(
            "players",
            value: "COUNT",
            section: "Player",
            help: "Play with so many players at once, each with a run and an archive of its own."
        ),
        CommandLineOption(
            "stagger",
            value: "MILLISECONDS",
            section: "Player",
            help: "Start each player so much later than the one before; 100 without this option."
        ),
        CommandLineOption(
            "no-decode",
            section: "Player",
            help: "Take pictures and sound apart and time them without decoding them."
        ),
        CommandLineOption(
            "stream-type",
            value: "TYPE",
            section: "Player",
            help: "Report the source as vod, live or linear; otherwise the player finds out vod and live.",
            choices: streamTypes
        ),
        CommandLineOption(
            "duration",
            value: "SECONDS",
            section: "Player",
            help: "End the run gracefully after so much time, up to a year."
        ),
    ]

    /// The form of the key `player` of the configuration.
    static let settings: JSONObject = [
        "type": "object", "additionalProperties": false,
        "properties": [
            "streamType": ["type": "string", "enum": .array(streamTypes.map { .string($0) })],
            "bufferSeconds": seconds(default: 5),
            "resumeSeconds": seconds(default: 2),
            "loadTimeoutSeconds": ["type": "number", "minimum": 0.1, "maximum": 86_400],
            "stallTimeoutSeconds": seconds(default: 20),
            "adTimeoutSeconds": seconds(default: 5),
            "networkTimeoutSeconds": ["type": "integer", "minimum": 1, "maximum": 3600, "default": 30],
            "networkRetries": ["type": "integer", "minimum": 0, "maximum": 100, "default": 1],
            "decode": ["type": "boolean", "default": true],
            "retries": ["type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0],
            "retryDelaySeconds": ["type": "number", "minimum": 0, "maximum": 86_400, "default": 1],
            "maxBitrate": ["type": "integer", "minimum": 1, "maximum": 4_294_967_295],
        ],
    ]

    private static func seconds(default value: Int64) -> JSONValue {
        ["type": "number", "minimum": 0.1, "maximum": 86_400, "default": .int(value)]
    }
}
