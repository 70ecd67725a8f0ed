internal import CPages

/// A file that pages are made of: a script, the style, or the library of charts.
package struct PageFile: Sendable {
    /// Its name, such as `data.js`.
    package let name: String
    /// Its text.
    package let text: String

    /// All files; scripts stand behind those that they import.
    package static let all: [PageFile] = {
        var files: [PageFile] = []
        while let file = unsafe tally_page_file_at(files.count)?.pointee {
            let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
            files.append(
                PageFile(name: unsafe String(cString: file.name), text: unsafe String(decoding: bytes, as: UTF8.self))
            )
        }
        return files
    }()

    /// The file with a name that is known to be one.
    package static func named(_ name: String) -> PageFile {
        guard let file = all.first(where: { $0.name == name }) else { preconditionFailure("there is no file \(name)") }
        return file
    }

    /// The name of the library of charts.
    static let library = "chart.min.js"

    /// All of Tally's scripts as one, for a document that loads no other: what they import of each other is there.
    static let joined = all.filter { $0.name.hasSuffix(".js") && $0.name != library }
        .map { file in
            file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("import ") }
                .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
                .joined(separator: "\n")
        }
        .joined()
}
