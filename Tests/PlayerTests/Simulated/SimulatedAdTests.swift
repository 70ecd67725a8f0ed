internal import AdDocuments
internal import ChildPrograms
internal import SimulatedPlayback
internal import Streaming
internal import Testing
internal import TextEncoding

/// What becomes of each kind of document, creative and command, with simulated engines.
struct SimulatedAdTests {
    private let player = SimulatedPlayer()

    private static let adEvents = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]

    /// Plays the clip with a document's ads.
    private func play(
        _ ads: String,
        _ arguments: [String] = [],
        script: String
    ) throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        try player.record([player.clip, "--ads", ads, "--json"] + arguments, script: script)
    }

    /// The events without what the network and the renditions add.
    private func course(_ run: RecordedRun) -> [String] {
        let others = ["rendition_change", "metadata_change", "request_completed", "request_failed"]
        return run.names.filter { !others.contains($0) }
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
    func failures(document: String, code: String, vast: Int64) throws {
        let server = SimulatedAdServer(player.web)
        let (run, result) = try play(server.url(document), ["--vast-tracking"], script: "0.5 stop")
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
        let told = server.requests.filter { $0.prefix { $0 != "?" }.hasSuffix("/error") }
        let wants =
            ["empty.xml", "nonlinear.xml", "wrong-type.xml", "wrapper-missing.xml"].contains(document) || isPlayed
        if wants { #expect(told.map { $0.drop { $0 != "?" } } == ["?code=\(vast)"]) }
        #expect(told.allSatisfy { $0.hasSuffix("?code=\(vast)") })
    }

    @Test(
        "An ad with which the engine crashes before it is shown is begun once more, and no oftener",
        arguments: [1, 2]
    )
    func crash(times: Int) throws {
        let server = SimulatedAdServer(player.web)
        let (crash, film) = (SimulatedMedia(.crash), SimulatedMedia(durationMs: 1200))
        let url = server.url("ad1.mp4")
        if times == 1 { player.web.put(crash, film, at: url) } else { player.web.put(crash, crash, film, at: url) }
        let (run, result) = try play(server.url("inline.xml"), ["--vast-tracking"], script: "3 stop")
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_break_start").count == 1 && run.events("ad_break_complete").count == 1)
        #expect(course(run).filter { Self.adEvents.contains($0) } == (times == 1 ? Self.adEvents : []))
        let errors = run.events("ad_error").map { $0.attribute("error_code") }
        #expect(errors == (times == 1 ? [] : [.int(405)]))
        #expect(run.event("first_frame") != nil)
    }

    @Test(
        "What can be shown is shown once before the main content, whatever lies around it",
        arguments: [
            ("inline.xml", ["one"]), ("vast2.xml", ["old"]), ("vast4.xml", ["new"]), ("pod.xml", ["first", "second"]),
            ("bitrates.xml", ["many"]), ("wrapper.xml", ["one"]), ("wrapper1.xml", ["one"]),
            ("wrapper-single.xml", ["spare"]),
        ] as [(String, [String])]
    )
    func shown(document: String, ads: [String]) throws {
        let server = SimulatedAdServer(player.web)
        // Of the media files of one document the best that is allowed is not there.
        let (run, result) = try play(
            server.url(document),
            ["--vast-tracking", "--set", "player.maxBitrate=1000000"],
            script: "0.3 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run) == ["application_launched", "player_ready", "video_load", "play", "ad_break_start"]
                + ads.flatMap { _ in Self.adEvents }
                + ["ad_break_complete", "first_frame", "video_unload", "application_terminated"]
        )
        #expect(run.events("ad_start").map { $0.attribute("ad_id")?.string } == ads)
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        for ad in ads { #expect(server.tracked.filter { $0 == "\(ad)/impression" }.count == 1) }
        #expect(!server.tracked.contains { $0.hasSuffix("error") })
    }

    @Test("An ad that cannot be played gives way to the next one of its pod")
    func partlyPlayable() throws {
        let server = SimulatedAdServer(player.web)
        let (run, result) = try play(server.url("partly.xml"), script: "0.5 stop")
        #expect(result.code == 0, "\(result.errors)")
        let names = course(run).filter { $0.hasPrefix("ad_") }
        #expect(names == ["ad_break_start", "ad_error"] + Self.adEvents + ["ad_break_complete"])
        #expect(run.event("ad_start")?.attribute("ad_position") == .int(2))
        #expect(server.tracked.isEmpty)
    }

    @Test("An ad is clicked on, paused, skipped when that is allowed, and the main content cannot be moved meanwhile")
    func commands() throws {
        let server = SimulatedAdServer(player.web)
        // When the ad begins is the machine's affair: what comes too early or too late is refused.
        let script = (1...40).map { "@\(Double($0) / 4) click-ad\n@\(Double($0) / 4) skip-ad" }.joined(separator: "\n")
        let (run, result) = try play(server.url("skippable.xml"), ["--vast-tracking"], script: script + "\n2 stop")
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_skip").count == 1)
        #expect(run.event("ad_complete") == nil)
        #expect(run.names.contains("ad_break_complete"))
        #expect(server.tracked.contains("skip/skip") && server.tracked.contains("skip/click"))
        #expect(!run.events("ad_click").isEmpty)
        #expect(result.errors.contains("there is no ad to click on"))
    }

    @Test("During an ad the state holds the ad's picture, before and after it that of the main content")
    func picture() throws {
        var clip = SimulatedMedia.clip
        clip.rendition = StreamRendition(width: 640, height: 360, framesPerSecondMilli: 25_000, bitrate: nil)
        player.web.put(clip, at: player.clip)
        let server = SimulatedAdServer(player.web)
        var creative = SimulatedMedia(durationMs: 1200)
        creative.rendition = StreamRendition(width: 160, height: 90, framesPerSecondMilli: 30_000, bitrate: nil)
        player.web.put(creative, at: server.url("ad1.mp4"))
        let (run, result) = try play(server.url("vmap.xml"), script: "")
        #expect(result.code == 0, "\(result.errors)")
        var shown: (width: Int64?, bitrate: Int64?) = (nil, nil)
        var isAd = false
        var (ads, others) = (0, 0)
        for line in run.lines {
            shown.width = line.state("width")?.int ?? shown.width
            shown.bitrate = line.state("bitrate_bps")?.int ?? shown.bitrate
            let name = line["event"]?.string ?? ""
            if name == "ad_start" { isAd = line.attribute("ad_url")?.string?.hasSuffix("ad1.mp4") == true }
            if name.hasPrefix("ad_"), isAd {
                ads += 1
                #expect(shown.width == 160 && shown.bitrate == 250_000, "\(name): \(shown)")
            } else if ["ad_break_complete", "complete"].contains(name) {
                others += 1
                // Behind the pre-roll nothing is shown yet, and nobody says what the clip's bitrate is.
                #expect(shown.width == (others == 1 ? 0 : 640) && shown.bitrate == 0, "\(name): \(shown)")
            }
            if ["ad_complete", "ad_skip"].contains(name) { isAd = false }
        }
        #expect(ads >= 10 && others >= 3)
        #expect(run.events("rendition_change").allSatisfy { $0.attribute("rendition_width")?.int != 160 })
    }

    @Test("The last place that is told of an ad is its end")
    func lastPlace() throws {
        let server = SimulatedAdServer(player.web)
        let (run, result) = try play(server.url("vmap.xml"), script: "")
        #expect(result.code == 0, "\(result.errors)")
        var place: Int64?
        for line in run.lines {
            if line["event"] == "ad_complete" {
                #expect(place == 1200)
                // The player still shows the ad then, as ``SyntheticPlayer`` does.
                #expect(line.state("ad_playhead_ms")?.int == 1200)
            }
            if line["event"] == "ad_break_complete" { #expect(line.state("ad_playhead_ms")?.int ?? -1 == -1) }
            place = line.state("ad_playhead_ms")?.int ?? place
        }
        #expect(run.events("ad_complete").count == 4)
    }

    private static let longCreative = "<MediaFile type=\"video/mp4\">long.mp4</MediaFile>"

    @Test("A pause during an ad halts the ad, and the ad goes on")
    func pauseInAd() throws {
        let server = SimulatedAdServer(player.web)
        server.write("long.xml", AdDocuments.vast(AdDocuments.inline("one", media: Self.longCreative)))
        let (run, result) = try play(
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
    func muteInAd() throws {
        let server = SimulatedAdServer(player.web)
        let events = ["mute", "unmute"].map { "<Tracking event=\"\($0)\">track/one/\($0)</Tracking>" }.joined()
        let document = AdDocuments.vast(AdDocuments.inline("one", media: Self.longCreative))
        server.write("sound.xml", document.replacing("<TrackingEvents>", with: "<TrackingEvents>" + events))
        let script = "@2 volume 0.5\n@2.4 mute on\n@2.8 volume 0.7\n@3.2 mute off\n0.3 stop"
        let (run, result) = try play(server.url("sound.xml"), ["--vast-tracking"], script: script)
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.event("ad_complete") != nil)
        #expect(server.tracked.filter { $0.hasSuffix("mute") } == ["one/mute", "one/unmute"])
    }

    @Test("A creative that breaks off or does not come costs the ad alone")
    func creativeFaults() throws {
        var broken = SimulatedMedia(durationMs: 1200)
        broken.faultAt = (300, .connectionLost)
        for (media, code) in [(broken, "ad_unplayable"), (SimulatedMedia(.silent), "ad_media_timeout")] {
            let server = SimulatedAdServer(player.web)
            player.web.put(media, at: server.url("ad1.mp4"))
            let (run, result) = try play(
                server.url("inline.xml"),
                ["--set", "player.adTimeoutSeconds=1"],
                script: "0.3 stop"
            )
            #expect(result.code == 0, "\(result.errors)")
            #expect(run.events("ad_error").map { $0.attribute("error_id") } == [.string(code)], "\(result.errors)")
            #expect(run.event("first_frame") != nil)
            #expect(run.events("ad_break_start").count == 1)
            #expect(run.events("ad_break_complete").count == 1)
        }
    }

    @Test("A document in a file names creatives beside it")
    func files() throws {
        let folder = TemporaryFolder()
        for name in ["ad1.mp4", "ad2.mp4"] { player.web.put(SimulatedMedia(durationMs: 1200), at: folder.file(name)) }
        let document = folder.write("pod.xml", try #require(AdDocuments.all["pod.xml"]))
        let (run, result) = try play(document, script: "0.3 stop")
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_complete").count == 2)
    }

    @Test("A break that a seek passes is played once before the main content goes on")
    func seekOverBreak() throws {
        let server = SimulatedAdServer(player.web)
        let (run, result) = try play(server.url("vmap-parts.xml"), script: "0.3 seek 2.4\n2.8 stop")
        #expect(result.code == 0, "\(result.errors)")
        let names = course(run)
        let seek = try #require(names.firstIndex(of: "seek_complete"))
        let adBreak = try #require(names.firstIndex(of: "ad_break_start"))
        #expect(seek < adBreak)
        #expect(run.events("ad_break_start").count == 1)
        #expect(run.events("ad_error").map { $0.attribute("error_id") } == ["ad_invalid"])
    }

    @Test(
        "A document that is late or refused costs the ads alone, and nothing of the main content's startup time",
        arguments: [SimulatedWeb.Answer(latencyMs: 5000), SimulatedWeb.Answer(status: 503)]
    )
    func noDocument(answer: SimulatedWeb.Answer) throws {
        let server = SimulatedAdServer(player.web)
        player.web.put(answer, at: server.url("inline.xml"))
        let (run, result) = try play(
            server.url("inline.xml"),
            ["--set", "player.adTimeoutSeconds=1"],
            script: "0.3 stop"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_error").map { $0.attribute("error_id") } == ["ad_unreachable"], "\(result.errors)")
        #expect(run.event("first_frame") != nil)
        #expect(run.event("ad_break_start") == nil)
        #expect(try result.summary()["startup_ms"]?.int ?? .max < 500)
    }
}
