import ChildPrograms
import Glibc
import Tally
import Testing
import TextEncoding

/// The version in full, on the command line.
struct VersionTests {
    @Test(
        "--version --json has all parts of the version and the API level, in any order",
        arguments: [
            ("tally-player", ["--version", "--json"]), ("tally-replay", ["--json", "--version"]),
            ("tally-player", ["ctl", "--version", "--json"]),
        ]
    )
    func json(program: String, arguments: [String]) async throws {
        let result = try await ChildProgram.run(arguments, program: program)
        #expect(result.code == 0)
        let version = try JSONParser().parse(result.output)
        let parts = ["major", "minor", "micro", "patch"].compactMap { version[$0]?.int }.map { "\($0)" }
        let build = try #require(version["build"]?.string)
        #expect(version["full_version"]?.string == "linux-" + parts.joined(separator: ".") + "-" + build)
        #expect(version["version"]?.string == TallyVersion.core && version["platform"] == "linux")
        #expect(version["api_level"]?.int == Int64(TallyVersion.apiLevel))
        #expect(build.wholeMatch(of: /[0-9a-f]{7}/) != nil)
    }

    @Test("The build is a commit of the repository, and zeros outside of one")
    func commit() {
        let build = TallyVersion.build
        guard Self.git("rev-parse --git-dir") else { return #expect(build == "0000000") }
        #expect(Self.git("cat-file -e \(build)^{commit}"), "\(build) is no commit")
    }

    @Test("A plugin's version in full is in the listing and in what is known of it")
    func plugin() async throws {
        let search = ["--plugin-dir", TestFile.products]
        let listing = try await ChildProgram.run(["--list-plugins", "--json"] + search)
        let plugins = try #require(try JSONParser().parse(listing.output)["plugins"]?.array)
        let found = try #require(plugins.first { $0["id"] == "com.adobe.heartbeat" })
        let full = try #require(found["full_version"]?.string)
        #expect(full == "linux-\(found["version"]?.string ?? "").0-\(TallyVersion.build)")
        // An example says nothing of its build.
        #expect(plugins.first { $0["id"] == "org.tally.example.c" }?["full_version"] == "linux-1.0.0.0-0000000")
        let details = try await ChildProgram.run(["plugin", "show", "adobe-heartbeat", "--json"] + search)
        #expect(try JSONParser().parse(details.output)["plugin"]?["full_version"]?.string == full)
        let text = try await ChildProgram.run(["plugin", "show", "adobe-heartbeat"] + search)
        #expect(text.output.contains(full))
    }

    private static func git(_ arguments: String) -> Bool {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return unsafe system("git -C '/\(folder)' \(arguments) >/dev/null 2>&1") == 0
    }
}
