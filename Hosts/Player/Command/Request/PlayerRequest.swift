internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

/// What the command line asks for.
struct PlayerRequest {
    let source: String
    let listsPlugins: Bool
    let quiet: Bool
    let json: Bool
    let scriptPath: String?
    let chaptersPath: String?
    /// What is played, and how often.
    let playlist: Playlist
    /// The sources as they were given.
    let sources: [String]
    private let times: Int?
    private let endsWithError: Bool
    /// What the run must meet.
    let expectations: [Expectation]
    /// Where the outcome goes as JUnit's XML.
    let junitPath: String?
    /// When the run ends, seconds after its start.
    let duration: Double?
    let explains: Bool
    /// How many players there are, each with a run of its own.
    let players: Int
    /// How much later than the one before each of them starts, ms.
    let staggerMs: Int64
    private let decodes: Bool
    private let retries: Int?
    private let retryDelay: Double?
    /// Where the document of the ads is, a file or an address.
    let adsLocation: String?
    private let tracksAds: Bool
    private let archivePath: String?
    private let storePath: String?
    private let controlPath: String?
    private let streamType: AssetType?

    init(_ arguments: CommandLineArguments) throws(UsageError) {
        listsPlugins = arguments.isSet("list-plugins")
        quiet = arguments.isSet("quiet")
        adsLocation = arguments.value("ads")
        tracksAds = arguments.isSet("vast-tracking")
        json = arguments.isSet("json")
        explains = arguments.isSet("explain")
        archivePath = arguments.value("archive")
        storePath = arguments.value("store")
        controlPath = arguments.value("control")
        chaptersPath = arguments.value("chapters")
        scriptPath = arguments.value("script")
        duration = try arguments.number("duration", atMost: PlayerSyntax.longestDuration)
        streamType = try arguments.choice("stream-type", of: PlayerSyntax.streamTypes).flatMap(AssetType.init)
        decodes = !arguments.isSet("no-decode")
        retries = try arguments.integer("retry", in: 0...1_000_000)
        retryDelay = try arguments.number("retry-delay", atMost: PlayerSyntax.longestDelay)
        players = try arguments.integer("players", in: 1...1000) ?? 1
        staggerMs = Int64(try arguments.integer("stagger", in: 0...3_600_000) ?? 100)
        source = arguments.operands.first ?? ""
        sources = arguments.operands
        endsWithError = arguments.isSet("until-error")
        times = try arguments.integer("repeat", in: 1...1_000_000)
        playlist = Playlist(
            sources,
            times: endsWithError && times == nil ? nil : times ?? 1,
            endsWithError: endsWithError
        )
        var expectations: [Expectation] = []
        for text in arguments.values("expect") { expectations.append(try Expectation(text)) }
        self.expectations = expectations
        junitPath = arguments.value("junit")
        if arguments.operands.isEmpty, !listsPlugins, !explains {
            throw .missingArgument("SOURCE")
        }
        if tracksAds, adsLocation == nil {
            throw .missingArgument("--ads LOCATION")
        }
        if controlPath != nil, players > 1 {
            throw .badValue(
                option: "--players",
                value: String(players),
                expected: "1 with --control: a control socket commands one player"
            )
        }
        if let operand = arguments.operands.first, listsPlugins {
            throw .unexpectedArgument(operand, limit: 0)
        }
    }

    /// The ads that are put in; nil for none.
    func ads(_ settings: JSONObject) -> AdOptions {
        var options = AdOptions(location: adsLocation)
        options.isTracking = tracksAds
        options.timeoutMs = settings["adTimeoutSeconds"]?.double.map { Int64($0 * 1000) } ?? options.timeoutMs
        options.maxBitrate = settings["maxBitrate"]?.int
        return options
    }

    /// What is done with a source that fails.
    func retries(_ settings: JSONObject) -> RetryOptions {
        var options = RetryOptions()
        options.limit = retries ?? settings["retries"]?.int.map { Int($0) } ?? options.limit
        let seconds = retryDelay ?? settings["retryDelaySeconds"]?.double
        options.delayMs = seconds.map { Int64($0 * 1000) } ?? options.delayMs
        return options
    }

    /// Where the run is recorded; the command line goes before the configuration.
    func archive(_ configuration: HostConfiguration) -> String? {
        archivePath ?? configuration.archive
    }

    /// Where the trackers' persistent values are kept.
    func store(_ configuration: HostConfiguration) -> String? {
        storePath ?? configuration.store
    }

    /// Whether the command line lets commands come, which may want plugins that nobody has configured.
    var takesCommands: Bool { controlPath != nil || scriptPath != nil }

    /// Where the control socket is made.
    func controlSocket(_ configuration: HostConfiguration) -> String? {
        controlPath ?? configuration.controlSocket
    }

    /// What the command line says that an explanation shows.
    var settings: [EffectiveSetting] {
        var settings: [EffectiveSetting] = []
        func add(_ key: String, _ value: JSONValue?, _ option: String) {
            if let value { settings.append(EffectiveSetting(key, value, option)) }
        }
        add(
            "source",
            sources.count > 1 ? .array(sources.map { .string($0) }) : sources.first.map { .string($0) },
            "SOURCE"
        )
        add("archive", archivePath.map { .string($0) }, "--archive")
        add("store", storePath.map { .string($0) }, "--store")
        add("control.socket", controlPath.map { .string($0) }, "--control")
        add("script", scriptPath.map { .string($0) }, "--script")
        add("ads", adsLocation.map { .string($0) }, "--ads")
        add("vastTracking", tracksAds ? true : nil, "--vast-tracking")
        add("chapters", chaptersPath.map { .string($0) }, "--chapters")
        add("repeat", times.map { .int(Int64($0)) }, "--repeat")
        add("untilError", endsWithError ? true : nil, "--until-error")
        add("expect", expectations.isEmpty ? nil : .array(expectations.map { .string($0.text) }), "--expect")
        add("junit", junitPath.map { .string($0) }, "--junit")
        add("players", players > 1 ? .int(Int64(players)) : nil, "--players")
        add("player.retries", retries.map { .int(Int64($0)) }, "--retry")
        add("player.retryDelaySeconds", retryDelay.map { .double($0) }, "--retry-delay")
        add("player.decode", decodes ? nil : false, "--no-decode")
        add("duration", duration.map { .double($0) }, "--duration")
        add("player.streamType", streamType.map { .string($0.rawValue) }, "--stream-type")
        return settings
    }

    /// What kind of stream the source is said to be.
    func streamType(_ settings: JSONObject) -> AssetType? {
        streamType ?? settings["streamType"]?.string.flatMap(AssetType.init)
    }

    /// How the engine plays.
    func engine(_ settings: JSONObject) -> EngineConfiguration {
        func milliseconds(_ key: String) -> Int64? {
            settings[key]?.double.map { Int64($0 * 1000) }
        }
        var engine = EngineConfiguration()
        engine.bufferMs = milliseconds("bufferSeconds") ?? engine.bufferMs
        engine.resumeMs = milliseconds("resumeSeconds") ?? engine.resumeMs
        if let limit = milliseconds("loadTimeoutSeconds") {
            engine.loadTimeoutMs = limit
            engine.fileLoadTimeoutMs = limit
        }
        engine.stallTimeoutMs = milliseconds("stallTimeoutSeconds") ?? engine.stallTimeoutMs
        engine.networkTimeoutSeconds =
            settings["networkTimeoutSeconds"]?.int.map { Int($0) } ?? engine.networkTimeoutSeconds
        engine.networkRetries = settings["networkRetries"]?.int.map { Int($0) } ?? engine.networkRetries
        engine.maxBitrate = settings["maxBitrate"]?.int
        engine.decodes = decodes && settings["decode"]?.bool ?? true
        return engine
    }
}
