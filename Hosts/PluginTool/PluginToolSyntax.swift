internal import HostSupport

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
