internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

struct PlayerRequest {
    let arguments: CommandLineArguments
    let source: String
    let playlist: Playlist

    init(_ arguments: CommandLineArguments) throws(UsageError) {
        self.arguments = arguments
        source = arguments.operands.first ?? ""
        let endsWithError = arguments[PlayerSyntax.untilError]
        let times = arguments[PlayerSyntax.repetitions]
        playlist = Playlist(
            arguments.operands,
            times: endsWithError && times == nil ? nil : times ?? 1,
            endsWithError: endsWithError
        )
        if arguments.operands.isEmpty, !listsPlugins, !explains { throw .missingArgument("SOURCE") }
        if arguments.isGiven(HostSettings.control), players > 1 {
            throw .badValue(
                option: "--players",
                value: String(players),
                expected: "1 with --control: a control socket commands one player"
            )
        }
        if let operand = arguments.operands.first, listsPlugins { throw .unexpectedArgument(operand, limit: 0) }
    }

    var listsPlugins: Bool { arguments[HostSettings.listPlugins] }
    var explains: Bool { arguments[HostSettings.explain] }
    var quiet: Bool { arguments[HostSettings.quiet] }
    var json: Bool { arguments[HostSettings.json] }
    var scriptPath: String? { arguments[PlayerSyntax.script] }
    var chaptersPath: String? { arguments[PlayerSyntax.chapters] }
    /// Where the document of the ads is, a file or an address.
    var adsLocation: String? { arguments[PlayerSyntax.ads] }
    var sources: [String] { arguments.operands }
    var expectations: [Expectation] { arguments[PlayerSyntax.expect] }
    /// Where the outcome goes as JUnit's XML.
    var junitPath: String? { arguments[PlayerSyntax.junit] }
    /// When the run ends, seconds after its start.
    var duration: Double? { arguments[PlayerSyntax.duration] }
    /// How many players there are, each with a run of its own.
    var players: Int { arguments[PlayerSyntax.players] }
    /// How much later than the one before each of them starts, ms.
    var staggerMs: Int64 { Int64(arguments[PlayerSyntax.stagger]) }

    /// The ads that are put in; nil for none.
    func ads(_ settings: JSONObject) -> AdOptions {
        AdOptions(
            location: adsLocation,
            isTracking: arguments[PlayerSyntax.vastTracking],
            timeoutMs: Self.milliseconds(arguments[PlayerSyntax.adTimeout, in: settings]),
            maxBitrate: arguments[PlayerSyntax.maxBitrate, in: settings].map { Int64($0) }
        )
    }

    /// Whether the archive gets an index.
    func writesIndex(_ settings: JSONObject) -> Bool { arguments[PlayerSyntax.indexes, in: settings] }

    func retries(_ settings: JSONObject) -> SourceRetries {
        SourceRetries(
            limit: arguments[PlayerSyntax.retries, in: settings],
            delayMs: Self.milliseconds(arguments[PlayerSyntax.retryDelay, in: settings])
        )
    }

    /// Where an output goes; the command line goes before the configuration.
    func path(_ setting: Setting<String?>, in configuration: HostConfiguration) -> String? {
        arguments[setting] ?? configuration[setting]
    }

    /// Whether the command line lets commands come, which may want plugins that nobody has configured.
    var takesCommands: Bool { arguments.isGiven(HostSettings.control) || scriptPath != nil }

    /// What kind of stream the source is said to be.
    func streamType(_ settings: JSONObject) -> AssetType? { arguments[PlayerSyntax.streamType, in: settings] }

    func engine(_ settings: JSONObject) -> EngineConfiguration {
        var engine = EngineConfiguration()
        engine.bufferMs = Self.milliseconds(arguments[PlayerSyntax.buffer, in: settings])
        engine.resumeMs = Self.milliseconds(arguments[PlayerSyntax.resume, in: settings])
        if let limit = arguments[PlayerSyntax.loadTimeout, in: settings].map(Self.milliseconds) {
            engine.loadTimeoutMs = limit
            engine.fileLoadTimeoutMs = limit
        }
        engine.stallTimeoutMs = Self.milliseconds(arguments[PlayerSyntax.stallTimeout, in: settings])
        engine.networkTimeoutSeconds = arguments[PlayerSyntax.networkTimeout, in: settings]
        engine.networkRetries = arguments[PlayerSyntax.networkRetries, in: settings]
        engine.maxBitrate = arguments[PlayerSyntax.maxBitrate, in: settings].map { Int64($0) }
        engine.decodes = arguments[PlayerSyntax.decodes, in: settings]
        engine.startMs = arguments[PlayerSyntax.start, in: settings].map(Self.milliseconds)
        engine.audio = arguments[PlayerSyntax.audio, in: settings]
        engine.subtitles = arguments[PlayerSyntax.subtitles, in: settings]
        engine.requests = requests(settings)
        return engine
    }

    /// What requests carry, and which servers they trust.
    func requests(_ settings: JSONObject) -> RequestSettings {
        var requests = RequestSettings()
        requests.userAgent = arguments[PlayerSyntax.userAgent, in: settings]
        requests.headers = arguments[PlayerSyntax.headers, in: settings]
        requests.cookies = arguments[PlayerSyntax.cookies, in: settings]
        requests.certificatesPath = arguments[PlayerSyntax.certificates, in: settings]
        requests.isInsecure = arguments[PlayerSyntax.insecure, in: settings]
        requests.cmcd.form = arguments[PlayerSyntax.cmcd, in: settings]
        requests.cmcd.version = arguments[PlayerSyntax.cmcdVersion, in: settings]
        return requests
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1000) }
}
