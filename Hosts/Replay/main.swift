internal import HostSupport

switch CommandLine.arguments.dropFirst().first {
case "diff": DiffCommand.run().end()
case let word? where ToolSyntax.all.contains { $0.command == word }: ToolCommand().run().end()
default: ReplayCommand().run().end()
}
