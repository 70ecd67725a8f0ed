internal import ChildPrograms
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// What a player without screen and network of its own can only pretend.
struct StateCommandTests {
    private let player = SimulatedPlayer()

    @Test("The viewer's connection is an event, and goes on to be said of later sources")
    func connection() throws {
        let (run, result) = try player.record(
            [player.clip, player.clip, "--quiet"],
            script: "1 connection cellular\n1.5 next"
        )
        #expect(result.code == 0, "\(result.errors)")
        let change = try #require(run.events("custom").first)
        #expect(change.attribute("custom_name") == "connection_change")
        #expect(change.attribute("connection_type") == "cellular")
        let described = run.events("metadata_change")
        #expect(described.first?.attribute("connection_type") == nil)
        #expect(described.last?.attribute("connection_type") == "cellular")
        #expect(described.last?["session"] == .int(2))
    }

    @Test("A session can seem to have no pictures; then a locked device does not interrupt it")
    func audioOnly() throws {
        let (run, result) = try player.record(
            [player.clip, "--quiet"],
            script: "1 audio-only on\n1.2 interrupt lock\n1.4 interrupt end\n2 audio-only auto\n2.2 interrupt lock"
        )
        #expect(result.code == 0, "\(result.errors)")
        let said = run.lines.compactMap { $0.state("audio_only")?.bool }
        #expect(said.contains(true))
        #expect(said.last == false)
        #expect(run.events("interruption_start").count == 1)
        #expect(run.events("interruption_start").first?.state("audio_only") == false)
    }

    @Test("The subtitles that are on are said from their choice on, and one that is not there changes nothing")
    func subtitles() throws {
        var film = SimulatedMedia.clip
        film.subtitles = ["de", "en"]
        player.web.put(film, at: "film.mp4")
        let (run, result) = try player.record(
            ["film.mp4", player.clip, "--quiet", "--subtitle-language", "de"],
            script: "1 subtitles off\n1.5 subtitles fr\n2 subtitles en\n2.5 subtitles en"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("video_load").first?.attribute("subtitle_language") == nil)
        let ofFilm = run.events("metadata_change").filter { $0["session"] == .int(1) }
        #expect(ofFilm.map { $0.attribute("subtitle_language")?.string } == [nil, "de", "off", "en"])
        // What is chosen is there no more, and nothing is said of the next one.
        #expect(run.events("metadata_change").last?.attribute("subtitle_language") == nil)
        #expect(
            result.errors.contains("there is no subtitle 'fr'") && result.errors.contains("there is no subtitle 'de'")
        )
    }

    @Test("Each interruption that guides name can be commanded, and is told with its reason")
    func interruptions() throws {
        let reasons = ["network", "call", "alarm", "lock", "background", "channel_change", "headphones"]
        let script = reasons.enumerated()
            .map { "1.\($0.offset + 1) interrupt \($0.element)\n1.\($0.offset + 1)5 interrupt end\n" }.joined()
        let (run, result) = try player.record([player.clip, "--quiet"], script: script)
        #expect(result.code == 0, "\(result.errors)")
        let told = run.events("interruption_start").compactMap { $0.attribute("interruption_reason")?.string }
        #expect(told == reasons)
        #expect(run.events("interruption_end").count == reasons.count)
    }
}
