import Testing

/// That no structure of the headers is left out of the layout tests.
struct LayoutCoverageTests {
    @Test("Every structure is held against its layout, in Swift and in C")
    func complete() throws {
        let structures = try Header.all.flatMap(\.structures)
        let tests = try SourceFile.names(in: "Tests/PluginABITests").filter { $0.hasSuffix("LayoutTests.swift") }
            .map { try SourceFile.text("Tests/PluginABITests/" + $0) }.joined()
        let assertions = try SourceFile.text("Tests/Fixtures/Layout/layout.c")
        #expect(structures.count >= 25)
        for structure in structures {
            #expect(tests.contains("of: \(structure).self,"), "\(structure) has no expectLayout")
            #expect(assertions.contains("SIZE(\(structure), "), "\(structure) has no assertion in layout.c")
        }
    }

    @Test("The C assertions name as many members as the Swift tests, at the same offsets")
    func sameInBothLanguages() throws {
        let tests = try SourceFile.names(in: "Tests/PluginABITests").filter { $0.hasSuffix("LayoutTests.swift") }
            .map { try SourceFile.text("Tests/PluginABITests/" + $0) }.joined(separator: "\n")
        var swift: Set<String> = []
        var structure = ""
        for line in tests.split(separator: "\n").map({ $0.trimmingPrefix { $0 == " " } }) {
            if line.hasPrefix("of: ") { structure = String(line.dropFirst(4).prefix { $0 != "." }) }
            if line.hasPrefix("(\\.") {
                let member = line.dropFirst(3).dropLast(2).replacing("`", with: "")
                swift.insert("\(structure), \(member)")
            }
        }
        let assertions = try SourceFile.text("Tests/Fixtures/Layout/layout.c").split(separator: "\n")
        let c = Set(
            assertions.filter { $0.hasPrefix("AT(") && !$0.contains(" v.") }.map { String($0.dropFirst(3).dropLast(2)) }
        )
        #expect(swift == c)
    }
}
