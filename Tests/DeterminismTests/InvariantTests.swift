import EventModel
import Glibc
import Tally
import TallyTesting
import Testing

/// What holds for every tracker after every course of events, legal or not.
///
/// Played time never exceeds the time in which the playhead moved, nor wall time; no figure is negative; each start has
/// one end; playheads lie within their asset.
@Suite struct InvariantTests {
    /// Courses of events for each tracker; `TALLY_SEQUENCES` is another number of them.
    private static let seeds =
        0..<(unsafe getenv("TALLY_SEQUENCES").flatMap { unsafe UInt64(String(cString: $0)) } ?? 40)

    @Test("New Relic", arguments: ["newrelic", "newrelic-b"])
    func newRelic(instance: String) throws {
        try Self.check(instance) { figures in
            figures.checkNoneNegative()
            let isContent = { (line: OutputTranscript.Line) in line.attributes["isAd"] != .int(1) }
            figures.checkFigure("totalPlaytime", { $0.elapsed(from: $1, to: $2) })
            figures.checkFigure("totalPlaytime", { $0.movingTime(from: $1, to: $2) }, where: isContent)
            figures.checkSum(of: "playtimeSinceLastEvent", { $0.movingTime(from: $1, to: $2) }, where: isContent)
            figures.checkPlayhead("contentPlayhead", unit: 1)
            for phase in ["CONTENT_BUFFER", "CONTENT_SEEK", "AD_BUFFER", "AD_SEEK", "AD_BREAK", "AD"] {
                figures.checkPairs("\(phase)_START", "\(phase)_END")
            }
            figures.checkPairs("CONTENT_PAUSE", "CONTENT_RESUME")
            figures.checkPairs("CONTENT_REQUEST", "CONTENT_END")
        }
    }

    @Test("Mux Data")
    func mux() throws {
        try Self.check("mux", since: "viewinit") { figures in
            figures.checkNoneNegative()
            figures.checkFigure("view_watch_time", { $0.elapsed(from: $1, to: $2) })
            figures.checkFigure("view_playing_time", { $0.elapsed(from: $1, to: $2) })
            figures.checkFigure("watch_time_ms", { $0.elapsed(from: $1, to: $2) })
            figures.checkFigure("content_time_ms", { $0.movingTime(from: $1, to: $2) })
            figures.checkFigure("view_content_playback_time", { $0.distance(from: $1, to: $2) })
            figures.checkPlayhead("player_playhead_time", unit: 1)
            figures.checkPlayhead("view_max_playhead_position", unit: 1)
            figures.checkPairs("viewinit", "viewend")
            figures.checkPairs("rebufferstart", "rebufferend")
            figures.checkPairs("seeking", "seeked")
            figures.checkPairs("adbreakstart", "adbreakend")
            figures.checkMuxAds()
        }
    }

    @Test("Adobe Video Heartbeat", arguments: ["adobe", "adobe131"])
    func heartbeat(instance: String) throws {
        try Self.check(instance) { figures in
            figures.checkNoneNegative(but: ["l:event:prev_ts"])
            let isAd = { (line: OutputTranscript.Line) in line.attributes["s:asset:type"] == .string("ad") }
            let isPlay = { (line: OutputTranscript.Line) in line.kind == "play" }
            // 1.4 has the place in the content in an ad's entries too.
            let isPlaceInAd = { (line: OutputTranscript.Line) in instance == "adobe131" && isAd(line) && isPlay(line) }
            figures.checkSum(of: "l:event:duration", { $0.elapsed(from: $1, to: $2) }, where: isPlay)
            figures.checkSum(
                of: "l:event:duration",
                { $0.movingTime(from: $1, to: $2) },
                where: { isPlay($0) && !isAd($0) }
            )
            // At its end the video stands at its length.
            figures.checkPlayhead(
                "l:event:playhead",
                unit: 1_000,
                where: { !isAd($0) && !["complete", "active"].contains($0.kind) }
            )
            figures.checkFigure("l:event:playhead", { _, _, _ in ObservedPlayback.assetLength })
            let adLength = SyntheticPlayer.Model.adLength / 1_000
            figures.checkFigure("l:event:playhead", { _, _, _ in adLength }, where: isPlaceInAd)
            figures.checkPairs("load", "unload")
            // Adobe has no word for an ad or a chapter that is left: a skip, a seek out of it, another one in its place
            // and an unload say nothing of it.
            let chapters = figures.playback.chapters
            figures.checkParts(chapters, by: "s:stream:chapter_sid", "chapter_start", "chapter_complete")
            // What stands on the timeline when the video is unloaded is lost with the quantum that it cuts off.
            let isQuantum = { (line: OutputTranscript.Line) in
                line.kind == "active" || line.kind == "complete" && !isAd(line)
            }
            let quanta = figures.lines.filter { isQuantum($0.line) }
            let ads = figures.playback.ads
            figures.checkParts(ads, by: "s:asset:ad_sid", "start", "complete", where: isAd) { session, time in
                quanta.contains { $0.begin == session && $0.line.time >= time }
            }
        }
    }

    @Test("Adobe Analytics")
    func analytics() throws {
        try Self.check("analytics") { figures in
            figures.checkNoneNegative()
            // Analytics opens viewings and has no word for their end.
            var opened: Set<Int64> = []
            for (line, begin) in figures.lines where line.kind == "video_start" {
                if !opened.insert(begin).inserted { figures.report(line, "twice in a session") }
            }
            if opened != Set(figures.playback.loads) { figures.report("a session without video_start") }
        }
    }

    @Test("Nielsen DCR")
    func nielsen() throws {
        try Self.check("nielsen") { figures in
            figures.checkNoneNegative()
            let isAd = { (line: OutputTranscript.Line) in line.attributes["type"] != .string("content") }
            let isPlayhead = { (line: OutputTranscript.Line) in line.kind == "playheadPosition" }
            // An ad may end 50 ms early.
            let early = { (line: OutputTranscript.Line) in isAd(line) ? 50 : 0 as Int64 }
            figures.checkCredit(slack: early, { $0.elapsed(from: $1, to: $2) }, where: isPlayhead)
            figures.checkCredit(
                { $0.movingTime(from: $1, to: $2) },
                where: { isPlayhead($0) && !isAd($0) }
            )
            // Counted seconds and the player's place are both cut off.
            figures.checkPlayhead("position", unit: 1_000, slack: 1_000, where: { isPlayhead($0) && !isAd($0) })
            figures.checkAdPositions()
            figures.checkPairs("play", "end")
            figures.checkNielsenAds()
        }
    }

    private static func check(
        _ instance: String,
        since kind: String? = nil,
        _ check: (inout RecordedFigures) -> Void
    ) throws {
        var count = 0
        for seed in seeds {
            let (run, playback) = try ObservedPlayback.record(seed: seed)
            var figures = RecordedFigures(run.live, of: instance, playback, since: kind)
            check(&figures)
            let problems = figures.problems.prefix(4).joined(separator: "; ")
            #expect(figures.problems.isEmpty, "seed \(seed), \(figures.problems.count): \(problems)")
            count += figures.lines.count
        }
        #expect(count > 2 * seeds.count, "hardly anything was said")
    }
}
