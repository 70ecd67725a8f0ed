import Glibc
import Tally
import TallyTesting
import Testing
import TextEncoding

/// The reporter gets another configuration while it writes.
@Suite("The reporter jsonlines is configured while it runs")
struct ReconfigurationTests {
    private let lines: Lines
    private let telemetry: Telemetry
    private let run: PlayerRun
    private let player = SyntheticPlayer()

    init() throws {
        lines = Lines()
        telemetry = try Telemetry(plugins: lines.plugins(), directories: [PluginFiles.folder])
        run = try telemetry.startRun(delegate: player)
    }

    /// Gives it a configuration; `path` unless said is the file of the test.
    private func configure(_ members: JSONObject) throws {
        var all: JSONObject = ["path": .string(lines.path), "events": true]
        for member in members { all[member.key] = member.value }
        try run.configure(plugin: "jsonlines", .object(all))
    }

    /// Reports something of a name, and waits until the reporter has it.
    private func report(_ name: String) {
        run.trackCustomEvent(name)
        _ = run.plugins()
        _ = try? run.command(plugin: "jsonlines", "none")
    }

    private func end() {
        run.destroy()
        telemetry.close()
    }

    private func text(_ name: String = "out.jsonl") -> String {
        String(decoding: lines.content(of: name), as: UTF8.self)
    }

    @Test("What is written can change, also to kinds that it did not want before")
    func kinds() throws {
        report("first")
        try configure(["events": false])
        report("second")
        try configure(["events": true])
        report("third")
        end()
        #expect(text().contains("first") && !text().contains("second") && text().contains("third"))
        #expect(telemetry.reporterStatistics.first?.statistics.dropped == 0)
    }

    @Test("Another file takes over what comes from then on; one that cannot be opened changes nothing")
    func path() throws {
        report("first")
        try configure(["path": .string(lines.folder + "/other.jsonl")])
        report("second")
        let error = #expect(throws: ControlError.self) {
            try configure(["path": .string(lines.folder + "/none/other.jsonl")])
        }
        #expect(error?.kind == .refused && error?.description.contains("/none/other.jsonl") == true)
        report("third")
        end()
        #expect(text().contains("first") && !text().contains("second"))
        let other = text("other.jsonl")
        #expect(!other.contains("first") && other.contains("second") && other.contains("third"))
    }

    @Test("Rotation begins and ends at run time, and no line is lost")
    func rotation() throws {
        report("first")
        try configure(["rotate_bytes": 1, "compress": "zstd"])
        report("second")
        report("third")
        try configure(["fsync": "batch"])
        report("fourth")
        report("fifth")
        end()
        #expect(lines.finished.count >= 2 && lines.finished.allSatisfy { $0.hasSuffix(".zst") })
        let all = String(decoding: lines.contents(), as: UTF8.self)
        let places = ["first", "second", "third", "fourth", "fifth"].map { all.firstRange(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(text().contains("fourth") && text().contains("fifth"))
    }

    @Test(
        "What cannot change while the file is open is refused with the key, and nothing changes",
        arguments: [
            (["append": true], "append"), (["path": "-", "rotate_s": 5], "path"), (["compress": "gzip"], "compress"),
            (["path": "/dev/null", "rotate_s": 5], "path"),
        ] as [(JSONObject, String)]
    )
    func refused(members: JSONObject, key: String) throws {
        report("first")
        let error = #expect(throws: ControlError.self) { try configure(members) }
        #expect(error?.kind == .refused && error?.description.contains(key) == true, "\(error?.description ?? "")")
        report("second")
        end()
        #expect(text().contains("first") && text().contains("second"))
    }
}
