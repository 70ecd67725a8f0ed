internal import Confinement
internal import PluginLoading
internal import System

// Loads one plugin file and says what is in it; started by a host, so that what the file does wrong is not done there.
PluginProbe.answer(Array(CommandLine.arguments.dropFirst())) {
    // What a file's constructors read is no harm without a way to hand it on.
    var allowance = ProcessAllowance(memoryBytes: PluginProbe.memoryBytes)
    allowance.readable = ["/"]
    // The runtimes of some languages begin threads of their own when a library is loaded.
    allowance.hasThreads = true
    return Confinement.begin(allowance)
}
