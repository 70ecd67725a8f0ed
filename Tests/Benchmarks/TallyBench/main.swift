import Glibc

do throws(BenchError) {
    var arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    switch arguments.command {
    case "make-reference-archive": try ReferenceArchiveRound.run(&arguments)
    case "track-call": try TrackCallRound.run(&arguments)
    case "library-call": try LibraryCallRound.run(&arguments)
    case "allocations": try AllocationRound.run(&arguments)
    case "replay-allocations": try ReplayAllocationRound.run(&arguments)
    case "host-to-plugin": try HostToPluginRound.run(&arguments)
    case "state-snapshot": try StateSnapshotRound.run(&arguments)
    case "trace": try TraceRound.run(&arguments)
    case "replay": try ReplayRound.run(&arguments)
    case "replacement": try ReplacementRound.run(&arguments)
    case "idle-runs": try IdleRunRound.run(&arguments)
    case "playback-cost": try PlaybackCostRound.run(&arguments)
    case "delivery": try DeliveryRound.run(&arguments)
    case "messages": try DeliveryRound.messages(&arguments)
    case "isolation": try IsolationRound.run(&arguments)
    case "isolated-reporter": try IsolatedReporterRound.run(&arguments)
    case "isolation-latency": try IsolationRound.latency(&arguments)
    case "exports": try DeliveryRound.exports(&arguments)
    case "waiting": try DeliveryRound.waiting(&arguments)
    case "collector": try CollectorRound.run(&arguments)
    case "collector-memory": try CollectorMemoryRound.run(&arguments)
    case "report": try Report.run(&arguments)
    case "--help", "help": print(Arguments.help)
    default: throw .unknownCommand(arguments.command)
    }
} catch {
    StandardError.write("tally-bench: \(error)\n")
    exit(error.code)
}
