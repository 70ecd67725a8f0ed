internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import System
internal import TextEncoding

/// Plays damaged streams with the real player: playlists, manifests, segments and keys that say nonsense, are broken, or
/// come from a server that misbehaves.
///
/// Whatever a stream is: the player does not die, comes to an end with a reason that its documentation has, asks for no
/// more than it may, leaves a complete archive, and the replay of that is what the run said. A round that fails keeps its
/// folder.
package final class StreamsCampaign: Campaign {
    private let binaries: String
    private let media: StreamMedia
    private let base: String
    private let documented: DocumentedEnds
    private let ends = Lock<[String: Int]>([:])
    private let failures = Lock<[String]>([])

    /// Uses the player in `binaries`; the media are made by ffmpeg, in `folder`, and removed with the campaign.
    package init(binaries: String, folder: String) async throws {
        self.binaries = binaries
        base = "\(folder)/streams-\(getpid())"
        documented = try DocumentedEnds()
        media = try await StreamMedia(in: RoundFiles(folder: base))
    }

    deinit { media.remove() }

    /// Most of a round is waiting.
    package var roundsAtOnce: Int { 6 }

    /// How often playback ended in which way, and the streams over which the engine itself failed.
    package var results: [String] {
        let ends = ends.with { $0.sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
        return ends.map { "\($0.value) rounds ended so: \($0.key)" } + engineFailures
    }

    /// The streams so far over which the engine itself failed, and what the player said of it.
    package var engineFailures: [String] { failures.with { $0.sorted() } }

    package func round(seed: UInt64) async -> String? {
        let (kind, damages) = StreamDamage.chosen(seed: seed, of: media)
        let files = RoundFiles(folder: "\(base)-\(seed)")
        files.remove()
        files.create()
        let problem: String?
        do { problem = try await play(kind, damages, seed, files) } catch { problem = "\(error)" }
        guard let problem else {
            files.remove()
            return nil
        }
        return "\(Self.text(kind, damages)): \(problem); all files are in \(files.folder)"
    }

    private static func text(_ kind: StreamKind, _ damages: [StreamDamage]) -> String {
        "\(kind) (\(damages.map(\.description).joined(separator: "; ")))"
    }

    private func play(
        _ kind: StreamKind,
        _ damages: [StreamDamage],
        _ seed: UInt64,
        _ files: RoundFiles
    ) async throws -> String? {
        let stream = DamagedStream(kind, damages, in: "\(files.folder)/stream", from: media.folder(of: kind))
        stream.write()
        let requestTimes = RequestTimes()
        var configuration = ServerConfiguration(root: stream.folder)
        configuration.faults = stream.rules
        configuration.chooses = { request in
            // The player's own requests, which it names, are no part of what the engine may ask for; nor is where a
            // redirect leads a request that the engine begins.
            if request.header("user-agent") != "tally-player", request.query == nil { requestTimes.add() }
            return Faults()
        }
        let server = try LoopbackServer(configuration)
        defer { server.stop() }
        let growth = Task { try await stream.grow(server) }
        defer { growth.cancel() }
        let outputs = TrackedOutputs(binaries: binaries, files: files)
        let player = try ChildProgram(
            "\(binaries)/tally-player",
            [server.url(of: kind.entry)] + PlayedStream.options + outputs.options(files.live) + [
                "--archive", files.archive, "--json", "--quiet",
            ] + (seed / 8 % 4 == 0 ? [] : ["--no-decode"]),
            output: "\(files.folder)/output.txt",
            errors: files.log
        )
        let code = try await player.end()
        if code < 0 { return "the player is ended by signal \(-code)" }
        let played = try PlayedStream(files, code: code)
        ends.with { $0[played.end, default: 0] += 1 }
        if let failure = played.engineFailure {
            failures.with { $0.append("seed \(seed), \(Self.text(kind, damages)): \(failure)") }
        }
        if let problem = played.problem(documented) ?? requestTimes.problem { return problem }
        return try await outputs.difference()
    }
}

/// When requests came to a server.
///
/// They come later than they begin, those of a busy machine several at once: what is on its way does not count as begun
/// with what comes behind it.
private final class RequestTimes: Sendable {
    /// What docs/player.md says.
    private static let perSecond = 20
    /// The most that the engine has on its way: segments of two tracks, a playlist and a key.
    private static let mostOnTheWay = 4
    private static let windowUs: Int64 = 1_000_000

    private let timesUs = Lock<[Int64]>([])

    func add() { timesUs.with { $0.append(SystemTime.monotonic()) } }

    var problem: String? {
        let times = timesUs.with { $0.sorted() }
        var first = 0
        for (index, time) in times.enumerated() {
            while times[first] <= time - Self.windowUs { first += 1 }
            let count = index - first + 1
            if count > Self.perSecond + Self.mostOnTheWay { return "\(count) requests or more begin within a second" }
        }
        return nil
    }
}
