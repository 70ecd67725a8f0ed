import Glibc
import Testing

/// A page of the repository in Markdown.
struct Document: CustomTestStringConvertible {
    /// A file or folder that cannot be read.
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        var description: String { "cannot read \(path): run the tests in a checkout of the repository" }
    }

    /// The top folder, found from where this file was compiled.
    static let repository = String(#filePath.dropLast("/Tests/DocumentationTests/Document.swift".count))

    /// Below the top folder.
    let path: String
    let text: String

    var testDescription: String { path }

    /// Every page, sorted.
    static func all() throws -> [Document] {
        try paths(in: "").sorted().map(Document.init(path:))
    }

    init(path: String) throws {
        self.path = path
        guard let file = unsafe fopen("\(Self.repository)/\(path)", "re") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(file)
            guard byte >= 0 else { break }
            bytes.append(UInt8(byte))
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Its folder with a slash at the end, empty for the top folder.
    var folder: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Its lines without those of code blocks.
    var prose: [Substring] {
        var inCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                inCode.toggle()
                return false
            }
            return !inCode
        }
    }

    /// The targets of its links within the repository.
    var links: [String] {
        prose.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        }
        .filter { !$0.hasPrefix("https://") && !$0.hasPrefix("http://") }
    }

    /// What links can name in it: its headings as a browser's address has them.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" }.dropFirst().lowercased()
                return title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
            }
        )
    }

    // MARK: - Files

    /// The paths of the pages in a folder (empty for the top folder, otherwise with a slash at its end) and below it.
    private static func paths(in folder: String) throws -> [String] {
        try names(in: folder).flatMap { name in
            if name.hasSuffix(".md") {
                return [folder + name]
            }
            return isFolder(folder + name) ? try paths(in: "\(folder)\(name)/") : []
        }
    }

    /// The names in a folder but the hidden ones.
    static func names(in path: String) throws -> [String] {
        guard let folder = unsafe opendir("\(repository)/\(path)") else { throw Unreadable(path: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        mode(path).map { $0 & S_IFMT == S_IFDIR } ?? false
    }

    /// Whether there is a file or folder.
    static func exists(_ path: String) -> Bool {
        mode(path) != nil
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat("\(repository)/\(path)", &status) == 0 ? status.st_mode : nil
    }
}
