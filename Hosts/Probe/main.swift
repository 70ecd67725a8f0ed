internal import Confinement
internal import PluginLoading

// Loads one plugin file and says what is in it; started by a host, so that what the file does wrong is not done there.
PluginProbe.answer(Array(CommandLine.arguments.dropFirst())) {
    // What a file's constructors read is no harm without a way to hand it on.
    Confinement.begin(PluginProbe.memoryBytes, readsFiles: true)
}
