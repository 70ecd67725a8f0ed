import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// What `validate --strict` finds in courses of events that can be read and replayed.
struct StrictValidationTests: UsingArchiveTools {
    private let files = TemporaryFolder()

    /// A run of calls: ms or `then`, the event, a playhead or `-`, and further members of the line.
    private func archive(_ calls: [String], hasEnd: Bool = true) -> String {
        var lines = [
            #"{"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}"#
        ]
        var time = 0
        for call in calls {
            let parts = call.split(separator: " ", maxSplits: 3).map(String.init)
            time = Int(parts[0]) ?? time + 100
            var line = "{\"run\":\"r\",\"n\":\(lines.count),\"t_us\":\(time * 1000),\"event\":\"\(parts[1])\""
            if parts.count > 2, parts[2] != "-" { line += ",\"state\":{\"playhead_ms\":\(parts[2])}" }
            if parts.count > 3 { line += "," + parts[3] }
            lines.append(line + "}")
        }
        if hasEnd {
            lines.append("{\"run\":\"r\",\"n\":\(lines.count),\"t_us\":900000000,\"end\":\"drained\",\"dropped\":0}")
        }
        return files.write("r.tally", lines.map { $0 + "\n" }.joined())
    }

    @Test("What a good player says has no findings", arguments: PlayerCourse.good)
    func good(_ course: PlayerCourse) async throws {
        let path = archive(course.calls)
        let run = try await tool(["validate", "--strict", path])
        #expect(run.output.hasSuffix(" lines, 0 findings\n") && run.lines.count == 1, "\(run.output)")
    }

    @Test("No member that Tally itself writes means nothing", arguments: ["playback", "ads", "runs", "sleep"])
    func own(name: String) async throws {
        let tests = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let run = try await ChildProgram.run(
            "tally-replay",
            ["validate", "--strict", "--json", "\(tests)/Archives/Kept/\(name).tally.zst"]
        )
        #expect(run.output.contains("\n") && !run.output.contains("unknown-member"), "\(run.output)")
    }

    @Test(
        "Each fault is found where it is, with its meaning and the remedy, and is no damage",
        arguments: PlayerCourse.faulty
    )
    func faulty(_ course: PlayerCourse) async throws {
        let path = archive(course.calls, hasEnd: course.hasEnd)
        let run = try await tool(["validate", "--strict", "--json", path], code: 1)
        let found = run.lines.dropLast().compactMap { try? JSONParser().parse(String($0)) }
        #expect(found.map { "\($0["rule"]?.string ?? ""):\($0["line"]?.int ?? 0)" } == course.finds, "\(run.output)")
        for finding in found {
            #expect(finding["file"]?.string == path && finding["run"] == "r" && finding["t_us"]?.int != nil)
            for member in ["found", "meaning", "remedy"] { #expect(finding[member]?.string?.isEmpty == false) }
        }
        let verdict = try run.lines.last.map { try JSONParser().parse(String($0)) }
        #expect(verdict?["findings"]?.int == Int64(course.finds.count) && verdict?["damaged"] == 0)
        // It can be read all the same.
        let plain = try await tool(["validate", path])
        #expect(plain.output.contains(": good, 1 run,") && plain.lines.count == 1)
    }

    @Test("Text names the line first; damage is told before what is found")
    func text() async throws {
        let path = archive(PlayerCourse.begin + ["3000 pause", "4000 pause"] + PlayerCourse.unload)
        let run = try await tool(["validate", "--strict", path], code: 1)
        #expect(run.output.hasPrefix("\(path):6: pause-while-paused in run r: paused again, since \(path):5; "))
        #expect(run.output.hasSuffix("8 lines, 1 finding\n"))
        let damaged = files.write("damaged.tally", try TestFile.text(path) + "nonsense\n")
        #expect(try await tool(["validate", "--strict", damaged], code: 65).output.contains("pause-while-paused"))
    }
}
