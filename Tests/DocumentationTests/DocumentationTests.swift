import Testing

/// What holds for every page.
struct DocumentationTests {
    /// What paths of one person's machine begin with.
    private static let machinePaths = ["/home/", "/root/", "/Users/", "/work/", "/mnt/", "/tmp/"]

    @Test(
        "Every link within the repository leads to a file and, where it names one, to a heading",
        arguments: try Document.all()
    )
    func links(document: Document) throws {
        for link in document.links {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? document.path : Self.normal(document.folder + parts[0])
            guard Document.exists(target) else {
                Issue.record("\(document.path) links to \(link): there is no \(target)")
                continue
            }
            if parts.count == 2 {
                let anchors = try Document(path: target).anchors
                #expect(
                    anchors.contains(String(parts[1])),
                    "\(document.path) links to \(link): there is no such heading"
                )
            }
        }
    }

    @Test("No page names a path of somebody's machine", arguments: try Document.all())
    func machinePaths(document: Document) {
        for path in Self.machinePaths {
            #expect(!document.text.contains(path), "\(document.path) has \(path)")
        }
    }

    @Test("The index of decisions has every decision, and numbers are used once")
    func decisions() throws {
        let records = try Document.all().filter {
            $0.folder == "docs/decisions/" && $0.path != "docs/decisions/README.md"
        }
        let index = try Document(path: "docs/decisions/README.md").links
        let names = records.map { String($0.path.dropFirst($0.folder.count)) }
        for name in names {
            #expect(index.contains(name), "add a line for \(name) to docs/decisions/README.md")
        }
        let numbers = names.map { $0.prefix(4) }
        #expect(numbers.count > 4)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0.allSatisfy(\.isNumber) })
    }

    @Test("The index of the documentation leads to every page")
    func index() throws {
        let index = Set(try Document(path: "docs/README.md").links)
        for document in try Document.all() where document.path.hasPrefix("docs/") && document.path != "docs/README.md" {
            let name = String(document.path.dropFirst("docs/".count))
            guard !name.hasPrefix("decisions/") else { continue }
            #expect(index.contains(name), "add a line for \(name) to docs/README.md")
        }
    }

    @Test("The table of scripts names every script")
    func scripts() throws {
        let readme = try Document(path: "README.md").text
        let scripts = try Document.names(in: "Scripts").filter { !$0.contains(".") }
        #expect(scripts.count > 4)
        for script in scripts {
            #expect(readme.contains("| `Scripts/\(script)` |"), "add a line for Scripts/\(script) to README.md")
        }
    }

    /// A path without `..`.
    private static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            if part == "..", !parts.isEmpty {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
