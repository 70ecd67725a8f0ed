internal import HostSupport
internal import Tally

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "ctl":
    ControlCommandLine.run(program: "tally-player", version: TallyVersion.core, words: Array(words.dropFirst())).end()
case "plugin":
    PluginCommandLine.run(
        program: "tally-player",
        version: TallyVersion.core,
        words: Array(words.dropFirst()),
        section: .player,
        schema: PlayerSyntax.settings,
        admission: .ofHost { StandardStream.note("tally-player: warning: " + $0) }
    ).end()
default:
    PlayerCommand().run().end()
}
