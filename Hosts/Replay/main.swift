internal import HostSupport

switch CommandLine.arguments.dropFirst().first {
case "diff": DiffCommand.run().end()
default: ReplayCommand().run().end()
}
