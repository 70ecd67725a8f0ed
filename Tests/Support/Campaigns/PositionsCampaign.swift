internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import TextEncoding

/// Begins or goes on at every tenth of a second of streams with segments of 1 to 10 s: each time playback goes on from
/// there, and ends where the stream does.
///
/// A round's seed is its place in the list of all, so that a campaign that was cut off goes on with `--seed`.
package final class PositionsCampaign: Campaign {
    /// One position in one stream, and how playback comes to it.
    private struct Place: CustomStringConvertible {
        let segmentS: Int
        let isFragmented: Bool
        /// Whether playback begins there; otherwise it has begun at the start.
        let isBegin: Bool
        /// Whether less is buffered than a segment and a half.
        let isShort: Bool
        let positionMs: Int64

        var durationMs: Int64 { Int64(segmentS) * 4000 }
        var playlist: String { "\(segmentS)/\(isFragmented ? "fragments" : "transport").m3u8" }
        var description: String {
            "\(isBegin ? "begin" : "seek") at \(positionMs) ms of \(playlist)\(isShort ? ", 5 s buffered" : "")"
        }
    }

    /// How much is to be seen behind the position.
    private static let watchedMs: Int64 = 800
    private static let toleranceMs: Int64 = 250
    /// How far playback may have gone on when a busy machine sees that a seek is over.
    private static let latenessMs: Int64 = 1000
    private static let kinds = 8

    /// Every tenth of a second of the last three of four segments, in each way.
    private static func places(segments: [Int]) -> [Place] {
        var places: [Place] = []
        for segment in segments {
            for kind in 0..<kinds {
                for tenth in segment * 10..<segment * 40 {
                    places.append(
                        Place(
                            segmentS: segment,
                            isFragmented: kind & 1 != 0,
                            isBegin: kind & 2 != 0,
                            isShort: kind & 4 != 0,
                            positionMs: Int64(tenth) * 100
                        )
                    )
                }
            }
        }
        return places
    }

    private let places: [Place]
    private let binaries: String
    private let media: RoundFiles
    private let server: LoopbackServer

    /// Uses the player in `binaries`; the media are made by ffmpeg, in `folder`, and removed with the campaign.
    package init(binaries: String, folder: String, segments: [Int] = [1, 2, 4, 6, 10]) async throws {
        self.binaries = binaries
        places = Self.places(segments: segments)
        media = RoundFiles(folder: "\(folder)/positions-\(getpid())")
        media.create()
        let streams = segments.map { segment in
            """
            mkdir \(segment) && cd \(segment) && ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine \
            -t \(segment * 4) -c:v libx264 -preset ultrafast -g 25 -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p \
            -c:a aac all.mp4 \
            && ffmpeg -v error -y -i all.mp4 -c copy -f hls -hls_time \(segment) -hls_list_size 0 \
            -hls_segment_filename t%d.ts transport.m3u8 \
            && ffmpeg -v error -y -i all.mp4 -c copy -f hls -hls_time \(segment) -hls_list_size 0 \
            -hls_segment_type fmp4 -hls_segment_filename f%d.m4s fragments.m3u8 && cd ..
            """
        }
        let command = (["cd \(media.folder)"] + streams).joined(separator: " && ")
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        guard made.code == 0 else {
            media.remove()
            throw RoundFailure("ffmpeg cannot make the media of the campaign: \(made.errors)")
        }
        server = try LoopbackServer(ServerConfiguration(root: media.folder))
    }

    deinit {
        server.stop()
        media.remove()
    }

    /// Most of a round is waiting.
    package var roundsAtOnce: Int { 8 }

    package func round(seed: UInt64) async -> String? {
        let place = places[Int(seed % UInt64(places.count))]
        let files = RoundFiles(folder: "\(media.folder)-\(seed)")
        files.create()
        defer { files.remove() }
        let position = Double(place.positionMs) / 1000
        let end = Double(place.positionMs + Self.watchedMs) / 1000
        files.write(files.script, "\(place.isBegin ? "@0" : "0.6") seek \(position)\n\(end) stop\n")
        do {
            let player = try ChildProgram(
                "\(binaries)/tally-player",
                [
                    server.url(of: place.playlist), "--script", files.script, "--quiet", "--archive", files.archive,
                    "--set", "player.stallTimeoutSeconds=15",
                ] + (place.isShort ? ["--set", "player.bufferSeconds=5"] : []),
                output: files.log,
                joined: true
            )
            let code = try await player.end()
            guard code == 0 else { return "\(place): ends with \(code): \(files.read(files.log).suffix(300))" }
            return try problem(at: place, in: files.lines(files.archive)).map { "\(place): \($0)" }
        } catch {
            return "\(place): \(error)"
        }
    }

    /// What is wrong with the events; nil when nothing is.
    private func problem(at place: Place, in lines: [String]) throws -> String? {
        let events = try lines.map { try JSONParser().parse($0) }
        var reachedMs: Int64?
        var hasSought = false
        var isComplete = false
        for event in events {
            reachedMs = event["state"]?["playhead_ms"]?.int ?? reachedMs
            switch event["event"]?.string {
            case "seek_complete":
                hasSought = true
                let offMs = (reachedMs ?? 0) - place.positionMs
                if offMs < -Self.toleranceMs || offMs > Self.latenessMs {
                    return "the seek is over at \(reachedMs ?? -1) ms"
                }
            case "complete": isComplete = true
            default: break
            }
        }
        guard hasSought else { return "the seek does not come to its end" }
        let isAtEnd = place.positionMs + Self.watchedMs > place.durationMs - Self.toleranceMs
        if !isAtEnd, isComplete { return "it is complete at \(reachedMs ?? -1) ms" }
        if let reachedMs, reachedMs < min(place.positionMs + Self.watchedMs, place.durationMs) - Self.toleranceMs {
            return "it was played to \(reachedMs) ms alone"
        }
        return nil
    }
}
