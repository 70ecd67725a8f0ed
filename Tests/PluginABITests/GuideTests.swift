import EventModel
import Testing

/// The plugin author's guide against the plugin that is built from it.
struct GuideTests {
    @Test("The guide's C code is the file that the tests compile")
    func sameCode() throws {
        let guide = try SourceFile.text("docs/plugin-authors-guide.md")
        let code = try SourceFile.text("Tests/Fixtures/Guide/pauses.c")
        #expect(guide.contains("```c\n\(code)```\n"))
    }

    @Test(
        "The guide's code in Swift is what the tests compile and run; they find the file under a name of their own",
        arguments: [
            "Tests/Examples/Waiting/WaitingTracker.swift", "Tests/Examples/Waiting/PluginEntry.swift",
            "Tests/GuideTests/WaitingTests.swift", "Tests/GuideTests/FakeHostTests.swift",
        ]
    )
    func sameSwift(path: String) throws {
        let guide = try SourceFile.text("docs/plugin-authors-guide.md")
        let code = try SourceFile.text(path).replacing("PluginFiles.fixture(", with: "PluginFiles.plugin(")
        #expect(guide.contains("```swift\n\(code)```\n"))
    }

    @Test("The guide's limits are those that are enforced")
    func sameLimits() throws {
        let guide = try SourceFile.text("docs/plugin-authors-guide.md")
        #expect(guide.contains("| an event block | \(Limits.eventBytes / 1024) KiB |"))
        #expect(guide.contains("| a record: header, attributes and texts | \(Limits.recordBytes / 1024) KiB |"))
        #expect(guide.contains("| a beacon | \(Limits.beaconBytes / 1024 / 1024) MiB |"))
        #expect(guide.contains("| attributes of an event or a record | \(Limits.attributes) |"))
        #expect(guide.contains("| an attribute's name, a record's kind | \(Limits.nameBytes) bytes |"))
        #expect(guide.contains("| a text, or a list with its texts | \(Limits.valueBytes / 1024) KiB |"))
        #expect(guide.contains("| lists in lists | \(Limits.listDepth) deep |"))
        #expect(guide.contains("| timers of one instance | \(Limits.timers / 1000),000 |"))
        #expect(guide.contains("\(Limits.errorsInRow) in a row disable the instance"))
    }
}
