import Campaigns
import Glibc

// tally-soak CAMPAIGN --count N --seed N [--media DIR]: started by Scripts/soak, which checks the options, and by tests.
// tally-soak hostile-table: prints what docs/isolation.md has of the kinds of hostile trackers.
func say(_ text: String) {
    let line = "tally-soak: \(text)\n"
    _ = unsafe line.withCString { unsafe write(2, $0, strlen($0)) }
}

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["hostile-table"] {
    // The rows of the table in docs/isolation.md.
    print(HostileKind.table.joined(separator: "\n"))
    exit(0)
}
guard [6, 8].contains(arguments.count), let seed = UInt64(arguments[5]),
    let count = arguments[3] == "all" ? .max : UInt64(arguments[3])
else {
    say("use Scripts/soak")
    exit(64)
}
let folder = ProgramFolder.path
let media = arguments.count == 8 ? arguments[7] : ".media"
if arguments[1] == "cycles" {
    let problem: String?
    do {
        problem = try await CyclesCampaign.run(Int(clamping: count), seed: seed, media: media, binaries: folder) {
            line in
            print(line)
            // Into a file lines would come thousands at a time.
            fflush(nil)
        }
    } catch {
        problem = "\(error)"
    }
    if let problem { print("failed: \(problem)") }
    exit(problem == nil ? 0 : 1)
}

/// Runs the rounds of a campaign, with which what it has made for them goes; whether all have passed.
func runCampaign(_ name: String, _ binaries: String, media: String) async throws -> Bool {
    var rounds = count
    let campaign: any Campaign
    switch name {
    case "kill": campaign = KillCampaign(binaries: binaries, media: media + "/clip.mp4", folder: "/tmp")
    case "delivery": campaign = DeliveryCampaign(binaries: binaries, folder: "/tmp")
    case "kafka": campaign = KafkaCampaign(binaries: binaries, folder: "/tmp")
    case "postgres": campaign = try await PostgresCampaign(binaries: binaries, folder: "/tmp")
    case "workers": campaign = try await WorkersCampaign(binaries: binaries, folder: "/tmp")
    case "prometheus": campaign = PrometheusCampaign(binaries: binaries)
    case "otlp": campaign = OTLPCampaign(binaries: binaries, folder: "/tmp")
    case "resume": campaign = ResumeCampaign(binaries: binaries, folder: "/tmp")
    case "spool-faults": campaign = SpoolFaultCampaign(binaries: binaries, folder: "/tmp")
    case "recovery": campaign = RecoveryCampaign(binaries: binaries, media: media + "/clip.mp4", folder: "/tmp")
    case "blocked": campaign = BlockedReporterCampaign()
    case "determinism": campaign = DeterminismCampaign(binaries: binaries)
    case "positions": campaign = try await PositionsCampaign(binaries: binaries, folder: "/tmp")
    case "streams": campaign = try await StreamsCampaign(binaries: binaries, folder: "/tmp")
    case "bandwidth": campaign = try await BandwidthCampaign(binaries: binaries, folder: "/tmp")
    case "ads": campaign = try await AdCampaign(binaries: binaries, folder: "/tmp")
    case "collector": campaign = CollectorCampaign(binaries: binaries, folder: "/tmp")
    case "isolated-kills": campaign = try await IsolatedKillCampaign(binaries: binaries, folder: "/tmp")
    case "hostile":
        let hostile = try await HostileCampaign(binaries: binaries, folder: "/tmp") { print($0) }
        if let skipped = hostile.skipped { say(skipped) }
        rounds = min(count, hostile.count - min(seed, hostile.count))
        campaign = hostile
    default:
        say("unknown campaign \(name)")
        exit(64)
    }
    let failed = await CampaignRounds(campaign, count: rounds, seed: seed).run { print($0) }
    for line in campaign.results { print(line) }
    print("\(rounds - failed) of \(rounds) rounds passed")
    return failed == 0
}

do {
    exit(try await runCampaign(arguments[1], folder, media: media) ? 0 : 1)
} catch {
    say("\(error)")
    exit(1)
}
