internal import Glibc
internal import HostSupport
internal import System

/// The templates that projects are made of.
struct PluginTemplates {
    private let templates: String
    private let sample: String
    private let kit: String

    /// Those of a folder, or else those that are installed with the program, or in the tree that it was built from.
    init(_ named: String?) throws(HostError) {
        let program = FileNames.programFolder ?? ""
        let installed = named ?? program + "../share/tally/plugin"
        let places: [(templates: String, samples: String)] =
            [("\(installed)/templates", "\(installed)/samples")]
            + (named != nil
                ? []
                : ["../../", "../../../"].map { up in
                    ("\(program)\(up)Hosts/PluginTool/Templates", "\(program)\(up)Hosts/PluginTool/Samples")
                })
        guard let place = places.first(where: { unsafe access("\($0.templates)/shared", R_OK) == 0 }) else {
            throw .unusable(
                "the templates \(places[0].templates) are not there: install tally-plugin-dev, or name the folder with --kit",
                .noInput
            )
        }
        templates = place.templates
        sample = "\(place.samples)/sample.tally"
        kit = Self.whole("\(installed)/kit") ?? "/usr/share/tally/plugin/kit"
    }

    /// Makes a project in a new folder.
    func make(
        _ folder: String,
        for names: PluginNames,
        kind: NewCommand.Kind,
        language: NewCommand.Language
    ) throws(HostError) {
        guard unsafe mkdir(folder, 0o777) == 0 else {
            let advice = errno == EEXIST ? "name another one with --folder" : "\(SystemError.text(errno))"
            throw .unusable("the folder \(folder) cannot be made: \(advice)", .cannotCreate)
        }
        let replacements = names.replacements(kind, kit: kit)
        for part in [
            "shared/common", "shared/\(kind.rawValue)", "\(language.rawValue)/common",
            "\(language.rawValue)/\(kind.rawValue)",
        ] {
            try copy("\(templates)/\(part)", to: folder, replacements)
        }
        try write(Self.bytes(sample), to: "\(folder)/tests/sample.tally", like: sample)
    }

    /// The commands that the project's README begins with.
    func steps(of folder: String) -> String {
        let text = (try? WholeFile.read("\(folder)/README.md")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let block = text.split(separator: "```", omittingEmptySubsequences: false).dropFirst().first ?? ""
        let lines = block.split(separator: "\n").dropFirst()
        return (["cd \(folder)"] + lines.map(String.init)).map { "    \($0)\n" }.joined()
    }

    /// Copies what is in a folder, all of it below; a folder that is not there has nothing.
    private func copy(
        _ source: String,
        to target: String,
        _ replacements: [(placeholder: String, text: String)]
    ) throws(HostError) {
        for name in FileNames.names(in: source, endingWith: "") ?? [] where name != "." && name != ".." {
            let path = "\(source)/\(name)"
            var place = "\(target)/\(Self.replaced(name, replacements))"
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard unsafe mkdir(place, 0o777) == 0 || errno == EEXIST else { throw Self.failure(place) }
                try copy(path, to: place, replacements)
                continue
            }
            // What would not be its language with placeholders in it has another ending among the templates.
            if place.hasSuffix(".in") { place.removeLast(3) }
            let text = String(decoding: try Self.bytes(path), as: UTF8.self)
            try write(Array(Self.replaced(text, replacements).utf8), to: place, like: path)
        }
    }

    private static func replaced(_ text: String, _ replacements: [(placeholder: String, text: String)]) -> String {
        replacements.reduce(text) { $0.replacing($1.placeholder, with: $1.text) }
    }

    private static func bytes(_ path: String) throws(HostError) -> [UInt8] {
        do throws(SystemFailure) {
            return try WholeFile.read(path)
        } catch {
            throw .unusable("cannot read \(path): \(error)", .noInput)
        }
    }

    private func write(_ bytes: [UInt8], to path: String, like source: String) throws(HostError) {
        var status = stat()
        let mode = unsafe stat(source, &status) == 0 ? status.st_mode & 0o777 : 0o644
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw Self.failure(path) }
        defer { close(file) }
        do throws(SystemFailure) {
            try FileDescriptor(file).writeAll(bytes)
        } catch {
            throw .unusable("cannot write \(path): \(error)", .cannotCreate)
        }
    }

    private static func whole(_ path: String) -> String? {
        guard let whole = unsafe realpath(PathName.bytes(path), nil) else { return nil }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    private static func failure(_ path: String) -> HostError {
        .unusable("cannot make \(path): \(SystemError.text(errno))", .cannotCreate)
    }
}
