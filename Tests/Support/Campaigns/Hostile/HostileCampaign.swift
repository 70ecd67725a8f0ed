internal import ChildPrograms
internal import Glibc

/// Plays with one hostile tracker after the other, in each mode that the player has: neither the archive nor what other
/// trackers say may suffer more than the table of ``HostileKind`` says.
///
/// A round's seed is its place in the list: first all kinds in the player's process, then all isolated.
package final class HostileCampaign: Campaign {
    /// The longest time without a line in an archive, on a machine that has nothing else to do.
    package static let mostGapMs: Int64 = 1_200

    /// How many rounds there are.
    package let count: UInt64
    /// Why the isolated half is left out; nil when it is not.
    package let skipped: String?

    private let rounds: [(kind: HostileKind, mode: HostileRound.Mode)]
    private let binaries: String
    private let media: RoundFiles
    private let limit: Duration
    private let mostGapMs: Int64?
    private let say: @Sendable (String) -> Void

    /// Makes the media by ffmpeg, which are removed with the campaign.
    ///
    /// - Parameters:
    ///   - binaries: where the programs and plugins are.
    ///   - folder: where files go.
    ///   - kinds: the kinds that are tried.
    ///   - isolatedKinds: those that are tried in a process of their own, the same unless given.
    ///   - seconds: how long the media is.
    ///   - limit: how long a program may take before it counts as hung.
    ///   - mostGapMs: how long the archive may have no line, ms; nil where the machine is too busy to say.
    ///   - say: is told what came of each round.
    /// - Throws: why the player or ffmpeg cannot be run.
    package init(
        binaries: String,
        folder: String,
        kinds: [HostileKind] = HostileKind.all,
        isolatedKinds: [HostileKind]? = nil,
        seconds: Double = 3,
        limit: Duration = .seconds(60),
        mostGapMs: Int64? = HostileCampaign.mostGapMs,
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        self.binaries = binaries
        self.limit = limit
        self.mostGapMs = mostGapMs
        self.say = say
        let help = try await ChildProgram.run("\(binaries)/tally-player", ["--help"])
        let isIsolating = help.output.contains("--isolate") || help.errors.contains("--isolate")
        skipped = isIsolating ? nil : "tally-player has no option --isolate: trackers are tried in its process alone"
        let isolated = isIsolating ? isolatedKinds ?? kinds : []
        rounds = kinds.map { (kind: $0, mode: .inProcess) } + isolated.map { (kind: $0, mode: .isolated) }
        count = UInt64(rounds.count)
        media = RoundFiles(folder: "\(folder)/hostile-\(getpid())")
        media.create()
        let command = """
            ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine -t \(seconds) -c:v libx264 \
            -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -movflags +faststart \(media.folder)/clip.mp4
            """
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        guard made.code == 0 else {
            media.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
    }

    deinit {
        media.remove()
    }

    /// Most of a round is waiting.
    package var roundsAtOnce: Int { 8 }

    package func round(seed: UInt64) async -> String? {
        let (kind, mode) = rounds[Int(seed % count)]
        let files = RoundFiles(folder: "\(media.folder)-\(seed)")
        files.create()
        defer { files.remove() }
        do {
            let round = HostileRound(
                kind: kind,
                mode: mode,
                binaries: binaries,
                media: "\(media.folder)/clip.mp4",
                files: files,
                limit: limit
            )
            let observation = try await round.run()
            say("\(kind.id), \(mode.rawValue): \(observation)")
            let outcome = mode == .inProcess ? kind.inProcess : kind.isolated
            let problems = observation.problems(of: kind, as: outcome, mostGapMs: mostGapMs)
            return problems.isEmpty ? nil : "\(kind.id), \(mode.rawValue): \(problems.joined(separator: "; "))"
        } catch {
            return "\(kind.id), \(mode.rawValue): \(error)"
        }
    }
}
