internal import ChildPrograms
internal import Glibc
internal import Testing
internal import TextEncoding

/// The viewer's choice, made in one run of the real player and kept for the next.
struct OptOutTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("Who opted out is opted out when the player is started again")
    func restart() throws {
        let first = try pings(
            #"0.6 plugin command nielsen-dcr userOptOut '{"url": "nielsenappsdk://1"}'"# + "\n1.2 stop"
        )
        #expect(first.first == false, "before the choice")
        let second = try pings("0.6 stop")
        #expect(!second.isEmpty && second.allSatisfy { $0 })
    }

    @Test("Where no file of persistent values can be made, nothing is played")
    func noStore() async throws {
        let missing = try await ChildProgram.run([media.clip, "--store", folder.file("none/store.json")])
        #expect(missing.code == 73)
        #expect(missing.errors.contains("cannot create \(folder.file("none/store.json")): No such file or directory"))
        let directory = try await ChildProgram.run([media.clip, "--store", folder.path])
        #expect(directory.code == 73)
        #expect(directory.errors.contains("cannot create \(folder.path): it is a directory"), "\(directory.errors)")
        #expect(!(missing.errors + directory.errors).contains("loading"))
    }

    @Test("Persistent values that could not be written are a lost output")
    func lostStore() async throws {
        let store = folder.write("kept/store.json", "{}")
        let socket = folder.file("socket")
        let player = try ChildProgram.player([
            media.clip, "--script", folder.write("script", "0 pause"), "--store", store, "--control", socket,
            "--plugins", "nielsen-dcr",
            "--set", "plugins.nielsen-dcr.config.appid=P10DF14BA-937E-436D-99DF-ED39A0422387",
            "--set", "plugins.nielsen-dcr.config.content.assetid=clip",
        ])
        #expect(await player.says("playing after"))
        try #require(unsafe rename(folder.file("kept"), folder.file("away")) == 0)
        let choice = ["plugin", "command", "nielsen-dcr", "userOptOut", #"{"url": "nielsenappsdk://1"}"#]
        #expect(try await ChildProgram.run(["ctl", "--timeout", "300", "--control", socket] + choice).code == 0)
        #expect(try await ChildProgram.run(["ctl", "--timeout", "300", "--control", socket, "stop"]).code == 0)
        let result = try await player.outcome()
        #expect(result.code == 74, "\(result.errors)")
        #expect(result.errors.contains("cannot keep persistent values: No such file or directory"))
    }

    /// Plays with a store, and tells of each ping whether it says that the user is opted out.
    private func pings(_ script: String) throws -> [Bool] {
        let output = folder.file("out.jsonl")
        let simulated = SimulatedPlayer()
        let plugins = try PluginFolder(plugins: ["nielsen-dcr", "jsonlines"])
        let result = try simulated.run(
            [
                simulated.clip, "-q", "--script", folder.write("script", script), "--store", folder.file("store.json"),
                "--plugins", "nielsen-dcr,jsonlines", "--set", "plugins.jsonlines.config.path=\(output)",
                "--set", "plugins.nielsen-dcr.config.appid=P10DF14BA-937E-436D-99DF-ED39A0422387",
                "--set", "plugins.nielsen-dcr.config.content.assetid=clip",
            ],
            plugins: plugins.path
        )
        #expect(result.code == 0, "\(result.errors)")
        let lines = try TestFile.text(output).split(separator: "\n").map { try JSONParser().parse(String($0)) }
        return lines.filter { $0["kind"] == "ping" }.map { $0["attributes"]?["uoo"] == "true" }
    }
}
