import HostSupport
import Testing

struct ExitCodeTests {
    @Test("Every code has a number, a name and a sentence of its own")
    func table() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 78, 130])
        #expect(Set(ExitCode.allCases.map(\.name)).count == ExitCode.allCases.count)
        #expect(ExitCode.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
        let rows = ExitCode.markdownTable.split(separator: "\n")
        #expect(rows.count == ExitCode.allCases.count + 2)
        #expect(rows.contains { $0.hasPrefix("| 76 | `newer-version` |") })
    }

    @Test("A near name is suggested, a far one is not")
    func nearestName() {
        let names = ["plugins", "pluginDirectories", "archive", "no", "config"]
        #expect(NearestName.among(names, to: "plugns") == "plugins")
        #expect(NearestName.among(names, to: "Archive") == "archive")
        #expect(NearestName.among(names, to: "achrive") == "archive")
        #expect(NearestName.among(names, to: "conf") == "config")
        #expect(NearestName.among(names, to: "configuration") == "config")
        #expect(NearestName.among(names, to: "zzzzzz") == nil)
        #expect(NearestName.among([], to: "a") == nil)
    }
}
