internal import HostSupport
internal import Tally

StandardStream.prepare()
let words = CommandLineSyntax.words
switch words.first {
case "plugin":
    PluginCommandLine.run(
        program: "tally-collector",
        version: TallyVersion.core,
        words: Array(words.dropFirst()),
        section: .collector,
        settings: CollectorSyntax.settings,
        admission: .ofHost("tally-collector") { StandardStream.note("tally-collector: warning: " + $0) }
    ).end()
case "ctl":
    ControlCommandLine.run(
        program: "tally-collector",
        version: TallyVersion.core,
        words: Array(words.dropFirst())
    ).end()
case "adopt": AdoptCommand().run().end()
case "erase": EraseCommand().run().end()
case "import": ImportCommand().run().end()
case let name? where CollectorSyntax.shortcuts.contains { $0.command == name }:
    let (syntax, rest) = CollectorSyntax.syntax.chosen(by: words)
    ControlCommandLine.run(shortcut: syntax, version: TallyVersion.core, words: rest).end()
default: CollectorCommand().run().end()
}
