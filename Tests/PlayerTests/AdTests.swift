internal import AdDocuments
internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Ads that are really played: by the real program, from a real server.
struct AdTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private static let adEvents = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]

    /// Plays the clip with a document's ads.
    private func play(
        _ ads: String,
        _ arguments: [String] = [],
        script: String = ""
    ) async throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        var all = [media.clip, "--ads", ads, "--archive", archive, "--json"] + arguments
        if !script.isEmpty { all += ["--script", folder.write("script", script)] }
        let result = try await ChildProgram.run(all)
        return (try RecordedRun(archive), result)
    }

    /// The events without what the network and the renditions add.
    private func course(_ run: RecordedRun) -> [String] {
        let others = ["rendition_change", "metadata_change", "request_completed", "request_failed"]
        return run.names.filter { !others.contains($0) }
    }

    @Test("Pre-, mid- and post-roll are played, and of the main content nothing is told at their edges")
    func schedule() async throws {
        let server = try AdServer()
        let (run, result) = try await play(server.url("vmap.xml"), ["--vast-tracking"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run) == ["application_launched", "player_ready", "video_load", "play", "ad_break_start"]
                + Self.adEvents + ["ad_break_complete", "first_frame", "ad_break_start"] + Self.adEvents
                + Self.adEvents + ["ad_break_complete", "ad_break_start"] + Self.adEvents
                + ["ad_break_complete", "complete", "video_unload", "application_terminated"]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(run.events("pause").isEmpty)
        #expect(run.events("play").count == 1)
        #expect(run.events("buffer_start").isEmpty)
        try checkBreaks(run)
        let summary = try result.summary()
        #expect(summary["complete"] == .bool(true))
        // The four seconds of the main content, without the ads.
        #expect((3500..<5000).contains(summary["played_ms"]?.int ?? 0))
        #expect(server.tracked.filter { $0.hasPrefix("pre/") } == Self.tracked("pre"))
        #expect(server.tracked.filter { $0.hasPrefix("second/") } == Self.tracked("second"))
        #expect(server.tracked.filter { $0.hasPrefix("outer/") } == ["outer/impression", "outer/midpoint"])
        #expect(server.tracked.filter { $0.hasSuffix("/breakStart") }.count == 3)
        #expect(server.tracked.filter { $0.hasSuffix("/breakEnd") }.count == 3)
        #expect(!server.tracked.contains { $0.hasSuffix("error") })
    }

    private static func tracked(_ ad: String) -> [String] {
        ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map { ad + "/" + $0 }
    }

    private func checkBreaks(_ run: RecordedRun) throws {
        let breaks = run.events("ad_break_start")
        #expect(breaks.map { $0.attribute("ad_break_type") } == ["pre", "mid", "post"])
        #expect(breaks.map { $0.attribute("ad_break_position")?.int } == [1, 2, 3])
        let places = breaks.compactMap { $0.attribute("ad_break_start_ms")?.int }
        #expect(places.count == 3 && places.prefix(2) == [0, 2000] && (3900...4100).contains(places[2]), "\(places)")
        #expect(breaks.map { $0.attribute("ad_break_id") } == ["before", "between", "behind"])
        #expect((2000..<2200).contains(breaks[1].state("playhead_ms")?.int ?? 0))
        let ads = run.events("ad_start")
        #expect(ads.map { $0.attribute("ad_id") } == ["pre", "first", "second", "one"])
        #expect(ads.map { $0.attribute("ad_position")?.int } == [1, 1, 2, 1])
        #expect(ads.allSatisfy { (1100..<1400).contains($0.attribute("ad_duration_ms")?.int ?? 0) })
        // An archive has what changed: the end itself takes the place back.
        var place: Int64 = 0
        for line in run.lines {
            if line["event"] == "ad_complete" { #expect(place > 800) }
            place = line.state("ad_playhead_ms")?.int ?? place
        }
        // The main content stands while a break lasts.
        let edges = run.lines.filter { ["ad_break_start", "ad_break_complete"].contains($0["event"]?.string) }
        #expect(edges.compactMap { $0.state("playhead_ms")?.int }.allSatisfy { $0 < 2200 || $0 > 3800 })
    }

    @Test(
        "What cannot be shown is an ad error, and the main content is played",
        arguments: [
            ("empty.xml", "ad_empty", 303), ("malformed.xml", "ad_malformed", 100), ("page.xml", "ad_invalid", 101),
            ("version.xml", "ad_unsupported_version", 102), ("nonlinear.xml", "ad_not_linear", 201),
            ("wrong-type.xml", "ad_no_media_file", 403), ("wrapper-loop.xml", "ad_wrapper_limit", 302),
            ("wrapper-missing.xml", "ad_unreachable", 301), ("nowhere.xml", "ad_unreachable", 301),
            ("missing-media.xml", "ad_media_not_found", 401), ("garbage-media.xml", "ad_unplayable", 405),
            ("nothing.xml", "ad_malformed", 100), ("entities.xml", "ad_malformed", 100),
            ("no-media.xml", "ad_invalid", 101), ("wrapper-closed.xml", "ad_wrapper", 300),
            ("wrapper-deep.xml", "ad_wrapper_limit", 302), ("wrapper-empty.xml", "ad_empty", 303),
        ] as [(String, String, Int64)]
    )
    func failures(document: String, code: String, vast: Int64) async throws {
        let server = try AdServer()
        let (run, result) = try await play(server.url(document), ["--vast-tracking"], script: "0.5 stop")
        #expect(result.code == 0, "\(result.errors)")
        let errors = run.events("ad_error")
        #expect(errors.count == 1)
        #expect(errors.first?.attribute("error_id") == .string(code))
        #expect(errors.first?.attribute("error_code") == .int(vast))
        let isPlayed = ["missing-media.xml", "garbage-media.xml"].contains(document)
        #expect(run.events("ad_break_start").count == (isPlayed ? 1 : 0))
        #expect(run.events("ad_break_complete").count == (isPlayed ? 1 : 0))
        #expect(run.event("ad_start") == nil)
        #expect(run.event("first_frame") != nil)
        #expect(run.events("pause").isEmpty)
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        let told = server.server.requests.filter { $0.path.hasSuffix("/error") }
        let wants =
            ["empty.xml", "nonlinear.xml", "wrong-type.xml", "wrapper-missing.xml"].contains(document) || isPlayed
        if wants { #expect(told.map(\.query) == ["code=\(vast)"]) }
        #expect(told.allSatisfy { $0.query == "code=\(vast)" })
    }

    @Test(
        "What can be shown is shown once before the main content, whatever lies around it",
        arguments: [
            ("inline.xml", ["one"]), ("vast2.xml", ["old"]), ("vast4.xml", ["new"]), ("pod.xml", ["first", "second"]),
            ("bitrates.xml", ["many"]), ("wrapper.xml", ["one"]), ("wrapper1.xml", ["one"]),
            ("wrapper-single.xml", ["first"]),
        ] as [(String, [String])]
    )
    func shown(document: String, ads: [String]) async throws {
        let server = try AdServer()
        // Of the media files of one document the best that is allowed is not there.
        let (run, result) = try await play(
            server.url(document),
            ["--vast-tracking", "--set", "player.maxBitrate=1000000"],
            script: "0.3 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        let before = ["application_launched", "player_ready", "video_load", "play", "ad_break_start"]
        let after = ["ad_break_complete", "first_frame", "video_unload", "application_terminated"]
        let shown: [String] = ads.flatMap { _ in Self.adEvents }
        #expect(course(run) == before + shown + after)
        #expect(run.events("ad_start").map { $0.attribute("ad_id")?.string } == ads)
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        for ad in ads { #expect(server.tracked.filter { $0 == "\(ad)/impression" }.count == 1) }
        #expect(!server.tracked.contains { $0.hasSuffix("error") })
    }

    @Test("An ad that cannot be played gives way to the next one of its pod")
    func partlyPlayable() async throws {
        let server = try AdServer()
        let (run, result) = try await play(server.url("partly.xml"), script: "0.5 stop")
        #expect(result.code == 0, "\(result.errors)")
        let names = course(run).filter { $0.hasPrefix("ad_") }
        #expect(names == ["ad_break_start", "ad_error"] + Self.adEvents + ["ad_break_complete"])
        #expect(run.event("ad_start")?.attribute("ad_position") == .int(2))
        #expect(server.tracked.isEmpty)
    }

    @Test(
        "A server that is slow, dies in the middle of a creative or sends nothing costs the ad alone",
        arguments: [
            ("/inline.xml", Faults(latencyMilliseconds: 5000), "ad_unreachable"),
            ("/inline.xml", Faults(status: 503), "ad_unreachable"),
            ("/ad1.mp4", Faults(cutAfter: 6000), "ad_unplayable"),
            ("/ad1.mp4", Faults(stallAfter: 0), "ad_media_timeout"),
        ] as [(String, Faults, String)]
    )
    func serverFaults(path: String, faults: Faults, code: String) async throws {
        let server = try AdServer(faults: [FaultRule(PathPattern(path), faults)])
        let (run, result) = try await play(
            server.url("inline.xml"),
            ["--set", "player.adTimeoutSeconds=1"],
            script: "0.3 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_error").first?.attribute("error_id") == .string(code), "\(result.errors)")
        #expect(run.event("first_frame") != nil)
        #expect(run.events("ad_break_start").count == run.events("ad_break_complete").count)
    }

    @Test("An ad is clicked on, paused, skipped when that is allowed, and the main content cannot be moved meanwhile")
    func commands() async throws {
        let server = try AdServer()
        // When the ad begins is the machine's affair: what comes too early or too late is refused.
        let script = (1...40).map { "@\(Double($0) / 4) click-ad\n@\(Double($0) / 4) skip-ad" }.joined(separator: "\n")
        let (run, result) = try await play(
            server.url("skippable.xml"),
            ["--vast-tracking"],
            script: script + "\n2 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_skip").count == 1)
        #expect(run.event("ad_complete") == nil)
        #expect(run.names.contains("ad_break_complete"))
        #expect(server.tracked.contains("skip/skip") && server.tracked.contains("skip/click"))
        #expect(!run.events("ad_click").isEmpty)
        #expect(result.errors.contains("there is no ad to click on"))
    }

    private static let longCreative = "<MediaFile type=\"video/mp4\">long.mp4</MediaFile>"

    @Test("A pause during an ad halts the ad, and the ad goes on")
    func pauseInAd() async throws {
        let server = try AdServer()
        server.write("long.xml", AdDocuments.vast(AdDocuments.inline("one", media: Self.longCreative)))
        let (run, result) = try await play(
            server.url("long.xml"),
            ["--vast-tracking"],
            script: "@3 pause 0.5\n@3.1 seek 3\n0.3 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run).filter { !$0.hasPrefix("ad_quartile") } == [
                "application_launched", "player_ready", "video_load", "play", "ad_break_start", "ad_start", "pause",
                "play", "ad_complete", "ad_break_complete", "first_frame", "video_unload", "application_terminated",
            ]
        )
        #expect(result.errors.contains("waits for an ad and cannot be moved"))
        #expect(server.tracked.contains("one/pause") && server.tracked.contains("one/resume"))
    }

    @Test("Only a change of mute is told to the ad server as one")
    func muteInAd() async throws {
        let server = try AdServer()
        let events = ["mute", "unmute"].map { "<Tracking event=\"\($0)\">track/one/\($0)</Tracking>" }.joined()
        let document = AdDocuments.vast(AdDocuments.inline("one", media: Self.longCreative))
        server.write("sound.xml", document.replacing("<TrackingEvents>", with: "<TrackingEvents>" + events))
        let script = "@2 volume 0.5\n@2.4 mute on\n@2.8 volume 0.7\n@3.2 mute off\n0.3 stop"
        let (run, result) = try await play(server.url("sound.xml"), ["--vast-tracking"], script: script)
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.event("ad_complete") != nil)
        #expect(server.tracked.filter { $0.hasSuffix("mute") } == ["one/mute", "one/unmute"])
    }

    @Test("A document in a file names creatives beside it")
    func files() async throws {
        let server = try AdServer()
        let (run, result) = try await play(server.file("pod.xml"), script: "0.3 stop")
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_complete").count == 2)
    }

    @Test("A break that a seek passes is played once before the main content goes on")
    func seekOverBreak() async throws {
        let server = try AdServer()
        let (run, result) = try await play(server.url("vmap-parts.xml"), script: "0.3 seek 2.4\n2.8 stop")
        #expect(result.code == 0, "\(result.errors)")
        let names = course(run)
        let seek = try #require(names.firstIndex(of: "seek_complete"))
        let adBreak = try #require(names.firstIndex(of: "ad_break_start"))
        #expect(seek < adBreak)
        #expect(run.events("ad_break_start").count == 1)
        #expect(run.events("ad_error").map { $0.attribute("error_id") } == ["ad_invalid"])
    }
}
