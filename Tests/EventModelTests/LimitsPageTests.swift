import Archive
import EventModel
import Tally
import Testing

/// docs/limits.md has the numbers of the code.
struct LimitsPageTests {
    private static let page = "docs/limits.md"

    private static let limits: [(String, Int64)] = [
        ("eventBytes", Int64(Limits.eventBytes)), ("recordBytes", Int64(Limits.recordBytes)),
        ("beaconBytes", Int64(Limits.beaconBytes)), ("attributes", Int64(Limits.attributes)),
        ("nameBytes", Int64(Limits.nameBytes)), ("valueBytes", Int64(Limits.valueBytes)),
        ("listDepth", Int64(Limits.listDepth)), ("unknownTypes", Int64(Limits.unknownTypes)),
        ("timers", Int64(Limits.timers)), ("callOutputs", Int64(Limits.callOutputs)),
        ("callBytes", Int64(Limits.callBytes)), ("storedBytes", Int64(Limits.storedBytes)),
        ("errorsInRow", Int64(Limits.errorsInRow)),
        ("timerLeadMicroseconds", Limits.timerLeadMicroseconds),
        ("longestSilenceMicroseconds", Limits.longestSilenceMicroseconds),
        ("silenceMicroseconds", Limits.silenceMicroseconds),
        ("sampleIntervalMicroseconds", Limits.sampleIntervalMicroseconds),
    ]

    private static let others: [(String, Int64)] = [
        ("EventQueue.slots", Int64(EventQueue.slots)), ("EventQueue.slotBytes", Int64(EventQueue.slotBytes)),
        ("EventQueue.largeSlots", Int64(EventQueue.largeSlots)), ("ArchiveFormat.version", ArchiveFormat.version),
        ("ArchiveFormat.longestLine", Int64(ArchiveFormat.longestLine)),
        ("ArchiveFormat.fullStateInterval", ArchiveFormat.fullStateInterval),
        ("ArchiveFormat.writeInterval", ArchiveFormat.writeInterval),
        ("ReplaySummary.placesKept", Int64(ReplaySummary.placesKept)),
    ]

    /// The rows of all tables with a column for the code: the name there with the first number of the row.
    private static func rows() throws -> [(name: String, number: Int64?)] {
        let columns = ["limit", "value", "in code", "what happens at it"]
        return try MarkdownTable.all(page: page, columns: columns).flatMap(\.rows).map { row in
            let digits = row[1].split(separator: " ").first.map { $0.filter { $0 != "," } } ?? ""
            return (MarkdownTable.words(row[2]).first ?? "", Int64(digits))
        }
    }

    @Test("Every number of the page is that of the code, and every limit of the code is in the page")
    func numbers() throws {
        let rows = try Self.rows()
        let expected = Self.limits + Self.others
        #expect(rows.map(\.name) == expected.map(\.0))
        for (row, limit) in zip(rows, expected) {
            #expect(row.number == limit.1, "\(limit.0)")
        }
    }

    @Test("The test knows every limit that the code declares, in its order")
    func complete() throws {
        let code = try SourceFile.text("Core/EventModel/Limits.swift")
        let names = code.split(separator: "\n").compactMap { line in
            line.split(separator: "public static var ").dropFirst().first.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(names == Self.limits.map(\.0))
    }

    @Test("What stands in the page's sentences is what the code has")
    func sentences() throws {
        let track = try SourceFile.text("Core/Tally/Track/PlayerRun.swift")
        #expect(track.contains("fillPermille < 500") && track.contains("fillPermille < 750"))
        #expect(try SourceFile.text("Core/Tally/Track/RunRouter.swift").contains("sessionLimit: Int64 = 10_000\n"))
        #expect(try SourceFile.text("Core/Archive/LineCursor.swift").contains("depth = 64\n"))
        #expect(
            try SourceFile.text("Core/Reporting/Reporters/OutputQueue.swift").contains("limit = 8 * 1024 * 1024\n")
        )
        let held = try SourceFile.text("Core/Coordinator/Outputs/HeldOutputs.swift")
        #expect(held.contains("largestCount = 1_000\n") && held.contains("largestBytes = 4 * 1024 * 1024\n"))
    }
}
