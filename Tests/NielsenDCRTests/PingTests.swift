import NielsenDCR
import PluginKit
import Tally
import TallyTesting
import Testing

/// The bytes of a ping's address against the guide's sample.
@Suite struct PingTests {
    @Test("the keys are the sample's, in the sample's order")
    func order() {
        #expect(PingParameter.order.count == 93)
        #expect(PingParameter.order.map { "\($0.key)" } == GuideSample.parameters.map(\.key))
    }

    @Test("configured like the sample, a view ping has the sample's values but for times, identifiers and versions")
    func values() throws {
        let (url, _) = try Self.viewPing()
        let parameters = GuideSample.split(url)
        #expect(parameters.map(\.key) == GuideSample.parameters.map(\.key))
        let own: Set = [
            "sessionId", "c16", "c29", "c30", "c64", "c59", "c61", "si", "c62", "rnd",
        ]
        for (mine, sample) in zip(parameters, GuideSample.parameters) where !own.contains(mine.key) {
            #expect(mine.value == sample.value, "\(mine.key)")
        }
    }

    @Test("times and identifiers have the sample's form")
    func forms() throws {
        let (url, _) = try Self.viewPing()
        let own = Dictionary(GuideSample.split(url).map { ($0.key, $0.value) }) { first, _ in first }
        let sample = Dictionary(GuideSample.parameters.map { ($0.key, $0.value) }) { first, _ in first }
        for key in ["sessionId", "c29", "c59", "c61", "c62", "c64"] {
            #expect(own[key]?.utf8.count == sample[key]?.utf8.count, "\(key)")
        }
        #expect(own["sessionId"]?.hasSuffix("1700000000") == true)
        #expect(own["c29"]?.hasPrefix("plid%2C1700000000") == true)
        #expect(own["c64"] == "starttm%2C1700000000")
        #expect(own["c61"] == "createtm%2C1700000000")
        #expect(own["c16"] == "sdkv%2Ctally.1.0.0")
        #expect((own["rnd"]?.utf8.count ?? 0) <= 6)
    }

    @Test("the beacon is a GET to the guide's host, carries its record, and leaves the send time to the reporter")
    func beacon() throws {
        let (url, line) = try Self.viewPing()
        #expect(url.hasPrefix("https://secure-dmk.nmrodam.com/cgi-bin/gn?prd=dcr&ci=us-500207&"))
        let offset =
            url.utf8.count - "0000000000&rnd=".utf8.count - (GuideSample.split(url).last?.value.utf8.count ?? 0)
        #expect(line.text.contains("nielsen.gn GET https://"))
        #expect(line.text.contains(" patch 1/2@\(offset)+10 #5 body "))
        #expect(GuideSample.split(url).first { $0.key == "c62" }?.value == "sendTime%2C0000000000")
    }

    @Test("metadata are UTF-8, percent-encoded byte by byte")
    func encoding() throws {
        let (url, _) = try Self.viewPing(title: "Folge „1“ 🎬")
        let title = GuideSample.split(url).first { $0.key == "tl" }?.value
        #expect(title == "Folge%20%E2%80%9E1%E2%80%9C%20%F0%9F%8E%AC")
    }

    @Test("another host takes the pings; it may be this machine's for tests")
    func otherHost() throws {
        let (url, _) = try Self.viewPing(["collectionHost": "http://127.0.0.1:8080", "allowInsecure": true])
        #expect(url.hasPrefix("http://127.0.0.1:8080/cgi-bin/gn?prd=dcr&"))
    }

    @Test("each stop makes a new viewing session, and the instance stays the same")
    func viewingSessions() throws {
        let run = try VirtualRun(plugins: [Setup.tracker()], sources: [.file(PluginFiles.plugin("nielsen-dcr"))])
            .record { player, run, clock in
                for action in [PlayerAction.load, .play, .firstFrame, .pause, .play, .complete] {
                    player.perform(action, on: run)
                    run.pump()
                    clock.advance(to: clock.now() + 1_100_000)
                    run.pump()
                }
            }
        let pings = run.live.lines.filter { $0.kind == "ping" }
        #expect(pings.map { $0.attributes["at"] } == [.string("view"), .string("timer"), .string("timer")])
        #expect(pings[0].attributes["c59"] == pings[1].attributes["c59"])
        #expect(pings[1].attributes["c59"] != pings[2].attributes["c59"])
        #expect(pings[0].attributes["sessionId"] == pings[2].attributes["sessionId"])
        #expect(pings[0].attributes["c64"] == pings[2].attributes["c64"])
    }

    /// The first ping of a video that is described as the sample's is.
    private static func viewPing(
        _ more: [String: JSONValue] = [:],
        title: String = "Episode 1"
    ) throws -> (String, OutputTranscript.Line) {
        let content: JSONValue = [
            "assetid": "VID5556674-123456", "title": .string(title), "program": "TAMSample DK", "length": "170",
            "isfullepisode": "y", "airdate": "20200713 10:22:00", "mediaURL": "assets/RTVOD_C3/prog_index.m3u8",
        ]
        let tracker = Setup.tracker(more.merging(["content": content]) { $1 })
        let run = try VirtualRun(plugins: [tracker], sources: [.file(PluginFiles.plugin("nielsen-dcr"))]).record {
            player,
            run,
            _ in
            for action in [PlayerAction.load, .play, .firstFrame] {
                player.perform(action, on: run)
                run.pump()
            }
        }
        let line = try #require(run.live.lines.first { $0.kind == "beacon" })
        let words = line.text.split(separator: " ")
        let method = try #require(words.firstIndex(of: "GET"))
        return (String(words[method + 1]), line)
    }
}
