import Tally
import TallyTesting
import Testing
import TextEncoding

/// What lines say besides what they are about, through the plugin's file.
@Suite("Lines name the asset and the wall clock")
struct LineMemberTests {
    /// The lines of a run whose second session has no id of an asset.
    private static func lines() throws -> [JSONValue] {
        let lines = Lines()
        _ = try VirtualRun(plugins: lines.plugins(), sources: Lines.sources).record { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            clock.advance(to: 250_000)
            player.change { $0.id = "asset-2" }
            player.perform(.metadata(name: "Another"), on: run)
            run.pump()
            player.perform(.unload, on: run)
            run.pump()
            clock.advance(to: 86_400_000_001)
            player.change { $0.id = nil }
            player.perform(.load, on: run)
            run.pump()
        }
        return try lines.contents().split(separator: UInt8(ascii: "\n")).map { try JSONParser().parse(Array($0)) }
    }

    @Test("The asset is the one that the player has named last in the session")
    func video() throws {
        let said = try Self.lines().map { line in
            "\(line["type"]?.string ?? line["line"]?.string ?? "") \(line["video_id"]?.string ?? "-")"
        }
        #expect(
            said == [
                "run_begin -", "session_begin asset-1", "video_load asset-1", "metadata_change asset-2",
                "video_unload asset-2", "session_end asset-2", "session_begin -", "video_load -", "session_end -",
                "run_end -",
            ]
        )
    }

    @Test("The wall clock is that of the run's start and the time since")
    func time() throws {
        let times = try Self.lines().map { $0["time"]?.string ?? "-" }
        #expect(times.first == "2023-11-14T22:13:20.000000Z")
        #expect(times.contains("2023-11-14T22:13:20.250000Z"))
        #expect(times.last == "2023-11-15T22:13:20.000001Z")
    }
}
