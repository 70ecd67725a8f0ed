internal import Glibc
internal import HostSupport
internal import System
internal import TextEncoding

/// What the commands have in common on their command lines.
enum PluginOptions {
    static let config = Setting(
        "config",
        .text("JSON"),
        "Begin with this configuration: JSON that starts with {, or the name of a file with it. What the "
            + "plugin's schema requires besides is made up."
    )
    static let json = Setting(flag: "json", "Write JSON, one object.")

    /// The plugin's file, with its whole path; ends the program with 66 when it is not there.
    static func file(_ arguments: CommandLineArguments) throws(UsageError) -> String {
        guard let name = arguments.operands.first else { throw .missingArgument("FILE") }
        return try path(of: name, option: "FILE")
    }

    /// The whole path of a file that the command line names; ends the program with 66 when it is not there.
    static func path(of name: String, option: String) throws(UsageError) -> String {
        guard let whole = unsafe realpath(PathName.bytes(name), nil), unsafe access(whole, R_OK) == 0 else {
            throw .unreadable(option: option, path: name, reason: "\(SystemError.text(errno)); name one that is there")
        }
        defer { unsafe free(whole) }
        return unsafe String(cString: whole)
    }

    /// The configuration that was given, as JSON text; nil when none was.
    static func configuration(_ arguments: CommandLineArguments) throws(HostError) -> String? {
        guard let given = arguments[config] else { return nil }
        var text = given
        if !given.drop(while: { $0 == " " }).hasPrefix("{") {
            do throws(TextFile.Failure) {
                text = String(decoding: try TextFile.read(given), as: UTF8.self)
            } catch {
                throw .unusable("--config: cannot read \(given): \(error.reason); name a file, or give JSON", .noInput)
            }
        }
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONParser(.json5).parse(text)
        } catch {
            throw .unusable("--config: this is no JSON: \(error); write an object such as {\"key\":1}")
        }
        guard value.object != nil else { throw .unusable("--config: expected an object of JSON, found \(value.kind)") }
        return value.canonicalText
    }

    /// Text with escapes for what a terminal would obey, line by line.
    static func printable(_ text: String) -> String { PrintableText.escaped(lines: text) }

    /// Says what went wrong; how the program ends then.
    static func report(_ error: HostError, of arguments: CommandLineArguments) -> ExitCode {
        for message in error.messages { StandardStream.note("\(arguments.program): error: \(message)") }
        return error.exitCode
    }
}

/// What the command line may say: the commands, each declared beside its work.
enum PluginToolSyntax {
    static let syntax = CommandLineSyntax(
        program: "tally-plugin",
        summary: "Makes, checks, shows, tries and measures one plugin, in whatever language it is written.",
        commands: [
            NewCommand.syntax, CheckCommand.syntax, InspectCommand.syntax, RunCommand.syntax, BenchCommand.syntax,
        ],
        settings: [],
        epilogue: """
            tally-plugin COMMAND --help says more of each. Code of the plugin runs in processes of their own alone.
            Exit codes: 0 all is well, 1 a check found something, 64 wrong command line, 65 no plugin, 66 no such file, 73 an
            output cannot be created, 74 an output cannot be written, 75 the plugin cannot be used, 78 wrong configuration.

            Examples:
              tally-plugin check mine.tallyplugin.so
              tally-plugin run mine.tallyplugin.so run.tally
            """,
        tables: AllChecks.tables
    )
}
