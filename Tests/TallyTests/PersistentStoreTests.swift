import Glibc
import Tally
import TallyTesting
import Testing

/// Persistent values are read when a run begins, archived, and written for the next run.
@Suite struct PersistentStoreTests {
    @Test("What a tracker keeps in one run is there in the next, and a replay sees what its run saw")
    func keptForTheNextRun() throws {
        let path = "/tmp/tally-test-store-\(getpid()).json"
        defer { unsafe unlink(path) }
        var runs: [RecordedRun] = []
        for _ in 0..<2 {
            var virtual = QuickRun.virtual()
            virtual.storeFile = path
            runs.append(
                try virtual.record { player, run, _ in
                    player.perform(.load, on: run)
                    player.perform(.unload, on: run)
                }
            )
        }
        let stored = try runs.map { run in
            let enabled = try #require(run.live.lines.first { $0.kind == "enabled" })
            return enabled.text.contains("sessions")
        }
        #expect(stored == [false, true])
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600, "a viewer's id may be in it")
        for run in runs {
            let replay = try run.replay(through: [QuickRun.witness], from: QuickRun.sources)
            #expect(OutputTranscript.difference(run.live, replay) == nil)
        }
    }

    @Test("A damaged file is refused with its place")
    func damaged() throws {
        let path = "/tmp/tally-test-store-damaged-\(getpid()).json"
        let file = unsafe try #require(fopen(path, "w"))
        unsafe fputs("{\"witness\": ", file)
        unsafe fclose(file)
        defer { unsafe unlink(path) }
        var options = Telemetry.Options()
        options.storeFile = path
        #expect(throws: TelemetryError.self) { try Telemetry(options: options) }
    }
}
