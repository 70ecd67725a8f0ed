internal import Glibc
internal import Tally

// A player with one plugin that is given a custom event; the plugin is meant to end it. Arguments: folder of the
// quarantine, plugin file, the probe with which it is tried or "-", and "wait" to be killed when the event was handled.
let arguments = CommandLine.arguments
let quarantine = try PluginQuarantine(folder: arguments[1])
let probe = arguments.count > 3 && arguments[3] != "-" ? PluginProbe(program: arguments[3]) : nil
let catalog = PluginCatalog(admission: PluginAdmission(quarantine: quarantine, probe: probe))
let telemetry = try Telemetry(plugins: [], catalog: catalog)
let run = try telemetry.startRun()
for plugin in try telemetry.load(file: arguments[2]) {
    try telemetry.load(PluginSelection(plugin.plugin, name: "mine"))
}
run.trackVideoLoad()
run.trackCustomEvent("now")
if arguments.last == "wait" {
    _ = run.plugins()
    print("waiting")
    fflush(nil)
    while true { pause() }
}
run.destroy()
telemetry.close()
