import Testing

/// What the two commands of the README promise on a fresh machine.
struct ScriptTests {
    @Test(
        "What a script needs is installed before anything else is done",
        arguments: [("Scripts/test", "step "), ("Scripts/quickstart", "Scripts/")]
    )
    func installsFirst(path: String, command: String) throws {
        let lines = try Document(path: path).text.split(separator: "\n")
        let first = try #require(lines.first { $0.hasPrefix(command) })
        #expect(first.contains("Scripts/bootstrap"), "\(path) begins with: \(first)")
    }
}
