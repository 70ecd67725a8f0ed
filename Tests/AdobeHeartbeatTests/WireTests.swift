import AdobeHeartbeat
import PluginKit
import Tally
import TallyTesting
import Testing

/// The requests, byte for byte.
@Suite struct WireTests {
    @Test("A request has all groups in their order, and empty texts are left out")
    func request() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
        }
        let sid = try #require(play.run.live.lines.first?.attributes["s:event:sid"])
        guard case .string(let sid) = sid else { return }
        #expect(
            play.addresses == [
                "http://heartbeats.omtrdc.net/?__job_id=j2&s:event:type=load&l:event:count=1&l:event:total_count=1"
                    + "&l:event:duration=0&l:event:total_duration=0&l:event:playhead=0&l:event:ts=1700000000000"
                    + "&h:event:year=2023&h:event:month=11&h:event:day=14&h:event:hour=22&h:event:minute=13"
                    + "&h:event:second=20&l:event:prev_ts=-1&s:asset:type=vod&s:asset:video_id=asset-1"
                    + "&s:asset:publisher=tally&l:asset:duration=600&s:stream:name=Synthetic"
                    + "&l:stream:bitrate=3000000&l:stream:fps=25&l:stream:dropped_frames=0&h:sc:ssl=0"
                    + "&s:sp:ovp=unknown&s:sp:sdk=unknown&s:sp:player_name=synthetic&s:sp:hb_version=linux-1.0.0"
                    + "&l:sp:hb_api_lvl=2&s:event:sid=\(sid)"
            ]
        )
    }

    @Test("Every parameter of an entry in an ad and a chapter, in its order")
    func order() throws {
        let configuration = Heartbeat.configuration.with([
            "channel": "news", "ovp": "tube", "sdk": "7.1", "aid": "A", "mid": "M",
            "ADBMobileConfig": ["analytics": ["rsids": "a,b", "server": "https://m.example.com", "ssl": true]],
        ])
        for (compatibility, cpm) in [("1.4", []), ("1.3.1", ["s:asset:cpm"])] {
            let play = try Playback(configuration.with(["compatibility": .string(compatibility)])) { player, run, _ in
                player.change { model in
                    model.videoAnswer = { info in
                        info.id("v")
                        info.name("n")
                        info.playerName("p")
                        info.streamType(.linear)
                        info.userID("u")
                    }
                    model.adAnswer = { info in
                        info.id("a")
                        info.length(seconds: 15)
                        info.position(1)
                        info.playhead(seconds: 3)
                        info.cpm("9")
                    }
                }
                player.perform(.load, on: run)
                player.perform(.chapterStart(1), on: run)
                player.perform(.adStart(0), on: run)
                player.perform(.playerError("E"), on: run)
            }
            let address = try #require(play.addresses.last)
            let query = address.split(separator: "?")[1]
            #expect(address.hasPrefix("https://heartbeats.omtrdc.net/?"))
            #expect(query.split(separator: "&").map { String($0.prefix { $0 != "=" }) } == Self.names(cpm))
            #expect(query.contains("&s:sc:rsid=a%2Cb&s:sc:tracking_server=m.example.com&h:sc:ssl=1&"))
            #expect(
                query.contains("&s:user:aid=A&s:user:mid=M&s:user:id=u&s:sp:ovp=tube&s:sp:sdk=7.1&s:sp:channel=news&")
            )
        }
    }

    private static func names(_ cpm: [String]) -> [String] {
        [
            "__job_id", "s:event:type", "l:event:count", "l:event:total_count", "l:event:duration",
            "l:event:total_duration", "l:event:playhead", "s:event:id", "s:event:source", "l:event:ts",
            "h:event:year", "h:event:month", "h:event:day", "h:event:hour", "h:event:minute", "h:event:second",
            "l:event:prev_ts", "s:asset:type", "s:asset:video_id", "s:asset:publisher",
        ] + cpm + [
            "s:asset:ad_id", "s:asset:ad_sid", "s:asset:resolver", "s:asset:pod_id", "s:asset:pod_position",
            "l:asset:pod_second", "l:asset:length", "s:stream:chapter_id", "s:stream:chapter_sid",
            "s:stream:chapter_name", "l:stream:chapter_pos", "l:stream:chapter_length", "l:stream:chapter_offset",
            "l:asset:duration", "s:stream:name", "l:stream:bitrate", "l:stream:fps", "l:stream:dropped_frames",
            "s:sc:rsid", "s:sc:tracking_server", "h:sc:ssl", "s:user:aid", "s:user:mid", "s:user:id", "s:sp:ovp",
            "s:sp:sdk", "s:sp:channel", "s:sp:player_name", "s:sp:hb_version", "l:sp:hb_api_lvl", "s:event:sid",
        ]
    }

    @Test("Values are encoded, a protocol before the server is not needed, and records say the same as requests")
    func encoding() throws {
        let play = try Playback(
            Heartbeat.configuration.with(["trackingServer": "https://host.example:8080/hb/", "jobId": "a b&c"])
        ) { player, run, _ in
            player.change { $0.name = "ä/ö?=\u{1F600}" }
            player.perform(.load, on: run)
        }
        #expect(play.addresses[0].hasPrefix("http://host.example:8080/hb/?__job_id=a%20b%26c&s:event:type=load&"))
        #expect(play.addresses[0].contains("&s:stream:name=%C3%A4%2F%C3%B6%3F%3D%F0%9F%98%80&"))
        let record = try #require(play.run.live.lines.first).attributes
        for parameter in play.addresses[0].split(separator: "?", maxSplits: 1)[1].split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(String.init)
            let value = PercentEncoding.decode(pair[1])
            let recorded: String? =
                switch record[pair[0]] {
                case .string(let text): text
                case .int(let number): "\(number)"
                default: nil
                }
            #expect(recorded == value, "\(pair[0])")
        }
    }

    @Test("The date of an entry is that of its quantum, and all entries of a quantum have the same")
    func date() throws {
        let play = try Playback { player, run, clock in
            clock.advance(to: 3_000_000)
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 13_000_000)
            run.pump()
        }
        // The run began at 22:13:20, the load came 3 s after it; quanta of the date are whole tens of seconds.
        let seconds = play.run.live.lines.filter { $0.kind != "beacon" }.map { $0.attributes["h:event:second"] }
        #expect(seconds == [.int(20), .int(30), .int(30), .int(30)])
    }

    @Test("Requests go to one destination in their order, by GET, with no body and no credential")
    func treatment() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
        }
        let beacon = try #require(play.run.live.lines.last)
        #expect(beacon.text.contains(" adobe.heartbeat GET http://"))
        #expect(beacon.text.contains(" flags 8 "))
        #expect(beacon.text.hasSuffix(" credential  #1 body "))
    }
}
