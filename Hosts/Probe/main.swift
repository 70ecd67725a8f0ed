internal import PluginLoading

// Loads one plugin file and says what is in it; started by a host, so that what the file does wrong is not done there.
PluginProbe.answer(Array(CommandLine.arguments.dropFirst()))
