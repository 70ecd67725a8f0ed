internal import AdDocuments
internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import TextEncoding

/// Plays one damaged document of an ad server after the other with the real player, which has to play the main content to
/// its end whatever the document says, and must neither crash nor hang.
///
/// Creatives are really played, nothing is decoded.
package final class AdCampaign: Campaign {
    /// Times of breaks within a main content of 1.2 s.
    private static let places = [(from: "00:00:02", to: "00:00:00.5"), (from: "00:00:03", to: "00:00:00.9")]

    private let binaries: String
    private let media: RoundFiles
    private let server: LoopbackServer

    /// Uses the player in `binaries`; the media are made by ffmpeg, in `folder`, and removed with the campaign.
    package init(binaries: String, folder: String) async throws {
        self.binaries = binaries
        media = RoundFiles(folder: "\(folder)/ads-\(getpid())")
        media.create()
        let command = """
            cd \(media.folder) && ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine -t 1.2 \
            -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -movflags +faststart clip.mp4 \
            && ffmpeg -v error -y -i clip.mp4 -t 0.4 -c copy -movflags +faststart ad1.mp4 && cp ad1.mp4 ad2.mp4 \
            && head -c 30000 /dev/urandom > garbage.mp4
            """
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        guard made.code == 0 else {
            media.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
        for (name, text) in AdDocuments.all { media.write("\(media.folder)/\(name)", text) }
        server = try LoopbackServer(ServerConfiguration(root: media.folder))
    }

    deinit {
        server.stop()
        media.remove()
    }

    /// Much of a round is waiting.
    package var roundsAtOnce: Int { 6 }

    package func round(seed: UInt64) async -> String? {
        let (name, bytes) = AdDocuments.damaged(seed: seed, places: Self.places)
        let files = RoundFiles(folder: "\(media.folder)-\(seed)")
        files.create()
        defer { files.remove() }
        let document = "\(media.folder)/damaged-\(seed).xml"
        defer { unsafe unlink(document) }
        do {
            try files.write(document, bytes)
            let player = try ChildProgram(
                "\(binaries)/tally-player",
                [
                    "\(media.folder)/clip.mp4", "--ads", server.url(of: "damaged-\(seed).xml"), "--vast-tracking",
                    "--no-decode", "--quiet", "--archive", files.archive, "--set", "player.adTimeoutSeconds=1",
                ],
                output: files.log,
                joined: true
            )
            guard let code = try? await player.end() else {
                return "\(name), damaged, hangs: \(files.read(files.log).suffix(400))"
            }
            guard code == 0 else {
                return "\(name), damaged, ends the player with \(code): \(files.read(files.log).suffix(400))"
            }
            return try problem(in: files.lines(files.archive)).map { "\(name), damaged: \($0)" }
        } catch {
            return "\(error)"
        }
    }

    /// What is wrong with the events; nil when nothing is.
    private func problem(in lines: [String]) throws -> String? {
        let events = try lines.map { try JSONParser().parse($0) }
        guard events.last?["end"] != nil else { return "the archive is cut off" }
        if let flagged = events.first(where: { $0["flags"] != nil }) {
            return "an event out of order: \(flagged.canonicalText)"
        }
        var counts: [String: Int] = [:]
        for event in events { counts[event["event"]?.string ?? "", default: 0] += 1 }
        func count(_ name: String) -> Int { counts[name] ?? 0 }
        if count("complete") != 1 || count("player_error") != 0 { return "the main content is not played to its end" }
        if count("pause") != 0 || count("play") != 1 { return "the wait for ads is told as a pause" }
        if count("ad_break_start") != count("ad_break_complete") { return "a break has no end" }
        if count("ad_start") != count("ad_complete") + count("ad_skip") { return "an ad has no end" }
        return nil
    }
}
