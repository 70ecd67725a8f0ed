internal import CLinux
internal import Glibc
internal import HostSupport
internal import MediaProcess
internal import Tally

StandardStream.prepare()
// A player has some dozens of threads, of which few run at the same time: with a pool for two of each processor none
// waits.
tally_limit_allocator_pools(Int32(2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
// Frames come and go with each source; what of them the allocator kept differed by 10 MB from one run to the next.
tally_map_large_blocks(128 * 1024)

if CommandLine.arguments.first == EngineServer.name { EngineServer.run() }

let words = CommandLineSyntax.words
switch words.first {
case "ctl":
    ControlCommandLine.run(program: "tally-player", version: TallyVersion.core, words: Array(words.dropFirst())).end()
case "plugin":
    PluginCommandLine.run(
        program: "tally-player",
        version: TallyVersion.core,
        words: Array(words.dropFirst()),
        section: .player,
        settings: PlayerSyntax.settings,
        admission: .ofHost("tally-player") { StandardStream.note("tally-player: warning: " + $0) }
    ).end()
default:
    let arguments = PlayerSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
    PlayerCommand(arguments, in: PlayerSurroundings()).run().end()
}
