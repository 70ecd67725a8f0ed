import HostSupport
import Testing

struct PluginDirectoryTests {
    private func all(
        options: [String] = [],
        configured: [String] = [],
        _ environment: [String: String] = [:],
        executable: String? = nil
    ) -> [PluginDirectory] {
        PluginDirectory.all(
            options: options,
            configured: configured,
            environment: { environment[$0] },
            executable: executable
        )
    }

    @Test("Option, configuration, environment, user, system, beside the program: in this order")
    func order() {
        let found = all(
            options: ["/o1", "o2"],
            configured: ["/c"],
            ["TALLY_PLUGIN_PATH": "/e1:/e2", "HOME": "/home/x"],
            executable: "/opt/tally/bin/tally-replay"
        )
        #expect(
            found == [
                PluginDirectory("/o1", .option), PluginDirectory("o2", .option), PluginDirectory("/c", .configuration),
                PluginDirectory("/e1", .environment), PluginDirectory("/e2", .environment),
                PluginDirectory("/home/x/.local/lib/tally/plugins", .user),
                PluginDirectory("/opt/tally/lib/tally/plugins", .installation),
                PluginDirectory("/usr/local/lib/tally/plugins", .system),
                PluginDirectory("/usr/lib/tally/plugins", .system),
                PluginDirectory("/opt/tally/bin", .executable),
            ]
        )
    }

    @Test("The plugins of the program's own tree go before the system's, unless it is the system's own tree")
    func installation() {
        let system = ["/usr/local/lib/tally/plugins", "/usr/lib/tally/plugins"]
        #expect(all(executable: "/usr/bin/tally-player").map(\.path) == system + ["/usr/bin"])
        #expect(all(executable: "/usr/local/bin/tally-player").map(\.path) == system + ["/usr/local/bin"])
        #expect(all(executable: "/work/release/tally-player").map(\.path) == system + ["/work/release"])
        #expect(all(executable: "/a/bin/tally-player").map(\.path) == ["/a/lib/tally/plugins"] + system + ["/a/bin"])
    }

    @Test("The environment never leads to the present folder", arguments: ["", ":", "::/a:"])
    func emptyParts(path: String) {
        let found = all(["TALLY_PLUGIN_PATH": path, "HOME": ""]).map(\.path)
        #expect(found.filter { !$0.hasPrefix("/usr/") } == (path.contains("/a") ? ["/a"] : []))
    }

    @Test("A folder that is named twice counts where it is named first, whatever it is called")
    func twice() {
        let folder = TemporaryFolder()
        folder.write("sub/file", "")
        let found = all(options: [folder.path + "/sub/.."], configured: [folder.path], executable: folder.path + "/x")
        #expect(found.first == PluginDirectory(folder.path + "/sub/..", .option))
        #expect(found.dropFirst().allSatisfy { $0.origin == .system })
    }

    @Test("Only a folder that somebody named for this run has to exist")
    func problem() {
        let missing = TemporaryFolder().file("missing")
        #expect(PluginDirectory(missing, .option).problem == "No such file or directory")
        #expect(PluginDirectory(missing, .configuration).problem == "No such file or directory")
        #expect(PluginDirectory("/dev/null", .option).problem == "Not a directory")
        #expect(PluginDirectory(missing, .environment).problem == nil)
        #expect(PluginDirectory(missing, .user).problem == nil)
        #expect(PluginDirectory("/", .option).problem == nil)
    }

    @Test("The program's own file is told")
    func executable() throws {
        #expect(try #require(PluginDirectory.executable).hasPrefix("/"))
    }
}
