import Tally
import TallyTesting
import Testing

/// Commands, queries and configuration of a tracker while a run goes on.
@Suite struct CommandTests {
    private static func run() throws -> (ControlledRun, PluginFolder) {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        run.perform(.load)
        return (run, folder)
    }

    @Test("A query is answered and leaves no trace in the archive")
    func query() throws {
        let (run, _) = try Self.run()
        #expect(try run.run.command(plugin: "counter", "count") == ["count": 1])
        let recorded = run.end()
        #expect(!recorded.live.events.contains { $0.contains("plugin_command") })
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("A command that changes state is archived and runs again in a replay as recorded")
    func command() throws {
        let (run, _) = try Self.run()
        #expect(try run.run.command(plugin: "counter", "add", ["n": 40]) == ["count": 41])
        run.perform(.play)
        #expect(run.said("counter") == ["begin 0", "event 1", "added 41", "event 42"])
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_command") } == 1)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("A new configuration counts from the next event on, and again in a replay as recorded")
    func configure() throws {
        let (run, _) = try Self.run()
        try run.run.configure(plugin: "counter", ["step": 10])
        run.perform(.play)
        #expect(run.said("counter").last == "event 11")
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("A configuration that the plugin refuses changes nothing and says why")
    func refused() throws {
        let (run, _) = try Self.run()
        let error = #expect(throws: ControlError.self) {
            try run.run.configure(plugin: "counter", ["step": 0])
        }
        #expect(error?.kind == .refused && error?.description.contains("a step of 0 counts nothing") == true)
        run.perform(.play)
        #expect(run.said("counter").last == "event 2")
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("What does not exist is refused with what there is")
    func unknown() throws {
        let (run, _) = try Self.run()
        #expect(throws: ControlError.self) { try run.run.command(plugin: "nobody", "count") }
        let command = #expect(throws: ControlError.self) { try run.run.command(plugin: "counter", "fly") }
        #expect(command?.kind == .notOffered && command?.description.contains("count, add") == true)
        let configure = #expect(throws: ControlError.self) { try run.run.configure(plugin: "nobody", [:]) }
        #expect(configure?.kind == .unknownPlugin && configure?.description.contains("counter") == true)
    }

    @Test("A configuration that is larger than an event is refused before anything happens")
    func tooLarge() throws {
        let (run, _) = try Self.run()
        let text = String(repeating: "x", count: 20_000)
        let error = #expect(throws: ControlError.self) {
            try run.run.configure(plugin: "counter", ["step": 9, "note": .string(text)])
        }
        #expect(error?.kind == .tooLarge)
        run.perform(.play)
        #expect(run.said("counter").last == "event 2")
    }

    @Test("The list of plugins has state, version, hash, counters and commands")
    func list() throws {
        let (run, _) = try Self.run()
        let counter = try #require(run.run.plugins().first { $0.name == "counter" })
        #expect(counter.state == .enabled && counter.kind == .tracker && counter.version == "1.0.0")
        #expect(counter.sha256.utf8.count == 64 && counter.file.hasSuffix("libcounter.tallyplugin.so"))
        #expect(counter.tracker?.events == 1 && counter.tracker?.records == 2)
        #expect(counter.commands.map(\.name) == ["count", "add"])
        #expect(counter.commands.map(\.changesState) == [false, true])
        run.run.disable(plugin: "counter")
        #expect(run.run.plugins().first { $0.name == "counter" }?.state == .disabled)
        run.run.destroy()
        #expect(run.run.plugins().first { $0.name == "counter" }?.tracker?.events == 1)
        #expect(throws: ControlError.self) { try run.run.command(plugin: "counter", "count") }
    }
}
