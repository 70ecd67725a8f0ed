// swift-tools-version:6.3
import Glibc
import PackageDescription

// Order of this file: what declares parts of the package, then the parts by folder (Core, Plugins, Hosts, Tests), each
// folder from its base upwards. A part is a line: its path, whose last step is its name, and what it depends on.
// A dependency points towards the base only: PluginABI <- EventModel <- Coordinator, Archive <- Tally <- Hosts, and
// PluginABI <- EventModel <- PluginKit <- Plugins. A plugin links no Coordinator, Archive or Tally.

/// Whether a debugger or a sanitizer tells of lines: `TALLY_DEBUG=1` and `Scripts/test --sanitize` say so.
///
/// Otherwise debug builds leave out what only these read, which is a sixth of the time that a build takes.
let tellsLines = Context.environment["TALLY_DEBUG"] != nil || Context.environment["TALLY_SANITIZER"] != nil

/// The settings of every Swift target.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    // What nobody calls is left out when a library or program is linked: each plugin carries its own copy of the kit.
    .unsafeFlags(
        // Modules are where a reader looks, and no border for the optimizer.
        ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link", "-cross-module-optimization"],
        .when(configuration: .release)
    ),
    .unsafeFlags(tellsLines ? [] : ["-gnone"], .when(configuration: .debug)),
]

/// The settings of what computes much in tests: optimized in debug builds too, with all assertions.
///
/// All modules of it would make the tests no faster and the build twice as long. `TALLY_DEBUG=1` leaves it out, for a
/// debugger.
let computing: [SwiftSetting] =
    Context.environment["TALLY_DEBUG"] == nil
    ? strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
    : strict

/// The settings of what calls plugins, or is called by it: no look at exclusive access while it runs.
///
/// The runtime keeps that with the thread, and behind a call that was given up another thread goes on.
let calling = [SwiftSetting.unsafeFlags(["-enforce-exclusivity=unchecked"])]

/// The first seven digits of the commit that is built, for the version in full; zeros outside of a git repository.
///
/// Read when the package is planned: a new commit compiles one file of C again and links anew.
let commit = String((Context.gitInformation?.currentCommit ?? "0000000").prefix(7))

/// The settings of every C target.
let strictC: [CSetting] = [.unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"])]

/// What lets a library export only what a file says.
func exporting(_ map: String, _ more: String...) -> [LinkerSetting] {
    [.unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/\(map)"] + more)]
}

/// What a plugin's library is linked with: it exports its entry and nothing else, and is never unmapped.
let pluginLinking = exporting("Scripts/plugin-exports.map", "-Xlinker", "-z", "-Xlinker", "nodelete")

/// What an adapter is linked with, which a player loads: it exports its entry, and finds the player's own functions there.
let adapterLinking = exporting(
    "Hosts/Adapters/exports.map",
    "-Xlinker",
    "-z",
    "-Xlinker",
    "nodelete",
    "-Xlinker",
    "--as-needed",
    // Swift's start files would have every player load Swift.
    "-nostartfiles"
)

// MARK: - Parts

/// Targets, and the products that are made of them.
struct Part {
    var products: [Product] = []
    var targets: [Target]

    func making(_ product: Product) -> Part { Part(products: products + [product], targets: targets) }
}

typealias Needs = [Target.Dependency]
/// What an event is.
let model: Needs = ["PluginABI", "TextEncoding", "EventModel"]
/// What a plugin in Swift compiles in.
let kit = model + ["PluginKit"]
/// What the core stands on.
let loading = model + ["System", "PluginLoading"]
/// What tests need that play something, those of plugins, those that start programs, and those with a server beside.
let playing: Needs = ["Tally", "TallyTesting"]
let tracking = kit + playing
let starting: Needs = ["ChildPrograms", "TestFiles"]
let serving: Needs = ["ChildPrograms", "LoopbackServer", "RealServers", "TestFiles"]
/// The trackers of this package.
let trackers: Needs = ["AdobeAnalytics", "AdobeHeartbeat", "MuxData", "NewRelicVideo", "NielsenDCR"]

/// The name of a part, which is the last step of its path unless another is given.
func name(_ path: String, _ given: String?) -> String {
    given ?? String(path.split(separator: "/").last ?? "")
}

/// The page of a module, which is no source of it; some parts have none.
func page(_ path: String) -> [String] {
    access("\(Context.packageDirectory)/\(path)/README.md", F_OK) == 0 ? ["README.md"] : []
}

/// A module in Swift; `more` is what it depends on besides a base that others have too.
func swift(
    _ path: String,
    named given: String? = nil,
    on base: Needs = [],
    _ more: Target.Dependency...,
    excluding: [String] = [],
    settings: [SwiftSetting] = strict,
    linking: [LinkerSetting]? = nil
) -> Part {
    let target = Target.target(
        name: name(path, given),
        dependencies: base + more,
        path: path,
        exclude: excluding + page(path)
    )
    target.swiftSettings = settings
    target.linkerSettings = linking
    return Part(targets: [target])
}

/// A module in C; `headers` is the folder of those that others see.
func c(
    _ path: String,
    named given: String? = nil,
    on base: Needs = [],
    headers: String = "include",
    settings: [CSetting]? = strictC,
    linking: [LinkerSetting]? = nil
) -> Part {
    let target = Target.target(name: name(path, given), dependencies: base, path: path, publicHeadersPath: headers)
    target.cSettings = settings
    target.linkerSettings = linking
    return Part(targets: [target])
}

/// A library of the system, by its name in pkg-config and its package in Debian.
func system(_ path: String, _ pkgConfig: String, _ package: String) -> Part {
    Part(targets: [
        .systemLibrary(name: name(path, nil), path: path, pkgConfig: pkgConfig, providers: [.apt([package])])
    ])
}

/// A program that only this package runs.
func tool(
    _ name: String,
    _ path: String,
    on needs: Needs = [],
    excluding: [String] = [],
    settings: [SwiftSetting] = strict
) -> Part {
    Part(targets: [
        .executableTarget(
            name: name,
            dependencies: needs,
            path: path,
            exclude: excluding + page(path),
            swiftSettings: settings
        )
    ])
}

/// The same in C.
func cTool(_ name: String, _ path: String, on needs: Needs) -> Part {
    Part(targets: [.executableTarget(name: name, dependencies: needs, path: path, cSettings: strictC)])
}

/// A program that is installed.
func program(
    _ name: String,
    _ path: String,
    on needs: Needs = [],
    excluding: [String] = [],
    settings: [SwiftSetting] = strict
) -> Part {
    tool(name, path, on: needs, excluding: excluding, settings: settings).making(
        .executable(name: name, targets: [name])
    )
}

/// A plugin written in Swift: the module, and apart from it the one function that its library exports, in the file
/// `lib<product>.tallyplugin.so`.
///
/// Apart, because every plugin exports the same name, and tests link several plugins into one program. Tests depend on
/// the module alone: with the entry they would be linked as a plugin is, with all other symbols hidden.
func swiftPlugin(
    _ product: String,
    _ path: String,
    named given: String? = nil,
    on libraries: Needs = [],
    excluding: [String] = []
) -> Part {
    let name = name(path, given)
    let module = swift(path, named: name, on: kit + libraries, excluding: ["Entry"] + excluding)
    let needs: Needs = ["PluginABI", "PluginKit", .target(name: name)]
    let entry = swift("\(path)/Entry", named: "\(name)Entry", on: needs, linking: pluginLinking)
    return Part(targets: module.targets + entry.targets)
        .making(.library(name: "\(product).tallyplugin", type: .dynamic, targets: ["\(name)Entry"]))
}

/// A plugin written in C, without a header of its own.
func cPlugin(_ product: String, _ path: String) -> Part {
    c(path, on: ["PluginABI"], headers: ".", linking: pluginLinking)
        .making(.library(name: "\(product).tallyplugin", type: .dynamic, targets: [name(path, nil)]))
}

/// A library in C that only tests load: `BadID` is the file `libbad-id.fixture.so`, which no search for plugins finds.
func fixture(
    _ target: String,
    in folder: String = "Tests/Fixtures",
    on base: Needs = ["PluginABI"],
    settings: [CSetting] = [],
    linking: [LinkerSetting] = pluginLinking
) -> Part {
    let part = c("\(folder)/\(target)", on: base, headers: ".", settings: strictC + settings, linking: linking)
    let product = target.replacing(/([a-z])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
    return part.making(.library(name: "\(product).fixture", type: .dynamic, targets: [target]))
}

/// The tests of one module or of one subject, in `Tests/<name>`.
func tests(
    _ name: String,
    on base: Needs = [],
    _ more: Target.Dependency...,
    excluding: [String] = [],
    settings: [SwiftSetting] = strict
) -> Part {
    let path = "Tests/\(name)"
    return Part(targets: [
        .testTarget(name: name, dependencies: base + more, path: path, exclude: excluding, swiftSettings: settings)
    ])
}

// MARK: - The package

let core = [
    c("Core/PluginABI", settings: nil),
    c("Core/BuildCommit", settings: strictC + [.define("TALLY_BUILD_COMMIT", to: "\"\(commit)\"")]),
    swift("Core/TextEncoding", settings: computing),
    swift("Core/EventModel", on: ["PluginABI", "TextEncoding"], settings: computing),
    swift("Core/Metrics", on: model, settings: computing),
    swift("Core/PluginKit", on: model, "BuildCommit", settings: computing),
    // What digests files is optimized in every build: without, a debug program digests for half of its start.
    c("Core/System/CLinux", settings: strictC + [.unsafeFlags(["-O2"])]),
    swift("Core/System", on: ["CLinux"], excluding: ["CLinux"], settings: strict + calling),
    swift("Core/PluginLoading", on: model, "CLinux", "System", settings: strict + calling),
    swift("Core/Archive", on: model, "System", settings: computing + calling),
    swift("Core/Coordinator", on: loading, "CLinux", settings: computing + calling),
    swift("Core/Reporting", on: loading, "Coordinator", settings: strict + calling),
    swift("Core/Isolation", on: loading, "CLinux", "Archive", "Coordinator", "Reporting", settings: strict + calling),
    swift(
        "Core/Setup",
        on: loading,
        "BuildCommit",
        "Archive",
        "Coordinator",
        "Reporting",
        "Isolation",
        settings: strict + calling
    ),
    swift(
        "Core/TallyReplay",
        on: loading,
        "CLinux",
        "Archive",
        "Coordinator",
        "Reporting",
        "Setup",
        settings: strict + calling
    ),
    swift(
        "Core/Tally",
        on: loading,
        "CLinux",
        "Archive",
        "Coordinator",
        "Reporting",
        "Setup",
        "Isolation",
        "TallyReplay",
        settings: strict + calling
    ),
    swift("Core/Testing", named: "TallyTesting", on: loading, "PluginKit", "Coordinator", "Setup", "Tally"),
]

let sending: Needs = ["HTTPTransfer", "Spooling"]
let showing: Needs = ["Metrics", "Viewing", "Pages", "Database", "Serving", "Threads", "CMicroHTTPD", "CZlib"]
// A plugin is one line: Scripts/package reads its product from it.
let plugins = [
    system("Plugins/Reporting/Database/CSQLite", "sqlite3", "libsqlite3-dev"),
    system("Plugins/Reporting/HTTPTransfer/CCurl", "libcurl", "libcurl4-openssl-dev"),
    system("Plugins/Reporting/Serving/CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    system("Plugins/Reporting/Compression/CZlib", "zlib", "zlib1g-dev"),
    system("Plugins/Reporting/Compression/CZstd", "libzstd", "libzstd-dev"),
    system("Plugins/Trackers/MuxData/CPublicSuffix", "libpsl", "libpsl-dev"),
    c("Plugins/Reporting/Pages/CPages", settings: strictC + [.unsafeFlags(["-Wno-c23-extensions"])]),
    swift("Plugins/Reporting/Pages", on: ["TextEncoding", "CPages"], excluding: ["CPages", "Web"]),
    swift("Plugins/Reporting/Viewing", on: kit, "Metrics", settings: computing),
    swift("Plugins/Reporting/Threads"),
    swift("Plugins/Reporting/Database", on: ["CSQLite", "TextEncoding"], excluding: ["CSQLite"]),
    swift("Plugins/Reporting/MetricTables", on: kit),
    swift("Plugins/Reporting/Serving", on: kit + ["CMicroHTTPD"], excluding: ["CMicroHTTPD"]),
    system("Plugins/Reporting/Postgres/CPostgres", "libpq", "libpq-dev"),
    swift("Plugins/Reporting/Spooling", on: kit, "Database", "Threads"),
    swift("Plugins/Reporting/HTTPTransfer", on: kit + ["Spooling", "CCurl", "CZlib"], excluding: ["CCurl"]),
    system("Plugins/Reporting/KafkaClient/CRdKafka", "rdkafka", "librdkafka-dev"),
    swift("Plugins/Reporting/KafkaClient", on: ["CRdKafka"], excluding: ["CRdKafka"]),
    swift("Plugins/Trackers/AdobeShared", on: ["TextEncoding", "EventModel", "PluginKit"]),
    swiftPlugin("new-relic-video", "Plugins/Trackers/NewRelicVideo"),
    swiftPlugin("nielsen-dcr", "Plugins/Trackers/NielsenDCR"),
    swiftPlugin("mux-data", "Plugins/Trackers/MuxData", on: ["CPublicSuffix"], excluding: ["CPublicSuffix"]),
    swiftPlugin("adobe-heartbeat", "Plugins/Trackers/AdobeHeartbeat", on: ["AdobeShared"]),
    swiftPlugin("adobe-analytics", "Plugins/Trackers/AdobeAnalytics", on: ["AdobeShared"]),
    swiftPlugin("jsonlines", "Plugins/Reporting/JSONLines", on: ["CZlib", "CZstd"]),
    swiftPlugin("console", "Plugins/Reporting/Console"),
    swiftPlugin("discard", "Plugins/Reporting/Discard"),
    swiftPlugin("http", "Plugins/Reporting/HTTP", named: "HTTPReporter", on: sending),
    swiftPlugin("cmcd", "Plugins/Reporting/CMCD", named: "CMCDReports", on: sending + ["Threads"]),
    swiftPlugin("otlp", "Plugins/Reporting/OTLP", on: sending + ["Metrics", "Threads"]),
    swiftPlugin("kafka", "Plugins/Reporting/Kafka", on: ["KafkaClient", "Spooling", "Threads"]),
    swiftPlugin("sqlite", "Plugins/Reporting/SQLite", named: "SQLiteReporter", on: ["Database", "MetricTables"]),
    swiftPlugin("postgres", "Plugins/Reporting/Postgres", on: ["CPostgres", "MetricTables"], excluding: ["CPostgres"]),
    swiftPlugin(
        "prometheus",
        "Plugins/Reporting/Prometheus",
        on: ["Metrics", "Serving", "Threads"],
        excluding: ["Examples"]
    ),
    swiftPlugin("dashboard", "Plugins/Reporting/Dashboard", on: showing),
    swiftPlugin("example-swift", "Plugins/Examples/SwiftTracker"),
    swiftPlugin("example-new-relic-custom", "Plugins/Examples/NewRelicCustomTracker", on: ["NewRelicVideo"]),
    cPlugin("example-c", "Plugins/Examples/CTracker"),
]

let running: Needs = ["PluginKit", "Coordinator", "Reporting", "Tally"]
let hosting: Needs = ["TextEncoding", "System", "Tally", "HostSupport"]
let media: Needs = ["Advertising", "Chapters", "MediaProcess", "PlaybackEngine", "Streaming", "XML"]
let hosts = [
    swift(
        "Hosts/Support",
        named: "HostSupport",
        on: loading + running,
        "CLinux",
        "Isolation",
        settings: strict + calling
    ),
    system("Hosts/Player/CGStreamer", "gstreamer-1.0", "libgstreamer1.0-dev"),
    system("Hosts/Player/CLibAVFormat", "libavformat", "libavformat-dev"),
    system("Hosts/Player/CLibXML2", "libxml-2.0", "libxml2-dev"),
    swift("Hosts/Player/XML", on: ["CLibXML2"]),
    swift("Hosts/Player/Rules", named: "MediaRules"),
    swift("Hosts/Player/Streaming", on: ["TextEncoding", "MediaRules", "XML"]),
    swift("Hosts/Player/Chapters"),
    swift(
        "Hosts/Player/Engine",
        named: "PlaybackEngine",
        on: [
            "CCurl", "CGStreamer", "CLibAVFormat", "Chapters", "MediaRules", "Streaming", "System", "TextEncoding",
            "XML",
        ]
    ),
    swift(
        "Hosts/Player/MediaProcess",
        on: ["CLinux", "Chapters", "PlaybackEngine", "Streaming", "System", "XML"]
    ),
    swift("Hosts/Player/Advertising", on: ["TextEncoding", "Streaming", "XML"]),
    swift("Hosts/Signals", named: "PlayerSignals", on: model + ["Chapters", "MediaRules", "Tally"]),
    program("tally-player", "Hosts/Player/Command", on: hosting + media + ["CLinux", "MediaRules", "PlayerSignals"]),
    program(
        "tally-replay",
        "Hosts/Replay",
        on: hosting + [
            "PluginABI", "EventModel", "PluginKit", "KafkaClient", "Metrics", "Archive", "Coordinator", "Pages",
            "Viewing", "CZlib", "CZstd",
        ]
    ),
    system("Hosts/Confinement/CSeccomp", "libseccomp", "libseccomp-dev"),
    swift("Hosts/Confinement", on: ["CLinux", "CSeccomp", "System"], excluding: ["CSeccomp"]),
    swift("Hosts/Collector/Reports", named: "PlayerReports", on: model),
    c("Hosts/Collector/Web/CPageScript", settings: strictC + [.unsafeFlags(["-Wno-c23-extensions"])]),
    swift("Hosts/Collector/Journal", on: ["System", "CZlib"]),
    swift("Hosts/Collector/Serving", named: "CollectorServer", on: ["System", "CMicroHTTPD", "CZlib"]),
    swift(
        "Hosts/Collector/Runs",
        named: "CollectedRuns",
        on: loading,
        "Archive",
        "Coordinator",
        "Reporting",
        "Setup",
        "PlayerReports",
        "CZstd",
        settings: strict + calling
    ),
    program(
        "tally-collector",
        "Hosts/Collector/Command",
        on: hosting + [
            "EventModel", "Archive", "CPageScript", "CollectedRuns", "CollectorServer", "Journal", "PlayerReports",
        ]
    ),
    program(
        "tally-probe",
        "Hosts/Probe",
        on: ["System", "PluginLoading", "Confinement"],
        excluding: ["tally-probe.1"]
    ),
    program("tally-tracker", "Hosts/Tracker", on: ["Isolation", "Confinement"], excluding: ["tally-tracker.1"]),
    c("Hosts/PluginTool/CPluginTool", on: ["CLinux"]),
    program(
        "tally-plugin",
        "Hosts/PluginTool",
        on: hosting + [
            "CLinux", "CPluginTool", "Coordinator", "EventModel", "PluginABI", "PluginKit", "PluginLoading",
            "TallyTesting",
        ],
        excluding: ["CPluginTool", "Kit", "Samples", "Templates"],
        settings: computing
    ),
]

/// What an application with a player of its own links or loads.
let embedding = [
    swift(
        "Hosts/Embedding",
        named: "TallyEmbedding",
        on: hosting + ["CLinux", "Coordinator", "PluginLoading", "Setup"]
    ),
    c("Hosts/Library/CTally", settings: nil),
    swift(
        "Hosts/Library",
        named: "TallyLibrary",
        on: hosting + ["CLinux", "CTally", "EventModel", "MediaRules", "PlayerSignals", "TallyEmbedding"],
        excluding: ["CTally", "Examples", "exports.map", "libtally.3"],
        settings: strict + calling,
        linking: exporting(
            "Hosts/Library/exports.map",
            "-Xlinker",
            "-z",
            "-Xlinker",
            "nodelete",
            "-Xlinker",
            "-soname=libtally.so.1"
        )
    )
    .making(.library(name: "tally", type: .dynamic, targets: ["TallyLibrary"])),
    c("Hosts/Adapters/Shared", named: "CAdapter", on: ["CTally"]),
    c("Hosts/Adapters/MPV", named: "MPVPlugin", on: ["CAdapter", "CTally"], headers: ".", linking: adapterLinking)
        .making(.library(name: "mpv-tally", type: .dynamic, targets: ["MPVPlugin"])),
    c(
        "Hosts/Adapters/GStreamer",
        named: "GStreamerTracer",
        on: ["CAdapter", "CGStreamer", "CTally"],
        headers: ".",
        linking: adapterLinking
    )
    .making(.library(name: "gsttally", type: .dynamic, targets: ["GStreamerTracer"])),
]

let support = [
    swift("Tests/Support/TestFiles"),
    swift("Tests/Support/LoopbackServer", settings: computing),
    swift("Tests/Support/ChildPrograms", on: ["TestFiles"]),
    swift("Tests/Support/RealServers", on: ["ChildPrograms", "System", "TestFiles", "TextEncoding"]),
    swift("Tests/Support/KafkaBrokers", on: ["ChildPrograms", "System", "TestFiles"], excluding: ["Program"]),
    cTool("kafka-brokers", "Tests/Support/KafkaBrokers/Program", on: ["CRdKafka"]),
    swift("Tests/Support/EventAPI", on: ["TextEncoding", "System", "CZlib", "LoopbackServer"]),
    swift("Tests/Support/LiveStream"),
    swift("Tests/Support/AdDocuments"),
    swift(
        "Tests/Support/SimulatedPlayback",
        on: ["Coordinator", "Chapters", "MediaRules", "PlaybackEngine", "Streaming", "System", "Tally", "XML"]
    ),
    swift(
        "Tests/Support/Campaigns",
        on: [
            "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Archive", "Coordinator", "Tally",
            "AdDocuments", "ChildPrograms", "Database", "KafkaBrokers", "KafkaClient", "LoopbackServer",
            "PlaybackEngine", "RealServers", "TallyTesting", "TestFiles",
        ]
    ),
    tool("media-server", "Tests/Support/MediaServer", on: ["LoopbackServer"]),
    tool("tally-soak", "Tests/Support/Soak", on: ["Campaigns"]),
    tool("crashing-host", "Tests/Support/CrashingHost", on: ["Tally"]),
    // The guide's plugin in Swift; it and its tests are built with the guide's own settings.
    swift(
        "Tests/Examples/Waiting",
        // The guide's own package has the other name, and depends on this one.
        named: "WaitingFixture",
        on: ["PluginABI", "PluginKit"],
        settings: [.strictMemorySafety()],
        linking: pluginLinking
    )
    .making(.library(name: "waiting.fixture", type: .dynamic, targets: ["WaitingFixture"])),
    tool("embedding-example", "Tests/Examples/Embedding", on: ["Tally"]),
    c("Tests/Benchmarks/AllocationCounter"),
    c("Tests/Benchmarks/SocketEvents"),
    c("Tests/Benchmarks/TrivialTracker", on: ["PluginABI"]),
    fixture("TrivialPlugin", in: "Tests/Benchmarks", on: ["PluginABI", "TrivialTracker"]),
    fixture("SpeakingTracker", in: "Tests/Benchmarks"),
    tool(
        "tally-bench",
        "Tests/Benchmarks/TallyBench",
        on: loading + [
            "PluginKit", "Archive", "Coordinator", "Reporting", "Isolation", "Tally", "AdobeShared",
            "AllocationCounter", "CTally", "SocketEvents", "TallyTesting", "TrivialTracker",
        ]
    ),
    c("Tests/Fixtures/Layout", named: "ABILayout", on: ["PluginABI"], headers: "."),
    fixture("SystemFaults", in: "Tests/Support", on: [], linking: [.linkedLibrary("dl")]),
    fixture("FrozenV1", on: [], settings: [.headerSearchPath("include-frozen")]),
    fixture("WrongMajor", on: [], linking: exporting("Tests/Fixtures/wrong-major-exports.map")),
]

let fixtures = [
    "FromTheFuture", "NoEntry", "DuplicateID", "InitFails", "ErrorsWithoutEnd", "NullDescriptor", "BadVersionText",
    "BadID", "TinyStructs", "TinyDescriptor", "NullFunctions", "RequiresUnknown", "EmitsTooMuch", "Witness",
    "SlowReporter", "StaysAway", "RefusingReporter", "Guide", "Patched", "BadNeighbour", "Hostile", "Attempts",
    "HostileReporter", "ListeningReporter", "SharingReporter",
].map { fixture($0) }

let suites = [
    tests("PluginABITests", on: model, "ABILayout"),
    tests("TextEncodingTests", on: ["TextEncoding"]),
    tests("EventModelTests", on: model, "Archive", "Tally", "TallyTesting", "TestFiles"),
    tests("PluginKitTests", on: kit, "TallyTesting", "TestFiles"),
    tests("ArchiveTests", on: model + starting, "PluginLoading", "Archive", "Coordinator", "Tally", "TallyTesting"),
    tests("CoordinatorTests", on: tracking + starting, "System", "PluginLoading", "Coordinator", "Reporting"),
    tests(
        "TallyTests",
        on: loading,
        "CLinux",
        "Archive",
        "ChildPrograms",
        "Coordinator",
        "Isolation",
        "Setup",
        "Tally",
        "TallyTesting",
        "TestFiles",
        "tally-tracker"
    ),
    tests(
        "RuntimeControlTests",
        on: model + starting + playing,
        "Archive",
        "CLinux",
        "crashing-host",
        "tally-tracker",
        "tally-player",
        "tally-probe",
        "tally-replay"
    ),
    tests("GuideTests", on: playing, settings: []),
    tests("FakeHostTests", on: ["PluginABI", "EventModel", "PluginKit", "TallyTesting"]),
    tests("ScenarioTests", on: ["EventModel", "PluginKit", "Tally", "NewRelicVideo", "SwiftTracker", "TallyTesting"]),
    tests(
        "DeterminismTests",
        on: tracking + trackers,
        "System",
        "Archive",
        "Campaigns",
        "NewRelicCustomTracker",
        "SwiftTracker",
        "TestFiles"
    ),
    tests("NewRelicVideoTests", on: tracking, "EventAPI", "LoopbackServer", "NewRelicCustomTracker", "NewRelicVideo"),
    tests("NielsenDCRTests", on: playing, "TextEncoding", "EventModel", "PluginKit", "NielsenDCR", "tally-replay"),
    tests("MuxDataTests", on: tracking, "MuxData"),
    tests("AdobeHeartbeatTests", on: tracking, "AdobeHeartbeat", "AdobeShared", "LoopbackServer"),
    tests("AdobeAnalyticsTests", on: tracking, "AdobeAnalytics", "AdobeShared"),
    tests(
        "HTTPReporterTests",
        on: tracking + serving + ["CCurl", "Database", "HTTPReporter", "HTTPTransfer", "Spooling", "System"],
        "Campaigns",
        "tally-replay"
    ),
    tests(
        "JSONLinesTests",
        on: starting + playing + ["TextEncoding", "PluginKit"],
        "CZlib",
        "CZstd",
        "JSONLines",
        "tally-replay"
    ),
    tests(
        "MetricsTests",
        on: starting + ["TextEncoding", "Tally", "TallyTesting", "Metrics", "tally-replay", "tally-bench"],
        excluding: ["metrics.py"]
    ),
    tests(
        "DashboardTests",
        on: tracking + starting + ["Database", "Pages"]
    ),
    tests(
        "KafkaReporterTests",
        on: playing + starting + ["Kafka", "KafkaBrokers", "KafkaClient", "PluginKit", "TextEncoding"],
        "tally-replay",
        "tally-tracker"
    ),
    tests(
        "PrometheusReporterTests",
        on: starting + [
            "Campaigns", "Database", "PluginKit", "Prometheus", "RealServers", "TallyTesting", "TextEncoding",
        ],
        "tally-replay"
    ),
    tests(
        "PostgresReporterTests",
        on: tracking + starting + ["Database", "Postgres", "RealServers"],
        "tally-replay"
    ),
    tests(
        "OTLPReporterTests",
        on: tracking + serving + ["Database", "OTLP", "System"],
        "tally-bench",
        "tally-replay",
        excluding: ["check_otlp.py"]
    ),
    tests("CMCDReporterTests", on: tracking + serving + ["CMCDReports", "System"], "tally-collector", "tally-replay"),
    tests("SQLiteReporterTests", on: tracking, "Database", "SQLiteReporter", "TestFiles"),
    tests("HostSupportTests", on: starting, "TextEncoding", "Tally", "HostSupport", "TallyTesting"),
    tests("ControlTests", on: starting, "TextEncoding", "Tally", "HostSupport", "TallyTesting"),
    tests(
        "ReplayTests",
        on: starting + ["TextEncoding", "CLinux", "CZstd", "Campaigns", "HostSupport", "tally-replay"],
        excluding: ["Archives"]
    ),
    tests(
        "PlayerTests",
        on: [
            "TextEncoding", "Tally", "AdDocuments", "Advertising", "ChildPrograms", "HostSupport", "LiveStream",
            "LoopbackServer", "PlaybackEngine", "PlayerSignals", "SimulatedPlayback", "Streaming", "TestFiles",
            "media-server",
            "tally-player", "tally-replay", "tally-soak",
        ]
    ),
    tests(
        "PlaybackEngineTests",
        on: [
            "CGStreamer", "Chapters", "LoopbackServer", "MediaProcess", "PlaybackEngine", "RealServers", "Streaming",
            "TestFiles", "XML",
            "tally-player",
        ]
    ),
    tests(
        "CollectorTests",
        on: starting + [
            "TextEncoding", "System", "Archive", "Campaigns", "CollectedRuns", "Journal", "PlayerReports",
            "RealServers", "Tally", "TallyTesting",
        ],
        "tally-collector",
        "tally-player",
        "tally-replay"
    ),
    tests("PlayerReportsTests", on: model + ["PlayerReports"]),
    tests("PlayerSignalsTests", on: ["EventModel", "MediaRules", "PlayerSignals", "Tally", "TestFiles"]),
    tests("StreamingTests", on: ["Streaming"]),
    tests("AdvertisingTests", on: ["AdDocuments", "Advertising", "Streaming", "TestFiles", "XML"]),
    tests("ChaptersTests", on: ["Chapters"]),
    tests("LoopbackServerTests", on: starting, "LoopbackServer", "media-server"),
    tests(
        "CampaignTests",
        on: starting,
        "Campaigns",
        "RealServers",
        "TallyTesting",
        "tally-player",
        "tally-replay",
        "tally-collector"
    ),
    tests("EmbeddingTests", on: starting, "Tally", "TallyTesting", "embedding-example"),
    tests(
        "LibraryTests",
        on: starting + ["TallyTesting", "TextEncoding", "tally-replay"],
        excluding: ["Frozen", "Programs", "check_examples.py", "check_python.py"]
    ),
    tests(
        "AdapterTests",
        on: starting + ["TallyTesting", "TextEncoding", "tally-player", "tally-replay"],
        excluding: [
            "Programs", "check_course.py", "check_kills.py", "check_renditions.py", "course_players.py",
            "course_server.py", "course_timing.py", "measure_costs.py",
        ]
    ),
    tests(
        "PluginToolTests",
        on: starting + ["TextEncoding", "tally-plugin"],
        excluding: ["Fixtures"]
    ),
    tests("DocumentationTests"),
]

let parts = core + plugins + hosts + embedding + support + fixtures + suites
let package = Package(
    name: "tally",
    products: [
        .library(name: "Tally", targets: ["Tally"]),
        .library(name: "TallyReplay", targets: ["TallyReplay"]),
        .library(name: "TallyPluginKit", targets: ["PluginKit", "PluginABI"]),
        .library(name: "TallyEmbedding", targets: ["TallyEmbedding"]),
        .library(name: "TallyTesting", targets: ["TallyTesting"]),
        .library(name: "TallyNewRelicKit", targets: ["NewRelicVideo"]),
    ] + parts.flatMap(\.products),
    targets: parts.flatMap(\.targets),
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)

// TALLY_TESTS names the test targets to keep, separated by commas: for sanitizer runs, which go by groups.
if let kept = Context.environment["TALLY_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !kept.contains($0.name) }
}
