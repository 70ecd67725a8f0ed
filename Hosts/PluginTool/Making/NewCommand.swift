internal import HostSupport
internal import System
internal import TextEncoding

/// `tally-plugin new`: a project of its own for a plugin, in one of several languages.
enum NewCommand {
    /// What a plugin can be.
    enum Kind: String, CaseIterable, Sendable { case tracker, reporter }

    /// The languages that there are templates for.
    enum Language: String, CaseIterable, Sendable { case c, cpp, rust, go, zig, swift }

    private static let kind = Setting("kind", .word("KIND", of: Kind.allCases), "What it is.")
        .unlessGiven(.tracker, shown: "tracker")
    private static let language = Setting(
        "lang",
        .word("LANG", of: Language.allCases),
        "The language it is written in."
    )
    private static let folder = Setting(
        "folder",
        .text("DIR"),
        "Make this new folder; unless given, one with the last part of the id as its name."
    )
    private static let kit = Setting(
        "kit",
        .text("DIR"),
        "Where templates, the sample archive and the kit for Swift are; unless given, where they are installed with the program."
    )

    static let syntax = CommandLineSyntax(
        program: "tally-plugin new",
        summary: "Makes a folder with a plugin that builds, its test, a sample archive and what to do next.",
        operands: CommandLineSyntax.Operands(
            "ID",
            minimum: 1,
            maximum: 1,
            help: "The plugin's id in reverse-DNS form, such as org.example.watch-time."
        ),
        settings: [language, kind, folder, kit],
        epilogue: """
            It builds with the language's usual tool: make or CMake, Cargo, go build, zig build, swift build.
            Exit codes: 0 all is well, 64 wrong command line, 66 the templates are not there, 73 the folder cannot be made.

            Examples:
              tally-plugin new org.example.watch-time --lang c
              tally-plugin new org.example.to-queue --kind reporter --lang go
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        guard let id = arguments.operands.first else { throw .missingArgument("ID") }
        guard let language = arguments[language] else {
            let words = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw .missingArgument("--lang LANG (\(words))")
        }
        guard let names = PluginNames(id: id) else {
            throw .badValue(
                option: "ID",
                value: id,
                expected: "reverse-DNS form in small letters, such as org.example.watch-time"
            )
        }
        do throws(HostError) {
            let templates = try PluginTemplates(arguments[kit])
            let target = arguments[folder] ?? names.slug
            try templates.make(target, for: names, kind: arguments[kind], language: language)
            let steps = templates.steps(of: target)
            try HostError.writing { () throws(StandardStream.Failure) in
                try StandardStream.output.write(
                    PluginOptions.printable("\(target)/ is made, and its README.md says more. Now:\n\n\(steps)")
                )
            }
            return .success
        } catch {
            return PluginOptions.report(error, of: arguments)
        }
    }
}

/// The names that templates need of a plugin, all made of its id.
struct PluginNames {
    let id: String
    /// The id's last part: the plugin's short name, and its file's.
    let slug: String

    /// Nil when the id is not in reverse-DNS form.
    init?(id: String) {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        let isLegal = parts.enumerated().allSatisfy { place, part in
            let letters = part.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
            return letters && !part.isEmpty && (place == 0 || part.first?.isLetter == true)
        }
        guard parts.count > 1, isLegal, let last = parts.last else { return nil }
        self.id = id
        slug = String(last)
    }

    /// What stands for each placeholder of the templates.
    func replacements(_ kind: NewCommand.Kind, kit: String) -> [(placeholder: String, text: String)] {
        let words = slug.split(separator: "-").map(String.init)
        let vendor = String(id.split(separator: ".")[1])
        return [
            ("@ID@", id), ("@SLUG@", slug), ("@SYMBOL@", slug.replacing("-", with: "_")),
            ("@TYPE@", words.map(Self.capitalized).joined()),
            ("@NAME@", Self.capitalized(words.joined(separator: " "))),
            ("@VENDOR@", Self.capitalized(vendor)),
            ("@RUN@", kind == .tracker ? "\(slug),console" : "example-c,\(slug)"),
            ("@GOLDEN@", kind == .tracker ? "jsonl" : "txt"), ("@KIT@", kit),
        ]
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
