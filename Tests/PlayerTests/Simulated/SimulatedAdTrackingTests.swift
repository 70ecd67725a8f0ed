internal import AdDocuments
internal import ChildPrograms
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// What ad servers hear of an ad, and what is said of addresses that cannot be used; with simulated engines.
struct SimulatedAdTrackingTests {
    private let player = SimulatedPlayer()
    private let server: SimulatedAdServer

    init() { server = SimulatedAdServer(player.web) }

    private static let long = "<MediaFile type=\"video/mp4\">long.mp4</MediaFile>"

    /// Plays the clip with a document's ads, and tells their servers.
    private func play(_ document: String, script: String) throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        server.write("main.xml", document)
        let arguments = [player.clip, "--ads", server.url("main.xml"), "--json", "--vast-tracking"]
        let (run, result) = try player.record(arguments, script: script)
        #expect(result.code == 0, "\(result.errors)")
        return (run, result)
    }

    /// An ad with a tracking address for each of these events.
    private static func ad(events: [String], media: String = long) -> String {
        let tracking = events.map { "<Tracking event=\"\($0)\">track/one/\($0)</Tracking>" }.joined()
        return AdDocuments.inline("one", media: media).replacing(
            "<TrackingEvents>",
            with: "<TrackingEvents>" + tracking
        )
    }

    @Test("An ad's servers hear that it is loaded, begins and fills the screen, and of nothing that cannot happen")
    func events() throws {
        let never = [
            "rewind", "otherAdInteraction", "acceptInvitation", "acceptInvitationLinear", "interactiveStart",
            "closeLinear", "expand", "collapse", "notUsed",
        ]
        let events = ["loaded", "creativeView", "fullscreen", "exitFullscreen", "playerExpand", "playerCollapse"]
        // The same again changes nothing.
        let script = "@2 fullscreen on\n@2.4 fullscreen on\n@3 fullscreen off\n0.3 stop"
        _ = try play(AdDocuments.vast(Self.ad(events: events + never)), script: script)
        let told = [
            "loaded", "impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
            "fullscreen", "playerExpand", "exitFullscreen", "playerCollapse",
        ]
        #expect(server.tracked.sorted() == told.map { "one/" + $0 }.sorted())
        #expect(server.tracked.first == "one/loaded")
    }

    @Test("A viewer who stops within an ad closes it, and one who stops elsewhere does not")
    func close() throws {
        let document = AdDocuments.vast(Self.ad(events: ["closeLinear"]))
        _ = try play(document, script: "@2 stop")
        #expect(server.tracked.contains("one/start") && server.tracked.last == "one/closeLinear")
        let other = SimulatedAdTrackingTests()
        _ = try other.play(document, script: "0.3 stop")
        #expect(other.server.tracked.contains("one/complete") && !other.server.tracked.contains("one/closeLinear"))
    }

    @Test("With its first picture nobody knows whether an ad is seen, and code that comes with it is not executed")
    func notExecuted() throws {
        let more = """
            <ViewableImpression><ViewUndetermined>track/one/undetermined</ViewUndetermined>
            <Viewable>track/one/seen</Viewable></ViewableImpression><AdVerifications><Verification><TrackingEvents>
            <Tracking event="verificationNotExecuted">track/one/unverified?r=[REASON]</Tracking></TrackingEvents>
            </Verification></AdVerifications><Creatives>
            """
        let media = Self.long + "<InteractiveCreativeFile apiFramework=\"SIMID\">a.html</InteractiveCreativeFile>"
        let ad = AdDocuments.inline("one", media: media).replacing("<Creatives>", with: more)
        let (run, _) = try play(AdDocuments.vast(ad), script: "0.3 stop")
        let told = server.requests.map { $0.hasPrefix("one/impression") ? "one/impression" : $0 }
        #expect(
            told.prefix(5) == [
                "one/unverified?r=2", "one/error?code=409", "one/impression", "one/undetermined", "one/start",
            ]
        )
        #expect(!told.contains("one/seen"))
        // The ad was shown.
        #expect(run.event("ad_error") == nil && run.events("ad_complete").count == 1)
        let other = SimulatedAdTrackingTests()
        _ = try other.play(AdDocuments.vast(ad.replacing("<Ad ", with: "<Ad adType=\"audio\" ")), script: "0.3 stop")
        #expect(other.server.tracked.contains("one/complete") && !other.server.tracked.contains("one/undetermined"))
    }

    @Test("An ad that cannot be played gives way to a stand-alone ad of the same answer, which is told as its own")
    func substitute() throws {
        let gone = "<MediaFile type=\"video/mp4\">gone.mp4</MediaFile>"
        let document = AdDocuments.vast(
            AdDocuments.inline("bad", sequence: 1, media: gone) + AdDocuments.inline("spare")
                + AdDocuments.inline("good", sequence: 2)
        )
        let (run, _) = try play(document, script: "0.3 stop")
        #expect(run.events("ad_error").map { $0.attribute("error_id") } == ["ad_media_not_found"])
        #expect(run.events("ad_start").map { $0.attribute("ad_id")?.string } == ["spare", "good"])
        #expect(run.events("ad_start").map { $0.attribute("ad_position")?.int } == [1, 2])
        #expect(run.events("ad_break_start").count == 1)
        let told = server.tracked.filter { $0.hasSuffix("impression") || $0.hasSuffix("error") }
        #expect(told == ["bad/error", "spare/impression", "good/impression"])
    }

    @Test("Macros are filled in wherever the player asks: for the schedule, for its documents, and in what it tells")
    func macros() throws {
        let query = "?c=[CACHEBUSTING]&id=[TRANSACTIONID]&p=[BREAKPOSITION]&u=[CLIENTUA]&s=%%CACHE%%&n=[ADCOUNT]"
        let schedule = AdDocuments.vmap([AdDocuments.adBreak("start", id: "a", AdDocuments.tag("track/tag" + query))])
        player.web.put(.init(schedule), at: server.url("vmap.xml"))
        let (_, result) = try player.record(
            [player.clip, "--ads", server.url("track/schedule") + query, "--json"],
            script: "0.3 stop"
        )
        #expect(result.code == 0)
        // The address is never the same, so that nothing is there; what counts is how it was asked for.
        let asked = try #require(server.requests.first { $0.hasPrefix("schedule") })
        let values = asked.split { "?&".contains($0) }.dropFirst().map { $0.drop { $0 != "=" }.dropFirst() }
        #expect(values.count == 6 && values[0].utf8.count == 8 && values[1].utf8.count == 36, "\(asked)")
        #expect(values[2] == "-1" && values[3].hasPrefix("tally-player%2F") && values[4] == "%25%25CACHE%25%25")
        let other = SimulatedAdTrackingTests()
        let ad = AdDocuments.vast(AdDocuments.inline("one")).replacing(
            "track/one/start",
            with: "track/one/start" + query
        )
        let (run, _) = try other.play(ad.replacing("&", with: "&amp;"), script: "0.3 stop")
        #expect(run.events("ad_complete").count == 1)
        let told = try #require(other.server.requests.first { $0.hasPrefix("one/start") })
        #expect(told.contains("&p=1&") && told.hasSuffix("&s=%25%25CACHE%25%25&n=1"), "\(told)")
        let third = SimulatedAdTrackingTests()
        _ = try third.play(schedule, script: "0.3 stop")
        let tag = try #require(third.server.requests.first { $0.hasPrefix("tag") })
        #expect(tag.contains("&p=1&") && tag.hasSuffix("&n=-1") && !tag.contains("["), "\(tag)")
    }

    @Test("A break whose documents lead to no ad tells its server the numbers of both standards")
    func scheduleErrors() throws {
        let error =
            "<vmap:TrackingEvents><vmap:Tracking event=\"error\">track/a/error?v=[ERRORCODE]&amp;"
            + "m=[ERROR_CODE]&amp;t=[ERROR_MESSAGE]</vmap:Tracking>"
        let entry = AdDocuments.adBreak("start", id: "a", AdDocuments.tag("nowhere.xml"))
        let (run, _) = try play(
            AdDocuments.vmap([entry.replacing("<vmap:TrackingEvents>", with: error)]),
            script: "0.3 stop"
        )
        #expect(run.events("ad_error").count == 1)
        let told = try #require(server.requests.first)
        #expect(told.hasPrefix("a/error?v=301&m=1009&t=an%20ad%20document%20cannot%20be%20had"), "\(told)")
    }

    @Test("An address that cannot be used is a warning, in a document and in a schedule")
    func warnings() throws {
        let bad = AdDocuments.inline("one").replacing(
            "<Creatives>",
            with: "<Impression>ftp://a/b</Impression><Creatives>"
        )
        let (run, result) = try play(AdDocuments.vast(bad), script: "0.3 stop")
        #expect(run.events("ad_complete").count == 1)
        #expect(result.errors.contains("not a usable address: Impression 'ftp://a/b' in '\(server.url("main.xml"))'"))
        let other = SimulatedAdTrackingTests()
        let breaks = [AdDocuments.adBreak("start", id: "a", AdDocuments.tag("rtmp://a/b"))]
        let (_, second) = try other.play(AdDocuments.vmap(breaks), script: "0.3 stop")
        #expect(second.errors.contains("not a usable address: AdTagURI 'rtmp://a/b' in "))
        // Twenty are named, and the others counted.
        let many = (1...25).map { "<Impression>ftp://a/\($0)</Impression>" }.joined()
        let third = SimulatedAdTrackingTests()
        let crowd = AdDocuments.inline("one").replacing("<Creatives>", with: many + "<Creatives>")
        let (_, last) = try third.play(AdDocuments.vast(crowd), script: "0.3 stop")
        #expect(last.errors.contains("ftp://a/20'") && !last.errors.contains("ftp://a/21'"))
        #expect(last.errors.contains("5 further addresses of the ad documents cannot be used"))
    }

    @Test("An address that is a file is a warning as well, when it is to be requested")
    func fileAddresses() throws {
        let folder = TemporaryFolder()
        player.web.put(SimulatedMedia(durationMs: 1200), at: folder.file("ad1.mp4"))
        let document = folder.write("ad.xml", AdDocuments.vast(AdDocuments.inline("one")))
        let arguments = [player.clip, "--ads", document, "--json"]
        let (_, told) = try player.record(arguments + ["--vast-tracking"], script: "0.3 stop")
        #expect(told.errors.contains("track/one/start' is not requested for the ad: it is no address of the web"))
        let (_, silent) = try player.record(arguments, script: "0.3 stop")
        #expect(!silent.errors.contains("is not requested"))
    }

    @Test("A break that repeats is played again within the main content")
    func repeated() throws {
        let entry = AdDocuments.adBreak("00:00:01", id: "a", AdDocuments.tag("inline.xml"))
        let schedule = AdDocuments.vmap([
            entry.replacing("<vmap:AdBreak ", with: "<vmap:AdBreak repeatAfter=\"00:00:01.200\" ")
        ])
        let (run, _) = try play(schedule, script: "")
        let breaks = run.events("ad_break_start")
        #expect(breaks.map { $0.attribute("ad_break_start_ms")?.int } == [1000, 2200, 3400])
        #expect(breaks.map { $0.attribute("ad_break_position")?.int } == [1, 2, 3])
        #expect(run.event("complete") != nil)
    }
}
