import Glibc
import NielsenDCR
import PluginKit
import Testing

/// The page of the plugin and the code say the same.
@Suite struct DocumentationTests {
    @Test("the page lists the parameters of a ping, in their order and with their labels")
    func parameters() throws {
        let rows = try Self.table(after: "## Pings", startingWith: "| Parameter")
        #expect(rows.map { $0[0] } == PingParameter.order.map { "`\($0.key)`" })
        for (row, parameter) in zip(rows, PingParameter.order) {
            let label = "\(parameter.label)".split(separator: ",").first.map { "`\($0)`" } ?? ""
            #expect(row[1] == label, "\(parameter.key)")
            if parameter.isEmpty { #expect(row[2].hasPrefix("empty"), "\(parameter.key)") }
        }
    }

    @Test("the page lists the keys of the configuration")
    func configuration() throws {
        let schema = try JSONParser().parse(TrackerConfiguration.schemaText)
        let keys = schema["properties"]?.object?.keys.map { "`\($0)`" }
        #expect(try Self.table(after: "## Configuration", startingWith: "| Key").map { $0[0] } == keys)
    }

    @Test("the page lists the codes with their names")
    func codes() throws {
        let rows = try Self.table(after: "## Codes", startingWith: "| Code")
        let codes = (VendorCode.events + VendorCode.errors).map { "\($0.code) `\($0.name)`" }
        #expect(rows.map { "\($0[0]) \($0[1])" } == codes)
    }

    @Test("the page lists the calls, and the states with what each call does")
    func calls() throws {
        let names = APICall.allCases.map { "`\($0.name)`" }
        #expect(try Self.table(after: "## Calls", startingWith: "| Record").map { $0[0] } == names)
        let calls = try Self.table(after: "## States", startingWith: "| Call").map { $0[0] }
        #expect(calls == names.filter { $0 != "`initWithAppInfo`" })
        let states = try Self.table(after: "## States", startingWith: "| State").map { $0[0].lowercased() }
        #expect(states == InstanceState.allCases.map(\.rawValue))
    }

    @Test("the page lists the commands")
    func commands() throws {
        let rows = try Self.table(after: "## Opt-out", startingWith: "| Command")
        #expect(
            rows.map { "\($0[0]) \($0[3])" }
                == NielsenDCRTracker.commands.map { "`\($0.name)` \($0.changesState ? "yes" : "no")" }
        )
    }

    @Test("each statement of the guide has one row, and the tests that it names exist")
    func statements() throws {
        let rows = try Self.table(after: "## The guide, statement by statement", startingWith: "| Row")
        #expect(rows.map { $0[0] } == (1...92).map { "002-\($0)" })
        let lost = try Self.table(after: "## What is easily lost", startingWith: "| Rule")
        #expect(lost.count > 15)
        for row in rows + lost {
            for name in (row.last ?? "").split(separator: "`").filter({ $0.contains("s.") && !$0.contains(" ") }) {
                let parts = name.split(separator: ".")
                let source = try Self.test(named: parts[0])
                let isThere =
                    source.contains("static let \(parts[1]):") || source.contains("static let \(parts[1]) =")
                    || source.contains("func \(parts[1])(")
                #expect(isThere, "\(row[0]): \(name)")
            }
        }
    }

    /// The cells of a table's rows, the first table below a heading whose head begins so.
    private static func table(after heading: String, startingWith head: String) throws -> [[String]] {
        let lines = try file("docs/plugins/nielsen-dcr.md").split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != heading }.drop { !$0.hasPrefix(head) }
        let rows = section.dropFirst(2).prefix { $0.hasPrefix("|") }
        return rows.map { row in
            row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
                let text = cell.drop { $0 == " " }
                return String(text.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// The source of a suite, here or where several trackers or the player are tested.
    private static func test(named suite: Substring) throws -> String {
        let folder = ["NielsenDCRTests", "DeterminismTests", "PlayerTests", "RuntimeControlTests"].first { folder in
            unsafe access("/\(top)/Tests/\(folder)/\(suite).swift", R_OK) == 0
        }
        return try file("Tests/\(folder ?? "NielsenDCRTests")/\(suite).swift")
    }

    // This file lies three steps below the top folder.
    private static let top = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    private static func file(_ path: String) throws -> String {
        let file = try unsafe #require(unsafe fopen("/\(top)/\(path)", "re"), "\(path) cannot be read")
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var character = unsafe getc(file)
        while character != EOF {
            bytes.append(UInt8(truncatingIfNeeded: character))
            character = unsafe getc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
