import ChildPrograms
import TallyTesting
import TestFiles
import Testing

/// Programs in C that are compiled against the header and linked with the library, as those of others are.
struct CProgram {
    let folder = TemporaryFolder()
    private let program: String

    /// A folder with the library and the plugins that are used: each file of a folder is opened and hashed.
    static let plugins: TemporaryFolder = {
        let folder = TemporaryFolder()
        for name in ["new-relic-video", "mux-data", "jsonlines", "sqlite"] {
            _ = try? folder.copy(PluginFiles.plugin(name), as: "lib\(name).tallyplugin.so")
        }
        folder.link("libtally.so", to: PluginFiles.folder + "/libtally.so")
        return folder
    }()
    static var built: String { plugins.path }

    /// The options under which the header has nothing to complain of.
    static let strict = ["-Wall", "-Wextra", "-pedantic", "-Werror"]

    /// Compiles a source of the repository, with a header of its own where one is given.
    init(_ source: String, headers: String = "Hosts/Library/CTally/include", standard: String = "gnu11") async throws {
        let library = folder.file("libtally.so.1")
        #expect(folder.link("libtally.so.1", to: Self.built + "/libtally.so"))
        program = folder.file("program")
        let root = TestFile.repository + "/"
        let isPlusPlus = source.hasSuffix(".cpp")
        let said = try await ChildProgram.run(
            isPlusPlus ? "/usr/bin/g++" : "/usr/bin/gcc",
            ["-std=" + standard] + Self.strict + [
                "-I" + root + headers, "-o", program, root + source, library, "-pthread",
            ]
        )
        #expect(said.code == 0, "\(said.errors)")
    }

    /// Runs the program with the library in its way.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProgram.Outcome {
        let more = [
            "LD_LIBRARY_PATH": folder.path, "SWIFT_BACKTRACE": "enable=no", "TALLY_CACHE": folder.file("cache"),
        ]
        return try await ChildProgram.run(program, arguments, environment: more.merging(environment) { $1 })
    }

    /// Runs one of the cases: archives go to `archives` in the folder, outputs to `out.jsonl`.
    func run(case name: String, _ more: String...) async throws -> [String] {
        let said = try await run([name, Self.built, folder.file("archives"), folder.file("out.jsonl")] + more)
        #expect(said.code == 0, "\(said.errors)")
        return said.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The archives that the program made, by name.
    var archives: [String] {
        let archives = folder.file("archives")
        return TemporaryFolder.names(in: archives).sorted().map { archives + "/" + $0 }
    }
}
