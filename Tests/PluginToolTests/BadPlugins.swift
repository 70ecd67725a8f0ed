import ChildPrograms
import TestFiles
import Testing

/// A good tracker and a good reporter, and for each check a plugin that is bad in that way alone; compiled for one test.
final class BadPlugins: Sendable {
    /// Checks whose bad plugin is compiled or linked in its own way, with what the compiler is told.
    private static let own: [String: [String]] = [
        "file-format": [], "exports-entry": [], "exports-nothing-else": [], "stack": ["-Wl,-z,execstack"],
        "libraries": ["-Wl,--no-as-needed", "-ltally-gone"], "symbols": [],
    ]
    /// What stands in a compiled plugin before the number of the rule that it breaks.
    private static let mark = Array("tally fixture rule:".utf8) + [0]

    private let folder = TemporaryFolder()
    private let tracker: Template
    private let reporter: Template
    private let numbers: [String: Int]

    /// A compiled plugin, and where the number of its rule stands.
    private struct Template {
        let bytes: [UInt8]
        let place: Int

        init(_ path: String) throws {
            bytes = try TestFile.bytes(path)
            let found = bytes.indices.first { [bytes] in bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
            place = try #require(found) + mark.count
        }
    }

    /// Compiles both.
    init() async throws {
        try await Self.compile(["entry.c", "tracker.c"], to: folder.file("tracker.so"))
        try await Self.compile(["entry.c", "reporter.c"], to: folder.file("reporter.so"))
        tracker = try Template(folder.file("tracker.so"))
        reporter = try Template(folder.file("reporter.so"))
        numbers = Dictionary(uniqueKeysWithValues: try Self.names.enumerated().map { ($1, $0) })
    }

    /// The names of the checks that there is a bad plugin for, by their numbers in `fixture.h`; `none` is the good one.
    static var names: [String] {
        get throws {
            let header = try TestFile.source("Tests/PluginToolTests/Fixtures/fixture.h")
            let list = header.split(separator: "enum {")[1].split(separator: "};")[0]
            return list.split { !$0.isLetter && $0 != "_" }.filter { $0.hasPrefix("BAD_") }
                .map { $0.dropFirst(4).lowercased().replacing("_", with: "-") }
        }
    }

    /// The file of the plugin that is bad for a check.
    func file(_ check: String, isReporter: Bool) async throws -> String {
        let name = check + (isReporter ? "-reporter" : "") + (check == "file-name" ? ".so" : ".tallyplugin.so")
        if let options = Self.own[check] {
            try await compile(check, options, to: folder.file(name))
            return folder.file(name)
        }
        let template = isReporter ? reporter : tracker
        var bytes = template.bytes
        bytes[template.place] = UInt8(try #require(numbers[check]))
        return folder.write(name, bytes: bytes)
    }

    private func compile(_ check: String, _ options: [String], to path: String) async throws {
        let word = check.uppercased().replacing("-", with: "_")
        let options = options + ["-DBAD=BAD_\(word)", "-DBAD_IS_\(word)=1", "-L\(folder.path)"]
        guard check != "file-format" else {
            return try await Self.compile(["entry.c"], ["-c"] + options, to: path)
        }
        let library = folder.file("libtally-gone.so")
        if check == "libraries" {
            let source = folder.write("gone.c", "void tally_fixture_of_library(void) {}\n")
            let run = try await ChildProgram.run("/usr/bin/gcc", ["-shared", "-fPIC", source, "-o", library])
            #expect(run.code == 0, "\(run.errors)")
        }
        try await Self.compile(["entry.c", "tracker.c"], options, to: path)
        if check == "libraries" { TemporaryFolder.remove(library) }
    }

    private static func compile(_ sources: [String], _ options: [String] = [], to path: String) async throws {
        let root = TestFile.repository
        let words =
            ["-O0", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-use-after-free", "-fPIC", "-fvisibility=hidden"]
            + ["-I\(root)/Core/PluginABI/include"]
            + (options.contains("-c") ? [] : ["-shared"])
            + sources.map { "\(root)/Tests/PluginToolTests/Fixtures/\($0)" } + ["-o", path] + options
        let run = try await ChildProgram.run("/usr/bin/gcc", words)
        #expect(run.code == 0, "\(run.errors)")
    }
}
