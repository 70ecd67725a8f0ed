import PluginKit
import Tally
import TallyTesting
import Testing

/// The requests, and when they go out.
@Suite struct HitTests {
    @Test("A video's hit is a POST with plain variables and nested context data")
    func video() throws {
        let play = try Analytics { player, run, _ in
            player.change { $0.name = "Å & co" }
            player.perform(.load, on: run)
        }
        let request = try #require(play.requests.first)
        #expect(request.address.hasPrefix("http://metrics.example.com/b/ss/suite1,suite2/0/linux-1.0.0/s"))
        let random = request.address.split(separator: "/").last?.dropFirst() ?? ""
        #expect(!random.isEmpty && random.allSatisfy(\.isNumber))
        #expect(
            request.body
                == "ndh=1&ce=UTF-8&pe=ms_s&pev3=video&t=00%2F00%2F0000%2000%3A00%3A00%200%200"
                + "&c.&a.&contentType=video&media.&name=asset-1&friendlyName=%C3%85%20%26%20co&length=600"
                + "&playerName=synthetic&view=true&.media&.a&.c"
        )
        let beacon = try #require(play.run.live.lines.last)
        #expect(beacon.text.contains(" adobe.analytics POST "))
        #expect(beacon.text.contains("[Content-Type: application/x-www-form-urlencoded]"))
    }

    @Test("An ad's hit has the ad's data in one more level")
    func ad() throws {
        let play = try Analytics { player, run, _ in
            player.change { model in
                model.adAnswer = { info in
                    info.id("a")
                    info.length(seconds: 15)
                    info.position(2)
                    info.cpm("9.5")
                }
            }
            player.perform(.load, on: run)
            player.perform(.adStart(0), on: run)
        }
        #expect(
            play.requests.last?.body
                == "ndh=1&ce=UTF-8&pe=msa_s&pev3=videoAd&t=00%2F00%2F0000%2000%3A00%3A00%200%200"
                + "&c.&a.&contentType=videoAd&media.&name=asset-1&ad.&name=a&length=15&playerName=synthetic"
                + "&pod=a5fcc136799945189a0c22117b61ddfd_1&podFriendlyName=break&podSecond=0&podPosition=2&CPM=9.5"
                + "&view=true&.ad&.media&.a&.c"
        )
    }

    @Test("TLS, character set, visitor ids, forwarding and offline tracking show in the request")
    func variables() throws {
        let configuration: JSONValue = [
            "aid": "A", "mid": "M",
            "ADBMobileConfig": [
                "analytics": [
                    "rsids": "s", "server": "m.example.com", "ssl": true, "charset": "ISO-8859-1",
                    "offlineEnabled": true,
                ],
                "audienceManager": ["analyticsForwardingEnabled": true],
            ],
        ]
        let play = try Analytics(configuration) { player, run, _ in
            player.change { model in
                model.videoAnswer = { info in
                    info.id("v")
                    info.streamType(.live)
                    info.userID("viewer 1")
                }
            }
            player.perform(.load, on: run)
        }
        let request = try #require(play.requests.first)
        #expect(request.address.hasPrefix("https://m.example.com/b/ss/s/10/linux-1.0.0/s"))
        #expect(request.body.hasPrefix("ndh=1&ce=ISO-8859-1&pe=ms_s&"))
        #expect(request.body.contains("&ts=1700000000&aid=A&mid=M&vid=viewer%201&c.&"))
    }

    @Test("Without offline tracking a hit is not worth keeping while there is no network", arguments: [true, false])
    func offline(keeps: Bool) throws {
        let play = try Analytics(Analytics.configuration(["offlineEnabled": .bool(keeps)])) { player, run, _ in
            player.perform(.load, on: run)
        }
        // 8: in order; 2: dropped when there is no network.
        #expect(play.run.live.lines.last?.text.contains(keeps ? " flags 8 " : " flags 10 ") == true)
    }

    @Test("With a batch limit hits gather; what is left goes out at the session's end")
    func batches() throws {
        let play = try Analytics(Analytics.configuration(["offlineEnabled": true, "batchLimit": 3])) {
            player,
            run,
            clock in
            let steps: [(Int64, PlayerAction)] = [
                (0, .load), (1, .adStart(0)), (2, .adComplete), (3, .adStart(1)), (4, .adComplete), (5, .adStart(2)),
                (6, .unload),
            ]
            for (time, action) in steps {
                clock.advance(to: time * 1_000_000)
                player.perform(action, on: run)
                run.pump()
            }
        }
        let sent = play.run.live.lines.filter { $0.kind != "beacon" }.map { "\($0.kind) \($0.time / 1_000_000)" }
        #expect(sent == ["video_start 3", "ad_start 3", "ad_start 3", "ad_start 6"])
        #expect(play.requests.map { $0.body.contains("&ts=1700000005&") } == [false, false, false, true])
    }

    @Test("A batch limit without offline tracking has no effect: the guide's sample sends at once")
    func batchWithoutOffline() throws {
        let play = try Analytics(Analytics.configuration(["batchLimit": 50])) { player, run, _ in
            player.perform(.load, on: run)
            run.pump()
        }
        #expect(play.hits == ["video_start"])
    }

    @Test("Opted out, nothing is sent until the viewer agrees; what came before is gone")
    func optedOut() throws {
        let play = try consenting(["privacyDefault": "optedout", "offlineEnabled": true], .given)
        #expect(play.hits == ["ad_start"])
    }

    @Test("Not decided: hits are held when offline tracking is on, and go out when the viewer agrees")
    func held() throws {
        #expect(
            try consenting(["privacyDefault": "optunknown", "offlineEnabled": true], .given).hits == [
                "video_start", "ad_start",
            ]
        )
        #expect(try consenting(["privacyDefault": "optunknown", "offlineEnabled": true], .refused).hits == [])
        #expect(try consenting(["privacyDefault": "optunknown", "offlineEnabled": true], nil).hits == [])
    }

    @Test("Not decided, without offline tracking: hits are discarded")
    func discarded() throws {
        #expect(try consenting(["privacyDefault": "optunknown"], .given).hits == ["ad_start"])
    }

    @Test("A viewer who withdraws is not tracked on, and a decision for another tracker means nothing")
    func withdrawn() throws {
        let play = try Analytics { player, run, _ in
            player.perform(.load, on: run)
            run.trackConsent(.refused, tracker: "other")
            player.perform(.adStart(0), on: run)
            player.perform(.adComplete, on: run)
            run.trackConsent(.refused, tracker: "analytics")
            player.perform(.adStart(1), on: run)
        }
        #expect(play.hits == ["video_start", "ad_start"])
    }

    @Test("A decision that was made while the tracker was off holds when it comes back", arguments: [true, false])
    func decidedMeanwhile(isGiven: Bool) throws {
        let preset: JSONValue = isGiven ? "optedout" : "optedin"
        let play = try Analytics(Analytics.configuration(["privacyDefault": preset])) { player, run, _ in
            player.perform(.disable("analytics"), on: run)
            run.pump()
            player.perform(.load, on: run)
            run.trackConsent(isGiven ? .given : .refused)
            player.perform(.enable("analytics"), on: run)
            run.pump()
            player.perform(.adStart(0), on: run)
        }
        #expect(play.hits == (isGiven ? ["video_start", "ad_start"] : []))
    }

    private func consenting(_ settings: JSONObject, _ decision: ConsentState?) throws -> Analytics {
        try Analytics(Analytics.configuration(settings)) { player, run, _ in
            player.perform(.load, on: run)
            if let decision { run.trackConsent(decision) }
            player.perform(.adStart(0), on: run)
            player.perform(.unload, on: run)
        }
    }

    // MARK: - When the viewing opens

    @Test("The video's hit waits for its length, and comes before that of an ad")
    func late() throws {
        let play = try Analytics { player, run, clock in
            player.change { $0.videoAnswer = { $0.id("v") } }
            player.perform(.load, on: run)
            run.pump()
            clock.advance(to: 1_000_000)
            player.change { $0.videoAnswer = nil }
            player.perform(.metadata(name: "Late"), on: run)
            player.perform(.adStart(0), on: run)
        }
        #expect(play.hits == ["video_start", "ad_start"])
        #expect(play.run.live.lines.first?.time == 1_000_000)
        #expect(play.requests.first?.body.contains("&friendlyName=Late&length=600&") == true)
    }

    @Test("After 30 s, at an ad, at the end: the hit goes out with what is known", arguments: [0, 1, 2])
    func incomplete(how: Int) throws {
        let play = try Analytics { player, run, clock in
            player.change { $0.videoAnswer = { $0.id("v") } }
            player.perform(.load, on: run)
            run.pump()
            switch how {
            case 0:
                clock.advance(to: 30_000_000)
                run.pump()
            case 1: player.perform(.adStart(0), on: run)
            default: player.perform(.unload, on: run)
            }
        }
        #expect(play.hits.first == "video_start")
        #expect(
            play.requests.first?.body.hasSuffix("&c.&a.&contentType=video&media.&name=v&view=true&.media&.a&.c") == true
        )
    }

    @Test("A video without an id has no hit and a warning")
    func noID() throws {
        let play = try Analytics { player, run, _ in
            player.change { $0.id = nil }
            player.perform(.load, on: run)
            player.perform(.unload, on: run)
        }
        #expect(play.hits == [])
        #expect(play.log.contains { $0.level == .warning && $0.message.contains("VideoInfo.id") })
    }

    @Test("A tracker that comes back within a session does not open the viewing twice; one that joins opens it")
    func joining() throws {
        let back = try Analytics { player, run, _ in
            for action: PlayerAction in [
                .load, .disable("analytics"), .sample, .enable("analytics"), .adStart(0), .unload,
            ] {
                player.perform(action, on: run)
                run.pump()
            }
        }
        #expect(back.hits == ["video_start", "ad_start"])
        let joins = try Analytics { player, run, _ in
            for action: PlayerAction in [.disable("analytics"), .load, .play, .enable("analytics"), .unload] {
                player.perform(action, on: run)
                run.pump()
            }
        }
        #expect(joins.hits == ["video_start"])
    }

    // MARK: - Configuration and traces

    @Test(
        "Report suite and server are required",
        arguments: [
            ("{}", "ADBMobileConfig"), (#"{"ADBMobileConfig":{}}"#, "analytics.rsids"),
            (#"{"ADBMobileConfig":{"analytics":{"rsids":""}}}"#, "analytics.rsids"),
            (#"{"ADBMobileConfig":{"analytics":{"rsids":"a"}}}"#, "analytics.server"),
            (#"{"ADBMobileConfig":{"analytics":{"rsids":"a","server":"no host"}}}"#, "analytics.server"),
        ]
    )
    func required(text: String, key: String) throws {
        let configuration = try JSONParser().parse(text)
        #expect {
            _ = try Analytics(configuration) { _, _, _ in }
        } throws: { error in
            "\(error)".contains(key)
        }
    }

    @Test("Traces show each call, and never who watches; while debugLogging is on, one warning says what it costs")
    func traces() throws {
        let play = try Analytics(Analytics.configuration([:], ["debugLogging": true, "aid": "aid-0815"])) {
            player,
            run,
            _ in
            player.perform(.load, on: run)
            player.perform(.adStart(0), on: run)
        }
        let calls = play.log.filter { $0.message.contains("POST http://metrics.example.com/b/ss/") }
        #expect(calls.count == 2)
        #expect(
            calls.allSatisfy {
                $0.message.hasPrefix("[DEBUG] [2023-11-14 at 22:13:20][AdobeAnalytics.HitWriter] #emit > ")
            }
        )
        #expect(play.log.allSatisfy { !$0.message.contains("aid-0815") })
        #expect(play.requests.allSatisfy { $0.body.contains("&aid=aid-0815&") })
        #expect(play.log.filter { $0.level == .warning }.map { $0.message.contains("attack surface") } == [true])
        let silent = try Analytics { player, run, _ in player.perform(.load, on: run) }
        #expect(!silent.log.contains { $0.level == .debug })
    }

    @Test("The settings file is constant until a restart; the rest can be configured in mid-run")
    func reconfiguration() throws {
        let play = try Analytics { player, run, _ in
            try run.configure(plugin: "analytics", Analytics.configuration(["rsids": "other"], ["channel": "news"]))
            try run.configure(plugin: "analytics", ["channel": "news"])
            player.perform(.load, on: run)
        }
        #expect(play.requests.first?.address.contains("/b/ss/suite1,suite2/") == true)
        #expect(play.requests.first?.body.contains("&channel=news&") == true)
        #expect(play.log.filter { $0.message.contains("ADBMobileConfig.json is read once") }.count == 1)
    }
}
