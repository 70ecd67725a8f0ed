import Database
import PluginKit
import Tally
import TallyTesting
import Testing

/// The reporter gets another configuration while it writes.
@Suite("The reporter sqlite is configured while it runs")
struct ReconfigurationTests {
    private let recording: Recording
    private let telemetry: Telemetry
    private let run: PlayerRun

    init() throws {
        recording = Recording()
        telemetry = try Telemetry(plugins: recording.plugins(), directories: [PluginFiles.folder])
        run = try telemetry.startRun()
        run.trackVideoLoad()
    }

    private func configure(_ members: JSONObject) throws {
        _ = run.plugins()
        let configuration = try #require(recording.plugins(members).last?.configuration)
        try run.configure(plugin: "sqlite", configuration)
    }

    private func end() {
        run.trackVideoUnload()
        run.destroy()
        telemetry.close()
    }

    private func events(named name: String) throws -> Double {
        try recording.number("SELECT count(*) FROM events WHERE type || attributes LIKE '%\(name)%'")
    }

    @Test("Which kinds are kept can change, also to one that was not wanted before")
    func kinds() throws {
        run.trackCustomEvent("org.example.one")
        try configure(["events": false])
        run.trackCustomEvent("org.example.two")
        try configure(["events": true, "synchronous": "full"])
        run.trackCustomEvent("org.example.three")
        end()
        #expect(try events(named: "org.example.one") == 1)
        #expect(try events(named: "org.example.two") == 0)
        #expect(try events(named: "org.example.three") == 1)
        #expect(try recording.number("SELECT count(*) FROM sessions WHERE ended_us IS NOT NULL") == 1)
    }

    @Test("Another file takes what comes from then on; one that cannot be opened is refused, and the old one goes on")
    func path() throws {
        let other = recording.folder + "/other.db"
        let error = #expect(throws: ControlError.self) {
            try configure(["path": .string(recording.folder + "/none/tally.db")])
        }
        #expect(error?.kind == .refused && error?.description.contains("none/tally.db") == true)
        try configure(["path": .string(other)])
        end()
        #expect(try recording.number("SELECT count(*) FROM sessions WHERE ended_us IS NULL") == 1)
        let there = try Recording.rows(Database(path: other), "SELECT count(*) FROM sessions", columns: 1)
        #expect(there == [["1"]])
    }
}
