import AdobeHeartbeat
import PluginKit
import Tally
import TallyTesting
import Testing

extension DelegateTests {
    // MARK: - Ad break and ad

    @Test("A mandatory field of the ad break that is missing or wrong is an error at the ad's start")
    func adBreak() throws {
        let cases: [(String, @Sendable (borrowing AdBreakInfoEncoder) -> Void)] = [
            ("AdBreakInfo.playerName is missing or empty", { $0.position(1) }),
            (
                "AdBreakInfo.playerName is missing or empty",
                { info in
                    info.playerName("")
                    info.position(1)
                }
            ),
            ("AdBreakInfo.position is missing or no number", { $0.playerName("p") }),
            (
                "AdBreakInfo.position is missing or no number",
                { info in
                    info.playerName("p")
                    info.custom("ad_break_position", .string("1"))
                }
            ),
        ]
        for (details, answer) in cases {
            try expectError(details) { player, run in
                player.change { $0.adBreakAnswer = answer }
                player.perform(.adStart(0), on: run)
            }
        }
    }

    @Test("A mandatory field of the ad that is missing or wrong is an error at the ad's start")
    func ad() throws {
        let cases: [(String, @Sendable (borrowing AdInfoEncoder) -> Void)] = [
            (
                "AdInfo.id is missing or empty",
                { info in
                    info.position(1)
                    info.length(seconds: 15)
                }
            ),
            ("AdInfo.position is missing or no number", { $0.id("a") }),
            (
                "AdInfo.length is missing or no number",
                { info in
                    info.id("a")
                    info.position(1)
                }
            ),
            (
                "AdInfo.position is missing or no number",
                { info in
                    info.id("a")
                    info.length(seconds: 15)
                }
            ),
            (
                "AdInfo.position is missing or no number",
                { info in
                    info.id("a")
                    info.length(seconds: 15)
                    info.custom("ad_position", .double(.nan))
                }
            ),
        ]
        for (details, answer) in cases {
            try expectError(details) { player, run in
                player.change { $0.adAnswer = answer }
                player.perform(.adStart(0), on: run)
            }
        }
    }

    @Test("1.3.1 also needs the place in the ad")
    func adPlayhead() throws {
        let answer: @Sendable (borrowing AdInfoEncoder) -> Void = { info in
            info.id("a")
            info.length(seconds: 15)
        }
        try expectError("AdInfo.playhead is missing or no number", Heartbeat.oldConfiguration) { player, run in
            player.change { model in
                model.adAnswer = answer
                model.adBreakAnswer = { info in
                    info.playerName("p")
                    info.position(1)
                }
            }
            // The model's own ad has a playhead; without one the delegate says nothing of it.
            run.trackAdStart()
        }
    }

    @Test("A break's start is the main playhead unless the delegate says it; the cpm goes out as 1.3.1 alone")
    func optionalAdFields() throws {
        for (start, expected) in [(nil, "2"), (77.9, "77")] as [(Double?, String)] {
            let play = try Playback { player, run, clock in
                player.change { model in
                    model.position = 2_500
                    model.adBreakAnswer = { info in
                        info.playerName("ads & more")
                        info.position(3)
                        if let start { info.startTime(seconds: start) }
                    }
                    model.adAnswer = { info in
                        info.id("a")
                        info.length(seconds: 15.9)
                        info.position(2)
                        info.cpm("99")
                    }
                }
                run.trackVideoLoad()
                player.perform(.adStart(0), on: run)
                player.perform(.playerError("E"), on: run)
            }
            let address = try #require(play.addresses.last)
            #expect(address.contains("&l:asset:pod_second=\(expected)&l:asset:length=15&"))
            #expect(address.contains("&s:asset:resolver=ads%20%26%20more&"))
            #expect(!address.contains("cpm"))
        }
    }

    @Test("No ad or no break is a warning and leads to the main content", arguments: [true, false])
    func recovery(adIsMissing: Bool) throws {
        let log = Log()
        let play = try Playback(log: log) { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.adStart(0), on: run)
            player.change { model in
                if adIsMissing { model.adAnswer = { _ in } } else { model.adBreakAnswer = { _ in } }
            }
            player.perform(.adStart(1), on: run)
            player.perform(.playerError("E"), on: run)
            run.pump()
        }
        #expect(play.errors == [])
        #expect(play.addresses.last?.contains("&s:asset:type=vod&") == true)
        #expect(log.lines.filter { $0.level == .warning && $0.message.contains("#trackAdStart") }.count == 1)
    }

    @Test("A seek that leads out of the ad leads to the main content; nothing known is no error there")
    func seekOut() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.chapterStart(1), on: run)
            player.perform(.adStart(0), on: run)
            player.perform(.seekStart(to: 30), on: run)
            player.change { model in
                model.ad = nil
                model.chapter = nil
            }
            player.perform(.seekComplete, on: run)
            player.perform(.playerError("E"), on: run)
        }
        #expect(play.errors == [])
        let address = try #require(play.addresses.last)
        #expect(address.contains("&s:asset:type=vod&") && !address.contains("chapter_"))
    }

    @Test("A seek back into the same ad and chapter goes on with their ids, one into others has new ones")
    func seekIdentities() throws {
        func identities(ad: Int64, chapter: Int64) throws -> [[PlainValue?]] {
            let play = try Playback { player, run, _ in
                player.perform(.load, on: run)
                player.perform(.chapterStart(1), on: run)
                player.perform(.adStart(0), on: run)
                player.perform(.playerError("before"), on: run)
                player.perform(.seekStart(to: 30), on: run)
                player.change { model in
                    model.ad = ad
                    model.chapter = chapter
                }
                player.perform(.seekComplete, on: run)
                player.perform(.playerError("after"), on: run)
            }
            return play.run.live.lines.filter { $0.kind == "error" }.map {
                [$0.attributes["s:asset:ad_sid"], $0.attributes["s:stream:chapter_sid"]]
            }
        }
        let same = try identities(ad: 0, chapter: 1)
        #expect(same.count == 2 && same[0] == same[1] && same[0].allSatisfy { $0 != nil })
        let other = try identities(ad: 11, chapter: 2)
        #expect(other.count == 2 && other[0][0] != other[1][0] && other[0][1] != other[1][1])
    }

    // MARK: - Chapter

    @Test("A mandatory field of the chapter that is missing or wrong is an error at the chapter's start")
    func chapter() throws {
        let cases: [(String, @Sendable (borrowing ChapterInfoEncoder) -> Void)] = [
            ("ChapterInfo.position is missing or no number", { $0.name("c") }),
            ("ChapterInfo.startTime is missing or no number", { $0.position(1) }),
            (
                "ChapterInfo.length is missing or no number",
                { info in
                    info.position(1)
                    info.startTime(seconds: 0)
                }
            ),
            (
                "ChapterInfo.position is missing or no number",
                { info in
                    info.custom("chapter_position", .string("1"))
                    info.startTime(seconds: 0)
                    info.length(seconds: 60)
                }
            ),
            (
                "ChapterInfo.startTime is missing or no number",
                { info in
                    info.position(1)
                    info.custom("chapter_start_ms", .string("0"))
                    info.length(seconds: 60)
                }
            ),
            (
                "ChapterInfo.length is missing or no number",
                { info in
                    info.position(1)
                    info.startTime(seconds: 0)
                    info.custom("chapter_duration_ms", .bool(true))
                }
            ),
        ]
        for configuration in [Heartbeat.configuration, Heartbeat.oldConfiguration] {
            for (details, answer) in cases {
                try expectError(details, configuration) { player, run in
                    player.change { $0.chapterAnswer = answer }
                    player.perform(.chapterStart(1), on: run)
                }
            }
        }
    }

    @Test(
        "Each field of the chapter stands where it belongs, in whole seconds; the name may be missing",
        arguments: [Heartbeat.configuration, Heartbeat.oldConfiguration]
    )
    func chapterFields(configuration: JSONValue) throws {
        let play = try Playback(configuration) { player, run, _ in
            player.change { model in
                model.chapterAnswer = { info in
                    info.position(3)
                    info.startTime(seconds: 125.9)
                    info.length(seconds: 45.5)
                }
            }
            player.perform(.load, on: run)
            player.perform(.chapterStart(3), on: run)
        }
        #expect(play.errors == [])
        let address = try #require(play.addresses.last)
        #expect(
            address.contains("&l:stream:chapter_pos=3&l:stream:chapter_length=45&l:stream:chapter_offset=125&")
        )
        #expect(address.contains("&s:stream:chapter_id=a5fcc136799945189a0c22117b61ddfd_3&"))
        #expect(!address.contains("chapter_name"))
    }

    // MARK: - Quality

    @Test("trackBitrateChange is told; what playback begins with is no change")
    func bitrate() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
            var first = Rendition()
            first.phase = .visible
            first.bitrate = 900_000
            run.trackRenditionChange(first)
            run.trackBitrateChange()
        }
        #expect(play.entries == ["load", "bitrate_change"])
    }

    @Test("Nothing known of the quality is 0; a frame rate loses its fraction; dropped frames are those so far")
    func quality() throws {
        let play = try Playback { player, run, clock in
            player.change { model in
                model.bitrate = nil
                model.framesPerSecond = nil
                model.droppedFrames = nil
            }
            run.trackVideoLoad()
            player.change { model in
                model.bitrate = 1_234_567
                model.framesPerSecond = 29.97
                model.droppedFrames = 41
            }
            player.perform(.quality, on: run)
            player.change { model in
                model.bitrate = nil
                model.framesPerSecond = nil
                model.droppedFrames = nil
            }
            player.perform(.playerError("E"), on: run)
            clock.advance(to: 4_000_000)
            player.change { $0.droppedFrames = 49 }
            player.perform(.quality, on: run)
            player.perform(.playerError("E"), on: run)
            player.perform(.unload, on: run)
        }
        #expect(
            play.addresses[0].contains("&l:stream:bitrate=0&l:stream:fps=0&l:stream:dropped_frames=0&")
        )
        #expect(
            play.addresses[1].contains("&l:stream:bitrate=1234567&l:stream:fps=29&l:stream:dropped_frames=42&")
        )
        // Neither what was added since the entry before, nor per second.
        #expect(play.addresses[2].contains("&l:stream:dropped_frames=50&"))
        #expect(play.addresses[3].contains("&l:stream:dropped_frames=50&"))
    }
}
