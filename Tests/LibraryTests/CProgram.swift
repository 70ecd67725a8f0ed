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

    /// Compiles a source of the repository, unless that was done before, with a header of its own where one is given.
    init(_ source: String, headers: String = "Hosts/Library/CTally/include", standard: String = "gnu11") async throws {
        #expect(folder.link("libtally.so.1", to: Self.built + "/libtally.so"))
        program = try await Self.compiled.program(source, headers, standard)
    }

    private static let compiled = CompiledPrograms()

    /// Programs by what they are made of: each is compiled once.
    private actor CompiledPrograms {
        private var programs: [String: Task<TemporaryFolder, any Error>] = [:]

        func program(_ source: String, _ headers: String, _ standard: String) async throws -> String {
            let key = [source, headers, standard].joined(separator: " ")
            let task = programs[key] ?? Task { try await Self.compile(source, headers, standard) }
            programs[key] = task
            return try await task.value.file("program")
        }

        private static func compile(
            _ source: String,
            _ headers: String,
            _ standard: String
        ) async throws -> TemporaryFolder {
            let (folder, root) = (TemporaryFolder(), TestFile.repository + "/")
            let said = try await ChildProgram.run(
                source.hasSuffix(".cpp") ? "/usr/bin/g++" : "/usr/bin/gcc",
                ["-std=" + standard] + CProgram.strict + [
                    "-I" + root + headers, "-o", folder.file("program"), root + source,
                    CProgram.built + "/libtally.so", "-pthread",
                ]
            )
            #expect(said.code == 0, "\(said.errors)")
            return folder
        }
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
