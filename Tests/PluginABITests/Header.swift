/// The text of one header of the ABI.
struct Header {
    let name: String
    let text: String

    /// The headers in the order of their names.
    static var all: [Header] {
        get throws {
            let folder = "Core/PluginABI/include"
            return try SourceFile.names(in: folder).filter { $0.hasSuffix(".h") }.map { name in
                Header(name: name, text: try SourceFile.text("\(folder)/\(name)"))
            }
        }
    }

    /// Lines of the form `#define NAME VALUE`, split into words.
    var definitions: [[String]] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.count > 2 && $0[0] == "#define" }
    }

    /// The macros that stand for a number or a text; those that begin in lower case or with `_` are for compilers.
    var valueMacros: [String] {
        definitions.filter { $0[2].hasPrefix("(") || $0[2].hasPrefix("\"") || $0[2].first?.isNumber == true }
            .map { $0[1] }
    }

    /// The names of the structures that it declares.
    var structures: [String] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.count == 4 && $0[0] == "typedef" && $0[1] == "struct" && $0[3] == "{" }.map { $0[2] }
    }
}
