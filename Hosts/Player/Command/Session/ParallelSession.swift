internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// One run of the program with many players: each plays all sources, with a player run and an archive of its own.
struct ParallelSession {
    let materials: PlayerMaterials

    private static let stepMs: Int64 = 20

    /// Plays to the end of all; the exit code is the first one in the players' order that is no success.
    func play(archive: String?) throws(HostError) -> ExitCode {
        let (request, log) = (materials.request, materials.log)
        let startNs = materials.nowNs
        materials.watchSignals(hangUp: nil)
        let players = try start(archive)
        while materials.hasStatus, players.contains(where: { !$0.isStopped }) {
            materials.status.show(progress(players))
            materials.surroundings.platform.sleep(milliseconds: 100)
        }
        for player in players { player.finish() }
        materials.status.clear()
        materials.recovery?.end()
        let reporters = ReporterOutcome.closing(materials.telemetry, patience: PlayerSyntax.patience, log: log)
        var summary = ParallelSummary(runs: players.map { $0.summary(reporters) })
        let cases = summary.runs.enumerated().map { ("player \($0 + 1)" as String?, $1) }
        if !materials.writeReport(of: cases, since: startNs) {
            for index in summary.runs.indices { summary.runs[index].hasLostOutput = true }
        }
        summary.show(on: log, to: materials.status, quiet: request.quiet, json: request.json)
        return summary.exitCode
    }

    /// Starts one after the other; those that are not started when an end is asked for are left out.
    private func start(_ archive: String?) throws(HostError) -> [PlayedRun] {
        let request = materials.request
        let startNs = materials.nowNs
        var players: [PlayedRun] = []
        for index in 0..<request.players {
            let dueNs = startNs + Int64(index) * request.staggerMs * 1_000_000
            while materials.nowNs < dueNs, materials.stopRequested.with({ $0 == nil }) {
                materials.surroundings.platform.sleep(milliseconds: Self.stepMs)
            }
            guard materials.stopRequested.with({ $0 == nil }) || players.isEmpty else { break }
            let notes = ProgressNotes(
                log: materials.log,
                isSilent: materials.hasStatus || request.json,
                isQuiet: request.quiet,
                name: "player \(index + 1)"
            )
            do throws(HostError) {
                let path = archive.map { Self.path($0, index, of: request.players) }
                let played = try PlayedRun(materials, archive: path, notes: notes)
                players.append(played)
                played.start()
            } catch {
                materials.stopRequested.with { $0 = $0 ?? "a player could not be made" }
                for player in players { player.finish() }
                throw error
            }
        }
        return players
    }

    private func progress(_ players: [PlayedRun]) -> String {
        let figures = players.map { $0.figures.with { $0 } }
        func number(_ activity: PlaybackFigures.Activity) -> Int { figures.filter { $0.activity == activity }.count }
        let stalls = figures.reduce(0) { $0 + $1.stalls }
        let errors = figures.filter { $0.failure != nil }.count
        return [
            "\(players.count) of \(ReadableNumber.counted(materials.request.players, "player"))",
            "\(number(.playing)) playing", "\(number(.buffering)) buffering",
            "\(players.filter(\.isStopped).count) over", ReadableNumber.counted(stalls, "stall"),
            ReadableNumber.counted(errors, "error"),
        ].joined(separator: "  ")
    }

    /// The archive of one player: its number, with as many digits as the largest one, before the last dot of the name.
    static func path(_ archive: String, _ index: Int, of count: Int) -> String {
        let width = String(count).count
        let number = String(index + 1)
        let digits = String(repeating: "0", count: width - number.count) + number
        let nameStart = archive.lastIndex(of: "/").map { archive.index(after: $0) } ?? archive.startIndex
        guard let dot = archive[nameStart...].lastIndex(of: "."), dot != nameStart else {
            return archive + "-" + digits
        }
        return archive[..<dot] + "-" + digits + archive[dot...]
    }
}
