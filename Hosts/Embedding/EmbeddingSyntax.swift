internal import CLinux
internal import Glibc
internal import HostSupport
internal import Tally

/// What an application may say, as the command line that it stands for: each setting is declared once for all hosts.
enum EmbeddingSyntax {
    static let syntax = CommandLineSyntax(
        program: "libtally",
        summary: "Tracks the player of an application.",
        settings: HostSettings.options + [
            HostSettings.archive, HostSettings.store, HostSettings.control, HostSettings.isolate,
        ]
    )

    static func arguments(_ options: EmbeddingOptions) throws(HostError) -> CommandLineArguments {
        var line: [String] = []
        func add(_ setting: some DeclaredSetting, _ value: String?) {
            if let value { line.append("--\(setting.declaration.name)=\(value)") }
        }
        add(HostSettings.config, options.configuration)
        add(HostSettings.plugins, options.plugins)
        for folder in options.pluginFolders { add(HostSettings.pluginFolders, folder) }
        for setting in options.settings { add(HostSettings.set, setting) }
        add(HostSettings.archive, options.archive)
        add(HostSettings.store, options.store)
        add(HostSettings.control, options.control)
        do throws(UsageError) {
            if case .run(let arguments) = try syntax.parse(line) { return arguments }
        } catch {
            throw .unusable(error.problem, .usage)
        }
        throw .unusable("the options ask for help, which is in the documentation", .usage)
    }
}

extension ControlCommand {
    /// Reads a line of words, in which quotes keep spaces.
    init(line: String) throws(ControlError) {
        let words: [String]
        do throws(CommandWords.OpenQuote) {
            words = try CommandWords(line).words
        } catch {
            throw ControlError(kind: .invalidArgument, "a quote is not closed: \(line)")
        }
        try self.init(words: words)
    }
}

/// Where the library lies that this code is in, and what came with it.
struct EmbeddedPlace {
    /// The file of the library, or of the program that the library is a part of; nil when the system does not say.
    let library: String?
    /// The program that tries plugin files.
    let probe: PluginProbe?
    /// The program of trackers and reporters that have processes of their own.
    let trackerProgram: String?

    /// The place of this code.
    static let ofLibrary: EmbeddedPlace = {
        let name = unsafe tally_image_of(#dsohandle).map { unsafe String(cString: $0) }
        return EmbeddedPlace(library: name.map { $0.contains("/") ? PathName.resolved($0) : $0 })
    }()

    private init(library: String?) {
        self.library = library
        probe = Self.program("tally-probe", with: library).map { PluginProbe(program: $0) }
        trackerProgram = Self.program("tally-tracker", with: library)
    }

    /// A program beside the library, or in the folder of programs of the tree that it lies in.
    private static func program(_ name: String, with library: String?) -> String? {
        guard let library else { return nil }
        let folder = PathName.folder(of: library)
        let places = [folder, PathName.joined(folder, "../bin"), PathName.joined(folder, "../../bin")]
        return places.map { PathName.joined($0, name) }.first { unsafe access($0, X_OK) == 0 }.map(PathName.resolved)
    }
}
