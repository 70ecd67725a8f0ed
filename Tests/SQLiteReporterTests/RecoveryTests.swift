import Glibc
import Tally
import TallyTesting
import Testing

/// A run that was cut off, and the reporter that takes what it does not have.
@Suite("Recovery of a run that was cut off")
struct RecoveryTests {
    /// The beginning of a run's archive, cut in the midst of a line; how many bytes lie behind the last whole line.
    private static func cut(_ run: RecordedRun, to path: String) throws -> Int {
        let bytes = Recording.bytes(of: run.archive)
        var end = bytes.count * 6 / 10
        while bytes[end - 1] == 0x0A { end -= 1 }
        let lastBreak = try #require(bytes[..<end].lastIndex(of: 0x0A))
        Recording.write(String(decoding: bytes[..<end], as: UTF8.self), to: path)
        return end - lastBreak - 1
    }

    private static func recover(_ archive: String, into recording: Recording) throws -> [RecoveredRun] {
        let catalog = PluginCatalog()
        for source in Recording.sources { try catalog.add(source.library()) }
        let telemetry = try Telemetry(
            plugins: recording.plugins(),
            catalog: catalog,
            options: Telemetry.Options(),
            extraConsumers: []
        )
        defer { telemetry.close() }
        return telemetry.recover(archives: archive)
    }

    @Test("It is ended behind its last whole line, and what was there already is not there twice")
    func recovered() throws {
        let live = Recording()
        let run = try live.run().record(ScriptedSessions.performAll)
        let archive = live.folder + "/cut.tally"
        let lost = try Self.cut(run, to: archive)
        // The reporter of the player that died had some of it.
        let recording = Recording()
        _ = try RecordedRun.replay(archive, through: recording.plugins(), from: Recording.sources)
        let recovered = try Self.recover(archive, into: recording)
        #expect(recovered.map(\.run) == ["virtualrun01"] && recovered.map(\.lostBytes) == [lost])
        #expect(try recording.number("SELECT count(*) FROM runs WHERE ended_us IS NOT NULL") == 1)
        #expect(try recording.number("SELECT count(*) FROM sessions WHERE ended_us IS NULL") == 0)
        let lines = String(decoding: Recording.bytes(of: archive), as: UTF8.self)
        #expect(lines.hasSuffix(#""end":"crash","dropped":0}"# + "\n"))
        // The archive is whole, and its replay says what was recovered.
        let replayed = Recording()
        _ = try RecordedRun.replay(archive, through: replayed.plugins(), from: Recording.sources)
        #expect(try replayed.contents() == recording.contents())
        #expect(try Self.recover(archive, into: recording).isEmpty)
        #expect(String(decoding: Recording.bytes(of: archive), as: UTF8.self) == lines)
    }

    @Test("What is no archive, erased or empty is left alone")
    func leftAlone() throws {
        let recording = Recording()
        let files = [
            ("empty.tally", ""), ("text.tally", "no archive\n"),
            (
                "erased.tally",
                #"{"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":0,"erased":true,"trackers":[]}}"#
                    + "\n"
            ),
        ]
        for (name, text) in files { Recording.write(text, to: recording.folder + "/" + name) }
        #expect(try Self.recover(recording.folder, into: recording).isEmpty)
        for (name, text) in files {
            #expect(String(decoding: Recording.bytes(of: recording.folder + "/" + name), as: UTF8.self) == text)
        }
    }
}
