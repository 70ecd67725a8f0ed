import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// A player starts without a tracker that is not there, and says so; what is required ends the start.
@Suite struct DegradedStartTests {
    /// A folder with a plugin folder, a configuration and a state of its own.
    private struct Place {
        let folder = PluginFolder()

        /// Plays what is not there, so that nothing is played: how the program ended tells that it came so far.
        func play(
            _ instances: String,
            _ more: [String] = [],
            environment: [String: String] = [:]
        ) async throws -> ChildProgram.Outcome {
            folder.write(Array("{ plugins: \(instances) }".utf8), to: "tally.json5")
            return try await ChildProgram.run(
                "tally-player",
                more + [
                    "--plugin-dir", folder.path, "--config", folder.file("tally.json5"), "--json",
                    folder.file("missing.mp4"),
                ],
                environment: environment.merging(["TALLY_STATE": folder.file("state")]) { first, _ in first }
            )
        }
    }

    private static let reporter = #""discard": {}"#

    @Test("A tracker that no file has is left out with one error line, and stands in the summary as missing")
    func missing() async throws {
        let place = Place()
        let played = try await place.play(#"{ "gone": { plugin: "org.example.gone" }, \#(Self.reporter) }"#)
        #expect(played.code == 66, "\(played.errors)")
        #expect(played.errors.contains("error: gone: no plugin org.example.gone in "))
        #expect(played.errors.contains("It is not required: all goes on without it."))
        #expect(played.errors.contains(#""name":"gone","plugin":"org.example.gone","state":"missing""#))

        let required = try await place.play(
            #"{ "gone": { plugin: "org.example.gone", required: true }, \#(Self.reporter) }"#
        )
        #expect(required.code == 75 && required.errors.contains("no plugin org.example.gone"))
    }

    @Test("A name of --plugins that no file has ends the start: it is misspelt")
    func misspelt() async throws {
        let played = try await Place().play("{}", ["--plugins", "gone,discard"])
        #expect(played.code == 75, "\(played.errors)")
        #expect(played.errors.contains("no plugin gone"))
    }

    @Test("A tracker whose file cannot be used, or is in quarantine, is left out; with required it ends the start")
    func unusable() async throws {
        let place = Place()
        let file = try place.folder.make("libcounter.tallyplugin.so", mode: "crash-load")
        let failed = try await place.play(#"{ "counter": {}, \#(Self.reporter) }"#)
        #expect(failed.code == 66, "\(failed.errors)")
        #expect(failed.errors.contains(#""name":"counter","plugin":"counter","state":"failed""#))

        try place.folder.make("libcounter.tallyplugin.so", mode: "crash-host")
        let crashed = try await place.play(
            #"{ "counter": {}, \#(Self.reporter) }"#,
            environment: ["SWIFT_BACKTRACE": ""]
        )
        #expect(crashed.code == -SIGILL)
        // Nothing follows it, such as Swift's backtrace.
        let last = "; it will be quarantined: the next start does not load this file.\n"
        #expect(crashed.errors.hasSuffix(last), "\(crashed.errors)")
        #expect(crashed.errors.contains("tally-player: error: plugin counter (\(file)) crashed in load"))
        let without = try await place.play(#"{ "counter": {}, \#(Self.reporter) }"#)
        #expect(without.code == 66, "\(without.errors)")
        #expect(without.errors.contains(#""name":"counter","plugin":"counter","state":"quarantined""#))
        #expect(without.errors.contains("error: counter: \(file): in quarantine: load crashed with signal 4"))
        #expect(without.errors.contains(". Replace it, or say \"tally-player plugin release "))
        let lines = without.errors.split(separator: "\n").filter { $0.hasPrefix("tally-player: ") }
        #expect(lines.count { $0.contains("in quarantine") } == 1, "\(lines)")
        let required = try await place.play(#"{ "counter": { required: true }, \#(Self.reporter) }"#)
        #expect(required.code == 75, "\(required.errors)")

        let listing = try await ChildProgram.run(
            "tally-player",
            [
                "plugin", "list", "--plugin-dir", place.folder.path, "--config", place.folder.file("tally.json5"),
                "--json",
            ],
            environment: ["TALLY_STATE": place.folder.file("state")]
        )
        #expect(listing.code == 0, "\(listing.errors)")
        #expect(listing.output.components(of: #""state":"quarantined""#) == 1, "\(listing.output)")
    }

    @Test("A tracker of which no instance can be made is left out; with required it ends the start")
    func unfit() async throws {
        let place = Place()
        let file = try place.folder.make("libcounter.tallyplugin.so", mode: "fail-create")
        for reporter in [", \(Self.reporter)", ""] {
            let played = try await place.play("{ counter: { required: false }\(reporter) }")
            #expect(played.code == 66, "\(played.errors)")
            let line = "tally-player: error: counter: the plugin refused to make an instance. "
            #expect(played.errors.contains(line + "Its author has to mend it. It is not"), "\(played.errors)")
            let fact = #""name":"counter","plugin":"\#(ControlledRun.patched)","state":"failed""#
            #expect(played.errors.contains(fact), "\(played.errors)")
            let required = try await place.play("{ counter: { required: true }\(reporter) }")
            #expect(required.code == 75, "\(required.errors)")
        }
        let explained = try await place.play("{ counter: {} }", ["--explain"])
        #expect(explained.code == 0, "\(explained.errors)")

        let catalog = PluginCatalog()
        try catalog.add(catalog.library(file))
        let left = try Telemetry(plugins: [PluginSelection("counter", required: false)], catalog: catalog)
        let rows = left.pluginStatuses()
        #expect(rows.map(\.state) == [.failed] && rows.map(\.name) == ["counter"], "\(rows)")
    }

    @Test("A reporter that is not there ends the start, and so does anything that a replay lacks")
    func required() async throws {
        let place = Place()
        let file = try place.folder.make("libcounter.tallyplugin.so", mode: "crash-load")
        // Nobody knows what it is, and there is no other reporter.
        let played = try await place.play(#"{ "counter": {} }"#)
        #expect(played.code == 75 && played.errors.contains(file), "\(played.errors)")

        let archives = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let arguments = [
            "--config", place.folder.file("replay.json5"), "--json", "/\(archives)/ReplayTests/Archives/plain.tally",
        ]
        place.folder.write(Array(#"{ plugins: { "gone": {}, \#(Self.reporter) } }"#.utf8), to: "replay.json5")
        let replayed = try await ChildProgram.run("tally-replay", arguments)
        #expect(replayed.code == 75 && replayed.errors.contains("no plugin gone"), "\(replayed.errors)")

        place.folder.write(
            Array(#"{ plugins: { "gone": { required: false }, \#(Self.reporter) } }"#.utf8),
            to: "replay.json5"
        )
        let without = try await ChildProgram.run("tally-replay", arguments)
        #expect(without.code == 0, "\(without.errors)")
        #expect(without.errors.contains(#""name":"gone","plugin":"gone","state":"missing""#), "\(without.errors)")
    }

    @Test("A configuration that a tracker refuses is an error of the start, required or not")
    func refused() async throws {
        let place = Place()
        try place.folder.make("libcounter.tallyplugin.so", mode: "fail-init")
        let played = try await place.play(#"{ "counter": {}, \#(Self.reporter) }"#)
        #expect(played.code == 75, "\(played.errors)")
        #expect(played.errors.contains("told to refuse in init"))
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
