internal import HostSupport

/// The options that say which archives are read, besides the operands.
enum InputOptions {
    private static let section = "Archives"

    static let filesFrom = Setting(
        "files-from",
        .text("FILE"),
        in: section,
        "Read the archives and folders too that this file names, one a line; - is standard input.",
        details:
            "Each name is taken as it is, without a carriage return at its end. They may also end in zero bytes, as those "
            + "of `find -print0` do."
    )
    static let depth = Setting(
        "depth",
        .integer("LEVELS", 1...1_000),
        in: section,
        "Search folders so many levels deep; 1 leaves out their sub-folders."
    ).unlessGiven(1)

    static let all: [any DeclaredSetting] = [filesFrom, depth]

    /// Makes sure that archives are named, and that standard input is read once.
    static func check(_ arguments: CommandLineArguments) throws(UsageError) {
        let list = arguments[filesFrom]
        if arguments.operands.isEmpty, list == nil { throw .missingArgument("ARCHIVE") }
        if arguments.operands.count(where: { $0 == "-" }) + (list == "-" ? 1 : 0) > 1 {
            throw .badValue(option: "ARCHIVE", value: "-", expected: "standard input only once")
        }
    }
}
