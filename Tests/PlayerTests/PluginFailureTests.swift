import ChildPrograms
import Testing
import TextEncoding

/// Plugins that cannot be used, and outputs that cannot be written.
struct PluginFailureTests {
    private let media = TestMedia.shared
    private let simulated = SimulatedPlayer()
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("A plugin that cannot be used is told with its file and what to do, before anything is played")
    func unusable() async throws {
        let plugins = try PluginFolder(fixtures: ["no-entry", "wrong-major"])
        let text = plugins.add(text: "not a library", as: "text")
        for (name, message) in [
            ("no-entry", "not a Tally plugin"), ("wrong-major", "built for plugin ABI 2"),
            ("text", "it is no ELF file"), ("absent", "no plugin absent in \(plugins.path)"),
        ] {
            let result = try await ChildProgram.run([media.clip, "--plugins", name, "--plugin-dir", plugins.path])
            #expect(result.code == 75)
            let error = result.errors.split(separator: "\n").first { $0.contains("error: --plugins \(name): ") }
            #expect(error?.contains(message) == true, "\(result.errors)")
            #expect(result.errors.contains("warning: not used: \(text)"))
            #expect(!result.errors.contains("loading"))
        }
    }

    @Test("A script finds a plugin although none was chosen")
    func loadedByScript() throws {
        let plugins = try PluginFolder(plugins: ["example-c"])
        let archive = folder.file("run.tally")
        let script = folder.write("script", "0.3 plugin load example-c\n0.3 stop")
        let result = try simulated.run(
            [simulated.clip, "--script", script, "--archive", archive, "--quiet"],
            plugins: plugins.path
        )
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        let text = try TestFile.text(archive)
        #expect(text.contains("org.tally.example.c"), "\(text)")
    }

    @Test("Of two files with one id the second is not used, which is told with both")
    func duplicateID() throws {
        let plugins = try PluginFolder(fixtures: ["frozen-v1", "duplicate-id"])
        let arguments = [simulated.clip, "--plugins", "org.tally.fixture.frozen-v1", "--duration", "0.5"]
        let result = try simulated.run(arguments, plugins: plugins.path)
        #expect(result.code == 0, "\(result.errors)")
        let line = result.errors.split(separator: "\n").first { $0.contains("warning: not used: ") }
        #expect(line?.contains("\(plugins.path)/libfrozen-v1.tallyplugin.so") == true, "\(result.errors)")
        #expect(line?.contains("\(plugins.path)/libduplicate-id.tallyplugin.so") == true)
    }

    @Test("Two instances of one name are told with both places")
    func duplicateName() async throws {
        let config = folder.write(
            "tally.json5",
            "{plugins: [\n {name: 'a', plugin: 'discard'},\n {name: 'a', plugin: 'example-c'}]}"
        )
        let result = try await ChildProgram.run([media.clip, "--config", config])
        #expect(result.code == 78)
        #expect(result.errors.contains("\(config):3:"), "\(result.errors)")
        #expect(result.errors.contains("the instance name \"a\" is taken at \(config):2:"))
    }

    @Test("A plugin that fails to start is told with its place and its reason")
    func initFails() async throws {
        let plugins = try PluginFolder(fixtures: ["init-fails"])
        let config = folder.write("tally.json5", "{plugins: [\n  {name: 'a', plugin: 'init-fails'}]}")
        let result = try await ChildProgram.run([media.clip, "--config", config, "--plugin-dir", plugins.path])
        #expect(result.code == 78)
        #expect(result.errors.contains("\(config):2:"), "\(result.errors)")
        #expect(result.errors.contains("plugins.a.config: the tracking server has no name"))
    }

    @Test("A tracker that returns errors does not disturb playback, and the exit code tells of it")
    func errorsWithoutEnd() throws {
        let plugins = try PluginFolder(fixtures: ["errors-without-end"])
        let archive = folder.file("run.tally")
        let result = try simulated.run(
            [
                simulated.clip, "--plugins", "errors-without-end", "--archive", archive, "--script",
                folder.write("script", "1 stop"),
            ],
            plugins: plugins.path
        )
        #expect(result.code == 75, "\(result.errors)")
        #expect(result.errors.contains("error number 1 of this instance"))
        #expect(result.errors.contains(" errors: what they say may not be complete"))
        #expect(try RecordedRun(archive).names.suffix(2) == ["video_unload", "application_terminated"])
    }

    @Test("An archive that cannot be created is told before anything is played")
    func unwritableArchive() async throws {
        for (path, reason) in [
            ("/nowhere/run.tally", "cannot create the archive: No such file or directory"),
            ("/dev/full", "No space left on device"),
        ] {
            let result = try await ChildProgram.run([media.clip, "--archive", path])
            #expect(result.code == 73)
            #expect(result.errors.contains("error: \(path): "), "\(result.errors)")
            #expect(result.errors.contains(reason))
            #expect(!result.errors.contains("loading"))
        }
    }

    @Test("A reporter that ends its own process three times costs its outputs alone: 74, and the next start refuses it")
    func reporterEndsThrice() async throws {
        let plugins = try PluginFolder(fixtures: ["hostile-reporter"])
        let id = "org.tally.fixture.hostile-reporter"
        let config = folder.write(
            "tally.json5",
            "{plugins: {hostile: {plugin: '\(id)', isolation: 'process', config: {kind: 1, again: 1, after: 0}}}}"
        )
        let archive = folder.file("run.tally")
        let arguments = [
            media.clip, "--config", config, "--plugin-dir", plugins.path, "--plugins", "hostile", "--archive", archive,
        ]
        let environment = ["TALLY_STATE": folder.file("state")]
        let result = try await ChildProgram.run(arguments, environment: environment)
        #expect(result.code == 74, "\(result.errors)")
        #expect(result.errors.contains("(SIGSEGV), for the third time in ten minutes: all goes on without it"))
        #expect(try RecordedRun(archive).names.suffix(2) == ["video_unload", "application_terminated"])
        let again = try await ChildProgram.run(arguments, environment: environment)
        #expect(again.code == 75 && again.errors.contains("in quarantine: "), "\(again.errors)")
    }

    @Test("Outputs that a reporter could not write are counted and told with the reason")
    func fullDisk() throws {
        let plugins = try PluginFolder(plugins: ["example-c", "jsonlines"])
        let result = try simulated.run(
            [
                simulated.clip, "--plugins", "example-c,jsonlines", "--set",
                "plugins.jsonlines.config.path=/dev/full", "--script", folder.write("script", "0.5 stop"), "--json",
            ],
            plugins: plugins.path
        )
        #expect(result.code == 74)
        #expect(result.errors.contains("No space left on device"))
        let reporter = try result.summary()["reporters"]?[0]
        #expect(reporter?["lost"]?.int ?? 0 > 0)
        #expect(reporter?["taken"] == .int(0))
    }
}
