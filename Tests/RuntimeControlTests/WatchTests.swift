import ChildPrograms
import Glibc
import Tally
import TallyTesting
import Testing

/// Files that come and go in plugin directories.
@Suite struct WatchTests {
    /// A watch with what it has reported.
    private final class Watched: Sendable {
        let telemetry: Telemetry
        private let reports = Lock<[String]>([])
        private let watch = Lock<PluginWatch?>(nil)

        init(_ directories: [String], onDrop: PluginWatch.OnDrop = .load) throws {
            let catalog = PluginCatalog()
            for directory in directories {
                catalog.search(directory)
            }
            telemetry = try Telemetry(plugins: [], catalog: catalog)
            let made = PluginWatch(
                telemetry: telemetry,
                directories: directories,
                onDrop: onDrop,
                report: { [weak self] in
                    let text =
                        switch $0 {
                        case .loaded(let file, _): "loaded \(file)"
                        case .replaced(let file, _): "replaced \(file)"
                        case .refused(let file, _): "refused \(file)"
                        case .removed(let file): "removed \(file)"
                        }
                    let words = text.split(separator: " ", maxSplits: 1)
                    let name = words.last?.split(separator: "/").last ?? ""
                    self?.reports.with { $0.append("\(words.first ?? "") \(name)") }
                }
            )
            watch.with { $0 = made }
        }

        var all: [String] { reports.with { $0 } }

        func end() {
            watch.with { $0 }?.close()
            telemetry.close()
        }
    }

    private static func states(_ telemetry: Telemetry) -> [PluginStatus.State] {
        telemetry.pluginStatuses().map(\.state)
    }

    @Test("A new file is loaded and waits for a command")
    func load() async throws {
        let folder = PluginFolder()
        let watched = try Watched([folder.path])
        try folder.make("libcounter.tallyplugin.so")
        #expect(await eventually { watched.all == ["loaded libcounter.tallyplugin.so"] }, "\(watched.all)")
        #expect(Self.states(watched.telemetry) == [.loaded])
        watched.end()
    }

    @Test("By choice an instance of a new file's plugin is at work at once, in a session that goes on")
    func enable() async throws {
        let folder = PluginFolder()
        let watched = try Watched([folder.path], onDrop: .enable)
        let run = try watched.telemetry.startRun()
        run.trackVideoLoad()
        try folder.make("libcounter.tallyplugin.so")
        #expect(await eventually { run.plugins().first { $0.name == "counter" }?.state == .enabled })
        run.destroy()
        watched.end()
    }

    @Test("A tracker of a vendor that is dropped in in mid-session reports on that session")
    func vendor() async throws {
        let folder = PluginFolder()
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [],
            catalog: PluginCatalog(),
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: [folder.path],
            onDrop: .enable,
            selection: { PluginSelection($0.plugin, name: "dropped", configuration: ["heartbeat": 5]) }
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        player.perform(.play, on: run)
        try folder.install(
            TestFile.bytes(PluginFiles.plugin("new-relic-video")),
            as: "libnew-relic-video.tallyplugin.so"
        )
        #expect(
            await eventually {
                player.perform(.sample, on: run)
                player.perform(.pause, on: run)
                player.perform(.play, on: run)
                return memory.contents.lines.contains { $0.instance == "dropped" }
            }
        )
        let first = memory.contents.lines.first { $0.instance == "dropped" }
        #expect(first?.attributes["contentDuration"] == .int(600_000), "\(String(describing: first))")
        watch.close()
        run.destroy()
        telemetry.close()
    }

    @Test("A file that is written in pieces, renamed, copied over and touched is taken once for each content")
    func bursts() async throws {
        let folder = PluginFolder()
        let watched = try Watched([folder.path])
        let bytes = try PluginFolder.patched(mode: "good", number: 1)
        for part in 1...20 {
            folder.write(Array(bytes.prefix(bytes.count * part / 20)), to: "libcounter.tallyplugin.so")
        }
        folder.write(bytes, to: "libcounter.tallyplugin.so")
        #expect(await eventually { Self.states(watched.telemetry) == [.loaded] })
        try folder.install(bytes, as: "libcounter.tallyplugin.so")
        try folder.install(PluginFolder.patched(mode: "good", number: 2), as: "libcounter.tallyplugin.so")
        #expect(await eventually { watched.all.last == "replaced libcounter.tallyplugin.so" }, "\(watched.all)")
        #expect(watched.all.count { $0.hasPrefix("loaded") } == 1)
        #expect(watched.all.count { $0.hasPrefix("replace") } == 1)
        watched.end()
    }

    @Test("A file that is removed stays loaded, and one that was refused is forgotten")
    func removed() async throws {
        let folder = PluginFolder()
        try folder.make("libcounter.tallyplugin.so")
        folder.write([1, 2, 3], to: "libbad.tallyplugin.so")
        let watched = try Watched([folder.path])
        #expect(Set(Self.states(watched.telemetry)) == [.loaded, .rejected])
        Files.remove(folder.file("libcounter.tallyplugin.so"))
        Files.remove(folder.file("libbad.tallyplugin.so"))
        #expect(await eventually { watched.all.count == 2 }, "\(watched.all)")
        #expect(Self.states(watched.telemetry) == [.loaded])
        watched.end()
    }

    @Test("A directory that appears later is watched from then on, with what is in it already")
    func appears() async throws {
        let folder = PluginFolder()
        let directory = folder.file("a") + "/b/plugins"
        let watched = try Watched([directory])
        Files.folder(folder.file("a"))
        Files.folder(folder.file("a") + "/b")
        Files.folder(directory)
        try folder.make("a/b/plugins/libcounter.tallyplugin.so")
        #expect(await eventually { Self.states(watched.telemetry) == [.loaded] })
        watched.end()
    }

    @Test("A directory that goes and comes again is watched again")
    func comesAgain() async throws {
        let folder = PluginFolder()
        let directory = folder.file("plugins")
        Files.folder(directory)
        let watched = try Watched([directory])
        Files.move(directory, folder.file("away"))
        Files.folder(directory)
        try folder.make("plugins/libcounter.tallyplugin.so")
        #expect(await eventually { Self.states(watched.telemetry) == [.loaded] })
        watched.end()
    }

    @Test("A directory that counts more takes a plugin over, one that counts less does not")
    func order() async throws {
        let folder = PluginFolder()
        Files.folder(folder.file("first"))
        Files.folder(folder.file("second"))
        try folder.make("second/libcounter.tallyplugin.so", number: 1)
        let watched = try Watched([folder.file("first"), folder.file("second")])
        try folder.make("first/libcounter.tallyplugin.so", number: 2)
        #expect(await eventually { watched.telemetry.pluginStatuses().first?.file.contains("/first/") == true })
        try folder.make("second/libcounter.tallyplugin.so", number: 3)
        #expect(await eventually { watched.all.contains { $0.hasPrefix("refused") } }, "\(watched.all)")
        #expect(watched.telemetry.pluginStatuses().first?.file.contains("/first/") == true)
        watched.end()
    }
}
