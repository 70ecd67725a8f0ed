// swift-tools-version:6.3
import PackageDescription

// Order of this file: products, then targets by folder (Core, Plugins, Hosts, Tests), each folder from its base upwards.
// A dependency points towards the base only: PluginABI <- EventModel <- Coordinator, Archive <- Tally <- Hosts, and
// PluginABI <- EventModel <- PluginKit <- Plugins. A plugin links no Coordinator, Archive or Tally.

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
        ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
        .when(configuration: .release)
    ),
]

/// The settings of what computes much in tests: optimized in debug builds too, with all assertions.
///
/// All modules of it would make the tests no faster and the build twice as long. `TALLY_DEBUG=1` leaves it out, for a
/// debugger.
let computing: [SwiftSetting] =
    Context.environment["TALLY_DEBUG"] == nil
    ? strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
    : strict

/// The first seven digits of the commit that is built, for the version in full; zeros outside of a git repository.
///
/// Read when the package is planned: a new commit compiles one file of C again and links anew.
let commit = String((Context.gitInformation?.currentCommit ?? "0000000").prefix(7))

/// The settings of every C target.
let strictC: [CSetting] = [.unsafeFlags(["-std=c11", "-Wall", "-Wextra", "-Werror"])]

/// What a plugin's library is linked with: it exports its entry and nothing else, and is never unmapped.
let pluginLinking: [LinkerSetting] = [
    .unsafeFlags([
        "-Xlinker", "--version-script=\(Context.packageDirectory)/Scripts/plugin-exports.map",
        "-Xlinker", "-z", "-Xlinker", "nodelete",
    ])
]

/// A plugin's library product: the file is named `lib<name>.tallyplugin.so`.
func plugin(_ name: String, target: String) -> Product {
    .library(name: "\(name).tallyplugin", type: .dynamic, targets: [target])
}

/// A plugin written in Swift: the module, and apart from it the one function that its library exports.
///
/// Apart, because every plugin exports the same name, and tests link several plugins into one program. Tests depend on the
/// module alone: with the entry they would be linked as a plugin is, with all other symbols hidden.
func swiftPlugin(
    _ name: String,
    path: String,
    libraries: [Target.Dependency] = [],
    exclude: [String] = []
) -> [Target] {
    [
        .target(
            name: name,
            dependencies: ["PluginABI", "EventModel", "TextEncoding", "PluginKit"] + libraries,
            path: path,
            exclude: ["Entry"] + exclude,
            swiftSettings: strict
        ),
        .target(
            name: "\(name)Entry",
            dependencies: ["PluginABI", "PluginKit", .target(name: name)],
            path: "\(path)/Entry",
            swiftSettings: strict,
            linkerSettings: pluginLinking
        ),
    ]
}

/// A plugin written in C, without a header of its own.
func cPlugin(_ name: String, path: String, dependencies: [Target.Dependency] = ["PluginABI"]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: path,
        publicHeadersPath: ".",
        cSettings: strictC,
        linkerSettings: pluginLinking
    )
}

/// A plugin in C that only tests load: its file is named `lib<name>.fixture.so`, so no search for plugins finds it.
func fixture(_ name: String, target: String) -> Product {
    .library(name: "\(name).fixture", type: .dynamic, targets: [target])
}

/// The targets of such plugins.
func fixtures(_ names: [String]) -> [Target] {
    names.map { cPlugin($0, path: "Tests/Fixtures/\($0)") }
}

/// The tests of one module or of one subject, in `Tests/<name>`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "tally",
    products: [
        .library(name: "Tally", targets: ["Tally"]),
        .library(name: "TallyReplay", targets: ["TallyReplay"]),
        .library(name: "TallyPluginKit", targets: ["PluginKit", "PluginABI"]),
        .library(name: "TallyTesting", targets: ["TallyTesting"]),
        .executable(name: "tally-player", targets: ["tally-player"]),
        .executable(name: "tally-replay", targets: ["tally-replay"]),
        .executable(name: "tally-probe", targets: ["tally-probe"]),
        plugin("new-relic-video", target: "NewRelicVideoEntry"),
        plugin("nielsen-dcr", target: "NielsenDCREntry"),
        plugin("mux-data", target: "MuxDataEntry"),
        plugin("adobe-heartbeat", target: "AdobeHeartbeatEntry"),
        plugin("adobe-analytics", target: "AdobeAnalyticsEntry"),
        .library(name: "TallyNewRelicKit", targets: ["NewRelicVideo"]),
        plugin("example-new-relic-custom", target: "NewRelicCustomTrackerEntry"),
        plugin("jsonlines", target: "JSONLinesEntry"),
        plugin("console", target: "ConsoleEntry"),
        plugin("discard", target: "DiscardEntry"),
        plugin("http", target: "HTTPReporterEntry"),
        plugin("sqlite", target: "SQLiteReporterEntry"),
        plugin("example-c", target: "CTracker"),
        plugin("example-swift", target: "SwiftTrackerEntry"),
        fixture("frozen-v1", target: "FrozenV1"),
        fixture("from-the-future", target: "FromTheFuture"),
        fixture("no-entry", target: "NoEntry"),
        fixture("wrong-major", target: "WrongMajor"),
        fixture("duplicate-id", target: "DuplicateID"),
        fixture("init-fails", target: "InitFails"),
        fixture("errors-without-end", target: "ErrorsWithoutEnd"),
        fixture("null-descriptor", target: "NullDescriptor"),
        fixture("bad-version-text", target: "BadVersionText"),
        fixture("bad-id", target: "BadID"),
        fixture("tiny-structs", target: "TinyStructs"),
        fixture("tiny-descriptor", target: "TinyDescriptor"),
        fixture("null-functions", target: "NullFunctions"),
        fixture("requires-unknown", target: "RequiresUnknown"),
        fixture("emits-too-much", target: "EmitsTooMuch"),
        fixture("witness", target: "Witness"),
        fixture("slow-reporter", target: "SlowReporter"),
        fixture("refusing-reporter", target: "RefusingReporter"),
        fixture("guide", target: "Guide"),
        fixture("patched", target: "Patched"),
        fixture("system-faults", target: "SystemFaults"),
    ],
    targets: [
        // Core
        .target(name: "PluginABI", path: "Core/PluginABI", publicHeadersPath: "include"),
        .target(
            name: "BuildCommit",
            path: "Core/BuildCommit",
            publicHeadersPath: "include",
            cSettings: strictC + [.define("TALLY_BUILD_COMMIT", to: "\"\(commit)\"")]
        ),
        .target(name: "TextEncoding", path: "Core/TextEncoding", swiftSettings: computing),
        .target(
            name: "EventModel",
            dependencies: ["PluginABI", "TextEncoding"],
            path: "Core/EventModel",
            swiftSettings: computing
        ),
        .target(
            name: "PluginKit",
            dependencies: ["PluginABI", "BuildCommit", "TextEncoding", "EventModel"],
            path: "Core/PluginKit",
            swiftSettings: computing
        ),
        .target(
            name: "CLinux",
            path: "Core/System/CLinux",
            publicHeadersPath: "include",
            cSettings: strictC
        ),
        .target(
            name: "System",
            dependencies: ["CLinux"],
            path: "Core/System",
            exclude: ["CLinux"],
            swiftSettings: strict
        ),
        .target(
            name: "PluginLoading",
            dependencies: ["PluginABI", "TextEncoding", "EventModel", "CLinux", "System"],
            path: "Core/PluginLoading",
            swiftSettings: strict
        ),
        .target(
            name: "Archive",
            dependencies: ["PluginABI", "TextEncoding", "EventModel"],
            path: "Core/Archive",
            swiftSettings: computing
        ),
        .target(
            name: "Coordinator",
            dependencies: ["PluginABI", "TextEncoding", "EventModel", "CLinux", "System", "PluginLoading"],
            path: "Core/Coordinator",
            swiftSettings: computing
        ),
        .target(
            name: "Reporting",
            dependencies: ["PluginABI", "TextEncoding", "EventModel", "System", "PluginLoading", "Coordinator"],
            path: "Core/Reporting",
            swiftSettings: strict
        ),
        .target(
            name: "Setup",
            dependencies: [
                "PluginABI", "BuildCommit", "TextEncoding", "EventModel", "System", "PluginLoading", "Archive",
                "Coordinator", "Reporting",
            ],
            path: "Core/Setup",
            swiftSettings: strict
        ),
        .target(
            name: "TallyReplay",
            dependencies: [
                "PluginABI", "TextEncoding", "EventModel", "CLinux", "System", "PluginLoading", "Archive",
                "Coordinator", "Reporting", "Setup",
            ],
            path: "Core/TallyReplay",
            swiftSettings: strict
        ),
        .target(
            name: "Tally",
            dependencies: [
                "PluginABI", "TextEncoding", "EventModel", "CLinux", "System", "PluginLoading", "Archive",
                "Coordinator", "Reporting", "Setup", "TallyReplay",
            ],
            path: "Core/Tally",
            swiftSettings: strict
        ),
        .target(
            name: "TallyTesting",
            dependencies: [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Coordinator",
                "Setup", "Tally",
            ],
            path: "Core/Testing",
            swiftSettings: strict
        ),

        // Plugins
        cPlugin("CTracker", path: "Plugins/Examples/CTracker"),
        .target(
            name: "AdobeShared",
            dependencies: ["TextEncoding", "EventModel", "PluginKit"],
            path: "Plugins/Trackers/AdobeShared",
            swiftSettings: strict
        ),

        .systemLibrary(
            name: "CSQLite",
            path: "Plugins/Reporting/Database/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "Database",
            dependencies: ["CSQLite"],
            path: "Plugins/Reporting/Database",
            exclude: ["CSQLite"],
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CCurl",
            path: "Plugins/Reporting/HTTP/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "Plugins/Reporting/Compression/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CZstd",
            path: "Plugins/Reporting/Compression/CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"])]
        ),

        // Hosts
        .target(
            name: "HostSupport",
            dependencies: [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Coordinator",
                "Reporting", "Tally",
            ],
            path: "Hosts/Support",
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CGStreamer",
            path: "Hosts/Player/CGStreamer",
            pkgConfig: "gstreamer-1.0",
            providers: [.apt(["libgstreamer1.0-dev"])]
        ),
        .systemLibrary(
            name: "CLibAVFormat",
            path: "Hosts/Player/CLibAVFormat",
            pkgConfig: "libavformat",
            providers: [.apt(["libavformat-dev"])]
        ),
        .systemLibrary(
            name: "CLibXML2",
            path: "Hosts/Player/CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .target(name: "XML", dependencies: ["CLibXML2"], path: "Hosts/Player/XML", swiftSettings: strict),
        .target(name: "Streaming", dependencies: ["XML"], path: "Hosts/Player/Streaming", swiftSettings: strict),
        .target(
            name: "PlaybackEngine",
            dependencies: ["CCurl", "CGStreamer", "CLibAVFormat", "Streaming"],
            path: "Hosts/Player/Engine",
            swiftSettings: strict
        ),
        .target(
            name: "Advertising",
            dependencies: ["TextEncoding", "XML"],
            path: "Hosts/Player/Advertising",
            swiftSettings: strict
        ),
        .target(name: "Chapters", path: "Hosts/Player/Chapters", swiftSettings: strict),
        .executableTarget(
            name: "tally-player",
            dependencies: [
                "TextEncoding", "CLinux", "System", "Tally", "Advertising", "Chapters", "HostSupport", "PlaybackEngine",
                "Streaming", "XML",
            ],
            path: "Hosts/Player/Command",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tally-replay",
            dependencies: [
                "TextEncoding", "EventModel", "System", "Archive", "Tally", "CZlib", "CZstd", "HostSupport",
            ],
            path: "Hosts/Replay",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tally-probe",
            dependencies: ["PluginLoading"],
            path: "Hosts/Probe",
            swiftSettings: strict
        ),

        // Tests
        .target(name: "TestFiles", path: "Tests/Support/TestFiles", swiftSettings: strict),
        .target(name: "LoopbackServer", path: "Tests/Support/LoopbackServer", swiftSettings: strict),
        .target(
            name: "ChildPrograms",
            dependencies: ["TestFiles"],
            path: "Tests/Support/ChildPrograms",
            swiftSettings: strict
        ),
        .target(
            name: "RealServers",
            dependencies: ["ChildPrograms", "TestFiles"],
            path: "Tests/Support/RealServers",
            swiftSettings: strict
        ),
        .target(
            name: "SystemFaults",
            path: "Tests/Support/SystemFaults",
            publicHeadersPath: ".",
            cSettings: strictC,
            linkerSettings: [.linkedLibrary("dl")]
        ),
        .target(
            name: "EventAPI",
            dependencies: ["TextEncoding", "System", "CZlib", "LoopbackServer"],
            path: "Tests/Support/EventAPI",
            swiftSettings: strict
        ),
        .target(name: "LiveStream", path: "Tests/Support/LiveStream", swiftSettings: strict),
        .target(name: "AdDocuments", path: "Tests/Support/AdDocuments", swiftSettings: strict),
        .target(
            name: "SimulatedPlayback",
            dependencies: ["Coordinator", "PlaybackEngine", "Tally"],
            path: "Tests/Support/SimulatedPlayback",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "media-server",
            dependencies: ["LoopbackServer"],
            path: "Tests/Support/MediaServer",
            swiftSettings: strict
        ),
        .target(
            name: "AllocationCounter",
            path: "Tests/Benchmarks/AllocationCounter",
            publicHeadersPath: "include",
            cSettings: strictC
        ),
        .target(
            name: "TrivialTracker",
            dependencies: ["PluginABI"],
            path: "Tests/Benchmarks/TrivialTracker",
            publicHeadersPath: "include",
            cSettings: strictC
        ),
        .executableTarget(
            name: "tally-bench",
            dependencies: [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Archive",
                "Coordinator", "Reporting", "Tally", "AdobeShared", "AllocationCounter", "TrivialTracker",
            ],
            path: "Tests/Benchmarks/TallyBench",
            swiftSettings: strict
        ),
        .target(
            name: "Campaigns",
            dependencies: [
                "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Archive", "Coordinator",
                "Tally", "AdDocuments", "ChildPrograms", "Database", "LoopbackServer", "PlaybackEngine",
                "TallyTesting",
            ],
            path: "Tests/Support/Campaigns",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tally-soak",
            dependencies: ["Campaigns"],
            path: "Tests/Support/Soak",
            swiftSettings: strict
        ),
        .target(
            name: "FrozenV1",
            path: "Tests/Fixtures/FrozenV1",
            publicHeadersPath: ".",
            cSettings: strictC + [.headerSearchPath("include-frozen")],
            linkerSettings: pluginLinking
        ),
        .target(
            name: "WrongMajor",
            path: "Tests/Fixtures/WrongMajor",
            publicHeadersPath: ".",
            cSettings: strictC,
            linkerSettings: [
                .unsafeFlags([
                    "-Xlinker",
                    "--version-script=\(Context.packageDirectory)/Tests/Fixtures/wrong-major-exports.map",
                ])
            ]
        ),
        .target(
            name: "ABILayout",
            dependencies: ["PluginABI"],
            path: "Tests/Fixtures/Layout",
            publicHeadersPath: ".",
            cSettings: strictC
        ),
        tests("TextEncodingTests", ["TextEncoding"]),
        tests(
            "HostSupportTests",
            ["TextEncoding", "Tally", "ChildPrograms", "HostSupport", "TallyTesting", "TestFiles"]
        ),
        tests("ControlTests", ["TextEncoding", "Tally", "HostSupport", "TallyTesting"]),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "TextEncoding", "CZstd", "Campaigns", "ChildPrograms", "HostSupport", "TestFiles", "tally-replay",
            ],
            path: "Tests/ReplayTests",
            exclude: ["Archives"],
            swiftSettings: strict
        ),
        tests("FakeHostTests", ["PluginABI", "EventModel", "PluginKit", "TallyTesting"]),
        tests("PluginKitTests", ["PluginABI", "TextEncoding", "EventModel", "PluginKit", "TallyTesting"]),
        tests(
            "NewRelicVideoTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "EventAPI", "LoopbackServer",
                "NewRelicCustomTracker", "NewRelicVideo", "TallyTesting",
            ]
        ),
        tests(
            "NielsenDCRTests",
            [
                "TextEncoding", "EventModel", "PluginKit", "Tally", "NielsenDCR", "TallyTesting", "tally-replay",
            ]
        ),
        tests(
            "MuxDataTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "MuxData", "TallyTesting",
            ]
        ),
        tests(
            "AdobeHeartbeatTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "AdobeHeartbeat", "AdobeShared",
                "LoopbackServer", "TallyTesting",
            ]
        ),
        tests(
            "AdobeAnalyticsTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "AdobeAnalytics", "AdobeShared",
                "TallyTesting",
            ]
        ),
        tests("LoopbackServerTests", ["ChildPrograms", "LoopbackServer", "TestFiles", "media-server"]),
        tests(
            "DeterminismTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Archive", "Tally", "AdobeAnalytics",
                "AdobeHeartbeat", "Campaigns", "MuxData", "NewRelicCustomTracker", "NewRelicVideo", "NielsenDCR",
                "SwiftTracker", "TallyTesting",
            ]
        ),
        tests("ScenarioTests", ["EventModel", "PluginKit", "Tally", "NewRelicVideo", "SwiftTracker", "TallyTesting"]),
        tests(
            "TallyTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "CLinux", "Archive", "Tally", "TallyTesting",
                "TestFiles",
            ]
        ),
        .executableTarget(
            name: "embedding-example",
            dependencies: ["Tally"],
            path: "Tests/Examples/Embedding",
            swiftSettings: strict
        ),
        tests("EmbeddingTests", ["ChildPrograms", "TestFiles", "Tally", "TallyTesting", "embedding-example"]),
        tests("DocumentationTests", []),
        tests("ChaptersTests", ["Chapters"]),
        tests("StreamingTests", ["Streaming"]),
        tests("AdvertisingTests", ["AdDocuments", "Advertising", "XML"]),
        tests(
            "HTTPReporterTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "Campaigns", "ChildPrograms",
                "Database", "HTTPReporter", "LoopbackServer", "RealServers", "TallyTesting", "tally-replay",
            ]
        ),
        tests(
            "JSONLinesTests",
            [
                "TextEncoding", "PluginKit", "Tally", "CZlib", "CZstd", "ChildPrograms", "JSONLines", "TallyTesting",
                "TestFiles", "tally-replay",
            ]
        ),
        tests(
            "SQLiteReporterTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "Tally", "ChildPrograms", "Database",
                "SQLiteReporter", "TallyTesting",
            ]
        ),
        tests(
            "PlayerTests",
            [
                "TextEncoding", "Tally", "AdDocuments", "Advertising", "ChildPrograms", "HostSupport", "LiveStream",
                "LoopbackServer", "PlaybackEngine", "SimulatedPlayback", "TestFiles", "media-server", "tally-player",
                "tally-replay", "tally-soak",
            ]
        ),
        tests(
            "CoordinatorTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginKit", "System", "PluginLoading", "Coordinator",
                "Reporting", "Tally", "TallyTesting", "TestFiles",
            ]
        ),
        tests(
            "ArchiveTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "PluginLoading", "Archive", "Coordinator", "Tally",
                "TallyTesting", "TestFiles",
            ]
        ),
        tests("EventModelTests", ["PluginABI", "TextEncoding", "EventModel", "Archive", "Tally", "TallyTesting"]),
        .executableTarget(
            name: "crashing-host",
            dependencies: ["Tally"],
            path: "Tests/Support/CrashingHost",
            swiftSettings: strict
        ),
        tests(
            "RuntimeControlTests",
            [
                "PluginABI", "TextEncoding", "EventModel", "Archive", "Tally", "ChildPrograms", "TallyTesting",
                "TestFiles", "crashing-host", "tally-probe",
            ]
        ),
        tests("CampaignTests", ["Campaigns", "TallyTesting", "tally-player", "tally-replay"]),
        tests("PlaybackEngineTests", ["LoopbackServer", "PlaybackEngine"]),
        tests("PluginABITests", ["PluginABI", "TextEncoding", "EventModel", "ABILayout"]),
    ]
        + swiftPlugin("NewRelicVideo", path: "Plugins/Trackers/NewRelicVideo")
        + swiftPlugin("NielsenDCR", path: "Plugins/Trackers/NielsenDCR")
        + swiftPlugin("MuxData", path: "Plugins/Trackers/MuxData")
        + swiftPlugin("AdobeHeartbeat", path: "Plugins/Trackers/AdobeHeartbeat", libraries: ["AdobeShared"])
        + swiftPlugin("AdobeAnalytics", path: "Plugins/Trackers/AdobeAnalytics", libraries: ["AdobeShared"])
        + swiftPlugin("JSONLines", path: "Plugins/Reporting/JSONLines", libraries: ["CZlib", "CZstd"])
        + swiftPlugin("Console", path: "Plugins/Reporting/Console")
        + swiftPlugin("Discard", path: "Plugins/Reporting/Discard")
        + swiftPlugin(
            "HTTPReporter",
            path: "Plugins/Reporting/HTTP",
            libraries: ["Database", "CCurl", "CZlib"],
            exclude: ["CCurl"]
        )
        + swiftPlugin("SQLiteReporter", path: "Plugins/Reporting/SQLite", libraries: ["Database"])
        + swiftPlugin("SwiftTracker", path: "Plugins/Examples/SwiftTracker")
        + swiftPlugin(
            "NewRelicCustomTracker",
            path: "Plugins/Examples/NewRelicCustomTracker",
            libraries: ["NewRelicVideo"]
        )
        + fixtures([
            "FromTheFuture", "NoEntry", "DuplicateID", "InitFails", "ErrorsWithoutEnd", "NullDescriptor",
            "BadVersionText", "BadID", "TinyStructs", "TinyDescriptor", "NullFunctions", "RequiresUnknown",
            "EmitsTooMuch", "Witness", "SlowReporter", "RefusingReporter", "Guide", "Patched",
        ]),
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)

// TALLY_TESTS names the test targets to keep, separated by commas: for sanitizer runs, which go by groups.
if let kept = Context.environment["TALLY_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !kept.contains($0.name) }
}
