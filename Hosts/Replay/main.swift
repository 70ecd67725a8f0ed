internal import HostSupport
internal import Tally

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "plugin":
    PluginCommandLine.run(
        program: "tally-replay",
        version: TallyVersion.core,
        words: Array(words.dropFirst()),
        section: .replay,
        settings: ReplaySyntax.settings,
        admission: .ofHost { StandardStream.note("tally-replay: warning: " + $0) }
    ).end()
case "ctl":
    ControlCommandLine.run(program: "tally-replay", version: TallyVersion.core, words: Array(words.dropFirst())).end()
case "diff": DiffCommand.run().end()
case "erase": EraseCommand.run().end()
case let word? where ToolSyntax.all.contains { $0.command == word }: ToolCommand().run().end()
default: ReplayCommand().run().end()
}
