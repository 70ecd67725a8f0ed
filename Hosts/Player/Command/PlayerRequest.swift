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
    /// What the run must meet.
    let expectations: [Expectation]
    /// Where the outcome goes as JUnit's XML.
    let junitPath: String?
    /// When the run ends, seconds after its start.
    let duration: Double?
    private let adsLocation: String?
    private let tracksAds: Bool
    private let archivePath: String?
    private let streamType: AssetType?

    init(_ arguments: CommandLineArguments) throws(UsageError) {
        listsPlugins = arguments.isSet("list-plugins")
        quiet = arguments.isSet("quiet")
        adsLocation = arguments.value("ads")
        tracksAds = arguments.isSet("vast-tracking")
        json = arguments.isSet("json")
        archivePath = arguments.value("archive")
        chaptersPath = arguments.value("chapters")
        scriptPath = arguments.value("script")
        duration = try arguments.number("duration")
        streamType = try arguments.choice("stream-type", of: PlayerSyntax.streamTypes).flatMap(AssetType.init)
        source = arguments.operands.first ?? ""
        let untilError = arguments.isSet("until-error")
        let times = try arguments.integer("repeat", in: 1...1_000_000)
        playlist = Playlist(
            arguments.operands,
            times: untilError && times == nil ? nil : times ?? 1,
            endsWithError: untilError
        )
        var expectations: [Expectation] = []
        for text in arguments.values("expect") { expectations.append(try Expectation(text)) }
        self.expectations = expectations
        junitPath = arguments.value("junit")
        if arguments.operands.isEmpty, !listsPlugins {
            throw .missingArgument("SOURCE")
        }
        if tracksAds, adsLocation == nil {
            throw .missingArgument("--ads LOCATION")
        }
        if let operand = arguments.operands.first, listsPlugins {
            throw .unexpectedArgument(operand, limit: 0)
        }
    }

    /// The ads that are put in; nil for none.
    func ads(_ settings: JSONObject) -> AdOptions? {
        guard let adsLocation else { return nil }
        var options = AdOptions(location: adsLocation)
        options.isTracking = tracksAds
        options.timeoutMs = settings["adTimeoutSeconds"]?.double.map { Int64($0 * 1000) } ?? options.timeoutMs
        options.maxBitrate = settings["maxBitrate"]?.int
        return options
    }

    /// Where the run is recorded; the command line goes before the configuration.
    func archive(_ configuration: HostConfiguration) -> String? {
        archivePath ?? configuration.archive
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
        return engine
    }
}
