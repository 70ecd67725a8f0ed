import Archive
import EventModel
import Tally
import Testing

/// docs/archive-format.md shows lines that are lines.
struct FormatPageTests {
    /// A page that cannot be read.
    private struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "cannot read \(path): run the tests in a checkout of the repository" }
    }

    /// The example lines of the page, in order.
    private static func examples() throws -> [String] {
        let path = #filePath.dropLast("/Tests/ArchiveTests/FormatPageTests.swift".count) + "/docs/archive-format.md"
        guard let bytes = FileBytes.of(String(path)) else { throw Unreadable(path: String(path)) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "```json\n").dropFirst().flatMap { block in
            block.prefix { $0 != "`" }.split(separator: "\n").map(String.init)
        }
    }

    @Test("The example lines are one archive that is read without damage, with a line of each kind")
    func decoded() throws {
        let (lines, damage) = try TestArchive(Self.examples().joined(separator: "\n") + "\n").read()
        #expect(damage == [])
        let kinds = lines.map { line in line.split(separator: " ").dropFirst(2).prefix(2).joined(separator: " ") }
        #expect(
            kinds == [
                "header k3v9x0q2m7ab", "1204 video_load", "250917 playhead_sample", "301004 pause", "400000 custom",
                "mark 1400013", "end 2000000",
            ]
        )
    }

    @Test("A replay finds nothing wrong with them: no gap, no jump, an end")
    func replayed() throws {
        let archive = try TestArchive(Self.examples().joined(separator: "\n") + "\n")
        let replay = Replay(telemetry: try Telemetry())
        try replay.replay(path: archive.path)
        #expect(replay.summary.places == [])
        #expect(replay.summary.events == 4 && replay.summary.sessions == 1)
        #expect(replay.summary.runs == 1 && replay.summary.openRuns == 0)
    }

    @Test("Members of the state and attributes in them have the names of the data model, but for the custom ones")
    func names() throws {
        for line in try Self.examples() where line.contains(#""event":"#) {
            let summary = LineReading.summary(line)
            #expect(!summary.contains("refused"))
        }
        let load = try #require(try Self.examples().first { $0.contains("video_load") })
        #expect(!LineReading.summary(load).contains(" true false "), "an attribute of the load is custom")
        #expect(LineReading.summary(load).contains("known 1010100000001001"))
    }
}
