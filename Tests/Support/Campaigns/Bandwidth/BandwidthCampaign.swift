internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import System
internal import TextEncoding

/// Plays an HLS ladder over links that behave as recorded ones do, and keeps an account of it beside the player: what the
/// server sent, and when which picture left the sink.
///
/// What the archive tells of the startup, of each stall and of each switch of the rendition agrees with that account
/// within 50 ms, and the replay is what the run said.
package final class BandwidthCampaign: Campaign {
    private let binaries: String
    private let ladder: LadderMedia
    private let media: RoundFiles
    private let furthestMs = Lock<[String: Int64]>([:])
    private let totals = Lock((stalls: 0, switches: 0, latenessMs: Int64(0)))

    /// Uses the player in `binaries`; so many seconds of media are made by ffmpeg, in `folder`, and removed with the
    /// campaign.
    package init(binaries: String, folder: String, seconds: Int = 30, segmentSeconds: Int = 2) async throws {
        self.binaries = binaries
        ladder = LadderMedia(seconds: seconds, segmentSeconds: segmentSeconds)
        media = RoundFiles(folder: "\(folder)/bandwidth-\(getpid())")
        try await ladder.make(in: media)
    }

    deinit { media.remove() }

    /// Most of a round is waiting, and what is measured must not wait for the processor.
    package var roundsAtOnce: Int { 2 }

    /// The furthest that each kind of figure was off.
    package var results: [String] {
        let totals = totals.with { $0 }
        let figures = furthestMs.with { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) ms off at most" }
        return [
            figures.joined(separator: ", "),
            "\(totals.stalls) stalls and \(totals.switches) renditions were seen",
            "the machine was \(totals.latenessMs) ms late at most",
        ]
    }

    /// How many stalls and renditions were seen so far.
    package var seen: (stalls: Int, renditions: Int) { totals.with { ($0.stalls, $0.switches) } }

    package func round(seed: UInt64) async -> String? {
        let schedule = BandwidthSchedule(seed: seed, seconds: Double(ladder.seconds) * 1.5)
        return await play("\(seed)", schedule.description) { configuration, _ in
            configuration.throttle = try ThrottleSchedule(parsing: schedule.text)
            configuration.throttleStart = .firstRequest(PathPattern("*.ts"))
        }
    }

    /// A round over a link that is fast, but gone for a while: a segment is sent when the player has stalled for half a
    /// second.
    package func round(withoutSegment index: Int) async -> String? {
        await play("held", "segment \(index) is held") { configuration, files in
            configuration.chooses = { request in
                guard request.path.hasSuffix("\(index).ts") else { return Faults() }
                _ = blocked(every: 20_000) {
                    files.read(files.archive).contains("\"buffer_cause\":\"stall\"")
                }
                return Faults(latencyMilliseconds: 500)
            }
        }
    }

    private func play(
        _ name: String,
        _ link: String,
        over change: (inout ServerConfiguration, RoundFiles) throws -> Void
    ) async -> String? {
        let files = RoundFiles(folder: "\(media.folder)-\(name)")
        files.remove()
        files.create()
        let problem: String?
        do {
            var configuration = ServerConfiguration(root: media.folder)
            try change(&configuration, files)
            problem = try await play(configuration, files)
        } catch {
            problem = "\(error)"
        }
        guard let problem else {
            files.remove()
            return nil
        }
        return "\(link): \(problem); all files are in \(files.folder)"
    }

    private func play(_ link: ServerConfiguration, _ files: RoundFiles) async throws -> String? {
        let delivered = DeliveredSegments()
        var configuration = link
        configuration.onAnswer = { delivered.add($0) }
        let server = try LoopbackServer(configuration)
        defer { server.stop() }
        let log = SinkLog(folder: files.folder)
        let isPlaying = Lock(true)
        let thread = Thread(name: "sink-log") { log.follow(while: { isPlaying.with { $0 } }) }
        defer {
            isPlaying.with { $0 = false }
            thread.join()
        }
        let outputs = TrackedOutputs(binaries: binaries, files: files)
        let player = try ChildProgram(
            "\(binaries)/tally-player",
            [server.url(of: "master.m3u8"), "--no-decode", "--quiet", "--archive", files.archive]
                + outputs.options(files.live) + ["--set", "player.stallTimeoutSeconds=60"],
            output: files.log,
            joined: true,
            environment: SinkLog.environment(in: files.folder)
        )
        let code = try await player.end()
        guard code == 0 else { return "the player ends with \(code): \(files.read(files.log).suffix(400))" }
        let seen = try PlaybackAccount(
            beganUs: log.beganUs,
            pictures: log.pictures(),
            heights: delivered.heights,
            segmentMs: Int64(ladder.segmentSeconds) * 1000
        )
        let told = try PlaybackAccount(archive: files.lines(files.archive))
        let difference = AccountDifference(seen: seen, told: told, latenessUs: log.latenessUs)
        note(seen, difference, latenessMs: max(log.latenessUs, told.jitterUs) / 1000)
        if !difference.problems.isEmpty { return difference.problems.joined(separator: "; ") }
        return try await outputs.difference()
    }

    private func note(_ seen: PlaybackAccount, _ difference: AccountDifference, latenessMs: Int64) {
        furthestMs.with { $0.merge(difference.furthestMs) { max($0, $1) } }
        totals.with { totals in
            totals.stalls += seen.stalls.count
            totals.switches += seen.switches.count
            totals.latenessMs = max(totals.latenessMs, latenessMs)
        }
    }
}

/// Which rendition of each segment a server has delivered to its end.
private final class DeliveredSegments: Sendable {
    private let heightByIndex = Lock<[Int: Int]>([:])

    func add(_ answer: Answer) {
        guard answer.status == 200, answer.bytesSent == answer.bytesPromised, answer.request.path.hasSuffix(".ts"),
            let rendition = LadderMedia.renditions.first(where: { answer.request.path.hasPrefix("/\($0.name)") }),
            let index = Int(answer.request.path.filter(\.isNumber))
        else { return }
        heightByIndex.with { $0[index] = rendition.height }
    }

    /// Of the segments from the first one on.
    var heights: [Int] {
        heightByIndex.with { heights in (0..<heights.count).map { heights[$0] ?? 0 } }
    }
}
