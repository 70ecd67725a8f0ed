import Glibc
import Tally
import TallyTesting
import Testing

/// What was loaded goes on, whatever becomes of its file.
@Suite struct ReplacedFileTests {
    enum Change: CaseIterable {
        case overwritten
        case cutOff
        case replaced
        case removed
    }

    @Test("A file that is changed while it is loaded changes nothing for the run", arguments: Change.allCases)
    func changed(change: Change) throws {
        let folder = TemporaryFolder()
        let path = try folder.copy(PluginFiles.fixture("witness"), as: "libmine.tallyplugin.so")
        let witness = PluginSelection("org.tally.fixture.witness", name: "witness", configuration: ["timers": 3])
        let digest = try #require(try RecordedRun.catalog([.file(path)]).plugin(named: "mine")).sha256
        let run = try VirtualRun(plugins: [witness], sources: [.file(path)]).record { player, run, clock in
            player.perform(.load, on: run)
            run.advance(clock, to: 1_000_000)
            try Self.apply(change, folder, path)
            player.perform(.play, on: run)
            run.advance(clock, to: 90_000_000)
            player.perform(.unload, on: run)
        }
        let same = try VirtualRun(plugins: [witness], sources: [.file(PluginFiles.fixture("witness"))])
            .record { player, run, clock in
                player.perform(.load, on: run)
                run.advance(clock, to: 1_000_000)
                player.perform(.play, on: run)
                run.advance(clock, to: 90_000_000)
                player.perform(.unload, on: run)
            }
        #expect(run.live.lines.contains { $0.kind == "timer" && $0.time > 1_000_000 })
        #expect(OutputTranscript.difference(run.live, same.live) == nil)
        let recorded = String(decoding: try TestFile.bytes(run.archive), as: UTF8.self)
        #expect(recorded.contains(digest))
    }

    private static func apply(_ change: Change, _ folder: TemporaryFolder, _ path: String) throws {
        switch change {
        case .overwritten:
            let size = try TestFile.bytes(path).count
            folder.write("libmine.tallyplugin.so", bytes: [UInt8](repeating: 0xCC, count: size))
        case .cutOff: try #require(unsafe truncate(path, 100) == 0)
        case .replaced:
            let other = try folder.copy(PluginFiles.fixture("frozen-v1"), as: "new")
            try #require(unsafe rename(other, path) == 0)
        case .removed: try #require(unsafe unlink(path) == 0)
        }
    }
}
