internal import Tally

// A player with one plugin that is given a custom event; the plugin is meant to end it. Arguments: folder of the
// quarantine, plugin file.
let arguments = CommandLine.arguments
let quarantine = try PluginQuarantine(folder: arguments[1])
let catalog = PluginCatalog(admission: PluginAdmission(quarantine: quarantine))
let telemetry = try Telemetry(plugins: [], catalog: catalog)
let run = try telemetry.startRun()
for plugin in try telemetry.load(file: arguments[2]) {
    try telemetry.load(PluginSelection(plugin.plugin, name: "mine"))
}
run.trackVideoLoad()
run.trackCustomEvent("now")
run.destroy()
telemetry.close()
