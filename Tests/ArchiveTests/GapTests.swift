import Archive
import Tally
import Testing

/// Lines that are missing, come too late or belong to no run: a replay tells them with file and line, and goes on.
struct GapTests {
    private static let header = SampleLines.header

    private static func line(_ number: Int, run: String = "run-1", at time: Int64? = nil) -> String {
        #"{"run":"\#(run)","n":\#(number),"t_us":\#(time ?? Int64(number) * 1000),"event":"custom"}"#
    }

    private static func replay(_ lines: [String]) throws -> (summary: ReplaySummary, places: [String]) {
        let archive = TestArchive(lines.joined(separator: "\n") + "\n")
        let replay = Replay(telemetry: try Telemetry())
        try replay.replay(path: archive.path)
        let prefix = archive.path + ":"
        return (
            replay.summary, replay.summary.places.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        )
    }

    @Test("Lines without gaps are all used")
    func complete() throws {
        let (summary, places) = try Self.replay([Self.header, Self.line(1), Self.line(2), Self.line(3)])
        #expect(summary.events == 3 && summary.damaged == 0 && places == [])
    }

    @Test("Missing lines are counted where they are missing")
    func gap() throws {
        let (summary, places) = try Self.replay([Self.header, Self.line(1), Self.line(5), Self.line(6)])
        #expect(summary.events == 3)
        #expect(places == ["3: 3 lines of the run run-1 are missing before this one"])
    }

    @Test("A line that comes after a later one is not used")
    func outOfOrder() throws {
        let (summary, places) = try Self.replay([Self.header, Self.line(1), Self.line(3), Self.line(2), Self.line(4)])
        #expect(summary.events == 3)
        #expect(
            places == [
                "3: 1 line of the run run-1 is missing before this one", "4: line 2 of the run run-1 comes too late",
            ]
        )
    }

    @Test("A line that is dated more than 31 days after the one before is not used")
    func silence() throws {
        let month = 31 * 86_400_000_000 as Int64
        let (summary, places) = try Self.replay([
            Self.header, Self.line(1), Self.line(2, at: 1_000 + month), Self.line(3, at: 1_001 + 2 * month),
            Self.line(4, at: 1_001 + month),
        ])
        #expect(summary.events == 3)
        #expect(places.count == 1 && places[0].hasPrefix("4: ") && places[0].contains("more than 31 days"), "\(places)")
    }

    @Test("A damaged line is told, and the gap that it leaves too")
    func damaged() throws {
        let (summary, places) = try Self.replay([Self.header, Self.line(1), #"{"run":"run-1","n":2,"#, Self.line(3)])
        #expect(summary.events == 2)
        #expect(
            places == [
                "3: damaged line: expected a string at column 22",
                "4: 1 line of the run run-1 is missing before this one",
            ]
        )
    }

    @Test("Lines of a run without a header are passed over, told once")
    func noHeader() throws {
        let (summary, places) = try Self.replay([
            Self.header, Self.line(1, run: "other"), Self.line(1), Self.line(2, run: "other"),
        ])
        #expect(summary.events == 1 && summary.runs == 1)
        #expect(places == ["2: line of the run other before its header"])
    }

    @Test("A newer format and rules that this core lacks end the replay with what to do")
    func newer() throws {
        for (change, with, problem) in [
            (
                #""format":1"#, #""format":2"#,
                "the archive was written by a newer Tally, format 2, and this one reads up to format 1: use a newer one"
            ),
            (
                #""semantics":1"#, #""semantics":7"#,
                "the archive was written by a newer Tally, by rules number 7, which this one does not have: use a newer "
                    + "one"
            ),
        ] {
            let archive = TestArchive(Self.header.replacing(change, with: with) + "\n" + Self.line(1) + "\n")
            let replay = Replay(telemetry: try Telemetry())
            do throws(TelemetryError) {
                try replay.replay(path: archive.path)
                Issue.record("it was replayed")
            } catch {
                #expect(error.kind == .newerArchive)
                #expect(error.description == "\(archive.path):1: \(problem)")
            }
            #expect(replay.summary.events == 0 && replay.summary.damaged == 0)
        }
    }

    @Test("Runs that are mixed line by line have gaps of their own")
    func mixed() throws {
        let other = Self.header.replacing("run-1", with: "run-2")
        let (summary, places) = try Self.replay([
            Self.header, other, Self.line(1), Self.line(1, run: "run-2"), Self.line(3, run: "run-2"), Self.line(2),
        ])
        #expect(summary.events == 4 && summary.runs == 2)
        #expect(places == ["5: 1 line of the run run-2 is missing before this one"])
    }
}
