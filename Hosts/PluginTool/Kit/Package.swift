// swift-tools-version:6.3
import PackageDescription

// What a plugin in Swift compiles in: the sources of Tally's kit, as a package that depends on nothing.

// Without this every build of a plugin would warn of them.
let pages = ["README.md"]
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
]

let package = Package(
    name: "tally-plugin-kit",
    products: [.library(name: "TallyPluginKit", targets: ["PluginKit", "PluginABI"])],
    targets: [
        .target(name: "PluginABI", path: "PluginABI", exclude: pages),
        .target(
            name: "BuildCommit",
            path: "BuildCommit",
            exclude: pages,
            cSettings: [.define("TALLY_BUILD_COMMIT", to: "\"0000000\"")]
        ),
        .target(name: "TextEncoding", path: "TextEncoding", exclude: pages, swiftSettings: settings),
        .target(
            name: "EventModel",
            dependencies: ["PluginABI", "TextEncoding"],
            path: "EventModel",
            exclude: pages,
            swiftSettings: settings
        ),
        .target(
            name: "PluginKit",
            dependencies: ["BuildCommit", "EventModel", "PluginABI", "TextEncoding"],
            path: "PluginKit",
            exclude: pages,
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
