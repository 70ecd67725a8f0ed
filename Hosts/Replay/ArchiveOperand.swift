internal import Glibc
internal import HostSupport
internal import System
internal import Tally
internal import TextEncoding

/// One archive that is to be replayed.
enum ArchiveOperand {
    case file(String)
    /// Files that are read as one archive, one behind the other.
    case parts([String])
    /// Chosen lines of files, which a manifest names; they are read as one archive likewise.
    case pieces([ArchivePiece])
    case standardInput
    /// A topic of Kafka, by its address.
    case topic(String)

    /// The files, and what is read of each; none for standard input and a topic.
    var pieces: [ArchivePiece] {
        switch self {
        case .file(let path): [ArchivePiece(path: path)]
        case .parts(let paths): paths.map { ArchivePiece(path: $0) }
        case .pieces(let pieces): pieces
        case .standardInput, .topic: []
        }
    }

    /// The files; none for standard input and a topic.
    var paths: [String] { pieces.map(\.path) }

    /// What the command line calls it, or the first part of it.
    var operand: String {
        if case .topic(let address) = self { return address }
        return paths.first ?? "-"
    }

    /// The name that messages use.
    var name: String {
        if case .topic(let address) = self { return address }
        let paths = paths
        guard let first = paths.first else { return "standard input" }
        return paths.count == 1 ? first : "\(first) and \(paths.count - 1) more"
    }

    /// The archives as files that must not be written.
    static func files(_ archives: [ArchiveOperand]) -> ReadFiles {
        var files = ReadFiles()
        for archive in archives {
            for path in archive.paths { files.add(path, as: "one of the archives that are read") }
            if case .standardInput = archive { files.addStandardInput(as: "one of the archives that are read") }
        }
        return files
    }

    /// The archives that the operands and ``InputOptions`` name; nil when one names nothing, which the log says.
    static func expand(_ arguments: CommandLineArguments, _ log: LogPrinter) -> [ArchiveOperand]? {
        var named = arguments.operands.flatMap(ArchiveNames.matches)
        if let list = arguments[InputOptions.filesFrom] {
            do throws(TextFile.Failure) {
                // A file may have the name that stands for standard input.
                let listed = try ArchiveNames.listed(list).map { $0 == "-" ? "./-" : $0 }
                if listed.isEmpty {
                    log.show(.error, "\(list): the list names no archive")
                    return nil
                }
                named += listed
            } catch {
                log.show(.error, "\(list): cannot read the list of archives: \(error.reason)")
                return nil
            }
        }
        return expand(named, depth: arguments[InputOptions.depth], log)
    }

    /// Puts the archives of a folder in its place; nil when one operand names nothing, which the log says.
    ///
    /// `depth` is nil for a tool that has no option for it, and takes the archives of the folder alone.
    static func expand(_ operands: [String], depth: Int?, _ log: LogPrinter) -> [ArchiveOperand]? {
        var archives: [ArchiveOperand] = []
        var isComplete = true
        // A pattern of the shell's names indexes too.
        for operand in operands where operands.count == 1 || !ArchiveIndex.isIndex(operand) {
            if operand == "-" {
                archives.append(.standardInput)
                continue
            }
            if TopicPipe.names(operand) {
                // What is wrong with it is told when it is read.
                archives.append(.topic(operand))
                continue
            }
            var status = stat()
            let path = PathName.bytes(operand)
            guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
                log.show(.error, "\(operand): cannot read the archive: \(SystemError.text(errno))")
                isComplete = false
                continue
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                archives.append(.file(operand))
                continue
            }
            guard let paths = ArchiveNames.archives(in: operand, depth: depth ?? 1) else {
                log.show(.error, "\(operand): cannot read the folder, or one in it: \(SystemError.text(errno))")
                isComplete = false
                continue
            }
            if paths.isEmpty {
                log.show(
                    .error,
                    "\(operand): the folder holds no archive: no file that ends in .tally or .jsonl, plain, .gz or .zst"
                        + deeper(operand, than: depth)
                )
                isComplete = false
            }
            archives += paths.map { .file($0) }
        }
        return isComplete ? archives : nil
    }

    /// How deep archives are looked for, so that what is missing can be said.
    private static let deepest = 9

    /// What to do where folders in a folder hold archives, and they were not asked for.
    private static func deeper(_ folder: String, than depth: Int?) -> String {
        let next = (depth ?? 1) + 1
        guard next <= deepest else { return "" }
        let found = (next...deepest).first { ArchiveNames.archives(in: folder, depth: $0)?.isEmpty == false }
        guard let found else { return "" }
        return "; folders in it do: " + (depth == nil ? "name those" : "say --depth \(found)")
    }
}
