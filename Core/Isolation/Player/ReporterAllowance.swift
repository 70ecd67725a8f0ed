internal import Glibc
package import PluginLoading
package import System
package import TextEncoding

// What the process of a reporter may use: what its descriptor declares, with the paths of its configuration.
extension ProcessAllowance {
    /// What a reporter with a configuration may use.
    ///
    /// Of a file that is written it is the folder: files are made beside it, and put aside under other names.
    package init(_ use: MachineUse, configuration: JSONValue, memoryBytes: Int) {
        self.init(memoryBytes: memoryBytes)
        doesIO = true
        connects = use.connects
        listens = use.listens
        hasThreads = use.hasThreads
        hasStreams = use.hasStreams
        for path in use.readPaths.flatMap({ configuration.texts(at: $0) }) {
            if let real = Self.realPath(path), !readable.contains(real) { readable.append(real) }
        }
        for path in use.writtenPaths.flatMap({ configuration.texts(at: $0) }) {
            if let place = Self.written(path), !writable.contains(place) { writable.append(place) }
        }
    }

    /// What it may use beside memory and processor time, for people: one text each.
    package var words: [String] {
        readable.map { "reads \($0)" } + writable.map { "writes \($0)" } + (connects ? ["connects"] : [])
            + (listens ? ["listens"] : []) + (hasThreads ? ["threads"] : []) + (hasStreams ? ["standard streams"] : [])
    }

    /// Whether all that another one may read and write may be read and written here.
    func hasPaths(of other: ProcessAllowance) -> Bool {
        other.readable.allSatisfy(readable.contains) && other.writable.allSatisfy(writable.contains)
    }

    /// Variables of this process's environment that a reporter with a configuration gets, as `NAME=value`: those that
    /// its configuration names, and what libraries ask for.
    func variables(for configuration: JSONValue) -> [String] {
        var names = Set(configuration.allTexts.filter(Self.isVariable))
        names.formUnion(["TZ", "NO_COLOR"])
        if connects { names.formUnion(["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) }
        if connects { names.formUnion(["no_proxy", "NO_PROXY"]) }
        return names.sorted().compactMap { name in
            unsafe getenv(name).map { "\(name)=" + (unsafe String(cString: $0)) }
        }
    }

    /// Whether a text can be the name of a variable that says nothing to the loader of libraries.
    private static func isVariable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128 && !text.hasPrefix("LD_")
            && text.utf8.allSatisfy { $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
    }

    /// Where a path that is written lies; nil for a standard stream.
    private static func written(_ path: String) -> String? {
        guard !["", "-", "/dev/stdout", "/dev/stderr"].contains(path) else { return nil }
        if let real = realPath(path) {
            var status = stat()
            guard unsafe stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return real }
            return folder(of: real)
        }
        return realPath(folder(of: path)) ?? folder(of: path)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

extension JSONValue {
    /// The texts at a path of names with dots between them, of which `*` is each of an object's.
    fileprivate func texts(at path: String) -> [String] {
        guard let dot = path.firstIndex(of: ".") else {
            return members(path).compactMap(\.string)
        }
        let rest = String(path[path.index(after: dot)...])
        return members(String(path[..<dot])).flatMap { $0.texts(at: rest) }
    }

    private func members(_ name: String) -> [JSONValue] {
        name == "*" ? (object ?? [:]).map(\.value) : [self[name]].compactMap { $0 }
    }

    /// Every text in it.
    fileprivate var allTexts: [String] {
        if let string { return [string] }
        return (object ?? [:]).flatMap(\.value.allTexts) + (array ?? []).flatMap(\.allTexts)
    }
}
