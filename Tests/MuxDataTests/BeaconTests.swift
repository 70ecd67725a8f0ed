import EventModel
import MuxData
import PluginKit
import Tally
import TallyTesting
import Testing

/// How events become beacons: when, in which form, with which limits.
@Suite struct BeaconTests {
    private static let playback: [Scenario.Step] = [
        .at(0, .load), .at(0, .play), .at(500, .firstFrame), .at(3_000, .pause), .at(4_000, .play),
        .at(29_900, .unload),
    ]

    /// The names of a beacon's events, and its time in ms.
    private static func batches(_ transcript: OutputTranscript) throws -> [(time: Int64, events: [String])] {
        let times = transcript.lines.filter { $0.kind == "beacon" }.map { $0.time / 1000 }
        return try zip(times, Mux.beacons(transcript)).map { time, body in
            (time, body["events"]?.array?.compactMap { $0["e"]?.string } ?? [])
        }
    }

    @Test("A beacon goes out every 10 s, and at once with viewstart and viewend")
    func batching() throws {
        let batches = try Self.batches(Mux.transcript(steps: Self.playback))
        #expect(batches.map(\.time) == [0, 10_000, 20_000, 29_900])
        #expect(batches[0].events == ["viewinit", "playerready", "viewstart"])
        #expect(batches[1].events == ["play", "playing", "pause", "play", "playing"])
        #expect(batches[2].events == ["hb"])
        #expect(batches[3].events == ["hb", "viewend"])
    }

    @Test("A fatal error and the end of the content go out at once, a warning waits")
    func urgentEvents() throws {
        let fatal = PlayerAction.call(
            PlayerCall("fatal") { _, run in run.trackVideoPlayerError("E", .init(code: 1, fatal: true)) }
        )
        let batches = try Self.batches(
            Mux.transcript(steps: [
                .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(1_000, .playerError("W")), .at(2_000, fatal),
                .at(3_000, .play), .at(4_000, .complete),
            ])
        )
        #expect(batches.map(\.time).dropLast() == [0, 2_000, 4_000])
        #expect(batches[1].events == ["play", "playing", "error", "error"])
        #expect(batches[2].events == ["play", "playing", "ended"])
    }

    @Test("A beacon is a POST of JSON to the key's host, in order, with room for the time of sending")
    func form() throws {
        let transcript = try Mux.transcript(["compress": true], steps: Self.playback)
        let line = try #require(transcript.lines.first { $0.kind == "beacon" }).text
        // Keep-order is 8, gzip-wanted 1; patch kind 1 in the body (2) has 13 digits.
        #expect(line.contains(" beacon 1 session 1 mux.hex POST https://hex.litix.io flags 9 age 3600 credential  ["))
        #expect(line.contains(" [Content-Type: application/json] patch 2/1@38+13 #2 #4 #5 body "))
        let body = try #require(try Mux.beacons(transcript).first)
        #expect(body.object?.keys == ["metadata", "events"])
        #expect(body["metadata"]?.object?.keys == ["transmission_timestamp"])
    }

    @Test("An event has what changed, and what every event has; viewstart and viewend have everything")
    func deltas() throws {
        let sent = try Mux.sent(Mux.transcript(steps: Self.playback))
        let always = ["e", "uti", "ake", "bdm", "mapve", "pinid", "psqno", "pphti", "vid", "xid", "xsqno"]
        for event in sent {
            for key in always {
                #expect(event[key] != nil, "\(key) of \(event)")
            }
        }
        let full = ["mvrid", "pmxpinm", "vtt", "vsobi", "sex"]
        for event in sent {
            let name = event["e"]?.string
            let isFull = name == "viewinit" || name == "viewstart" || name == "viewend"
            for key in full {
                #expect((event[key] != nil) == isFull, "\(key) of \(event)")
            }
        }
        let playing = try #require(sent.first { $0["e"] == "playing" })
        #expect(Set(playing.keys) == Set(always + ["xtitofifr", "xwati", "xctpbti", "xmaphps"]))
    }

    @Test("A value that went and came back between two events is not repeated")
    func unchangedInTheEnd() throws {
        let sent = try Mux.sent(
            Mux.transcript(steps: [
                .at(0, .load), .at(0, .play), .at(1_000, .requestCancelled), .at(1_100, .requestCancelled),
                .at(1_200, .pause), .at(1_300, .requestCancelled), .at(2_000, .unload),
            ])
        )
        let requests = sent.filter { $0["e"] == "requestcanceled" }
        #expect(requests.map { $0["qur"] != nil } == [true, false, true])
    }

    @Test("What the deltas tell together is what the records say")
    func deltasAddUp() throws {
        for seed in 0..<20 as Range<UInt64> {
            let sequence = ActionSequence(seed: seed, count: 120, legal: 90, longestWait: 3_000_000)
            let run = try VirtualRun(plugins: [Mux.selection()], sources: Mux.linked).record(sequence)
            var known: [String: JSONValue] = [:]
            let records = run.live.lines.filter { line in
                !["globaldata", "data", "beacon", "viewmetrics"].contains(line.kind)
            }
            let sent = try Mux.sent(run.live)
            #expect(sent.count <= records.count, "seed \(seed)")
            for (record, event) in zip(records, sent) {
                #expect(event["e"] == .string(record.kind), "seed \(seed)")
                if ["viewinit", "viewstart", "viewend"].contains(record.kind) { known = [:] }
                for member in event {
                    known[member.key] = member.value
                }
                for (name, value) in record.attributes where name != "player" && name != "ad_request_id" {
                    #expect(Self.same(known[KeyShortening.short(name)], value), "seed \(seed): \(record.kind) \(name)")
                }
            }
        }
    }

    private static func same(_ json: JSONValue?, _ value: PlainValue) -> Bool {
        switch value {
        case .int(let number): json?.double == Double(number)
        case .double(let number): json?.double == number
        case .bool(let truth): json == .bool(truth)
        case .string(let text): json == .string(text)
        default: false
        }
    }

    @Test("After ten minutes of silence an event has everything again")
    func fullAfterSilence() throws {
        let sent = try Mux.sent(
            Mux.transcript(steps: [
                .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .pause), .at(600_000, .play),
                .at(600_500, .pause), .at(1_200_500, .play), .at(1_201_000, .unload),
            ])
        )
        let plays = sent.filter { $0["e"] == "play" }
        #expect(plays.map { $0["vtt"] != nil } == [false, false, true])
    }

    @Test("A rendition change repeats the source, an ad event the identifiers of the ad")
    func repeatedFields() throws {
        let sent = try Mux.sent(
            Mux.transcript(steps: [
                .at(0, .load), .at(0, .play), .at(0, .firstFrame),
                .at(1_000, .rendition(bitrate: 900_000, shift: .down, phase: .visible)), .at(2_000, .adBreakStart),
                .at(2_000, .adStart(1)), .at(3_000, .adQuartile(.first)), .at(4_000, .adClick), .at(5_000, .unload),
            ])
        )
        let rendition = try #require(sent.first { $0["e"] == "renditionchange" })
        #expect(rendition["vsobi"] == 900_000)
        #expect(rendition["vsour"] == "https://media.example/asset-1.m3u8")
        #expect(try #require(sent.first { $0["e"] == "adfirstquartile" })["did"] == "ad-1")
        #expect(try #require(sent.first { $0["e"] == "adclicked" })["did"] == nil)
    }

    @Test("A beacon has 300 events at most")
    func eventLimit() throws {
        let requests = (0..<700).map { Scenario.Step.at(1_000 + $0, .requestCompleted(bytes: 10)) }
        let transcript = try Mux.transcript(steps: [.at(0, .load), .at(0, .play)] + requests + [.at(9_000, .unload)])
        #expect(try Self.batches(transcript).map(\.events.count) == [3, 300, 300, 102])
        #expect(Mux.events(transcript).filter { $0 == "eventrateexceeded" }.isEmpty)
    }

    @Test("With 3600 events waiting, eventrateexceeded is the last one that is sent")
    func rateLimit() throws {
        let requests = (0..<3_700).map { Scenario.Step.at(1_000 + $0, .requestCompleted(bytes: 10)) }
        let transcript = try Mux.transcript(steps: [.at(0, .load), .at(0, .play)] + requests + [.at(12_000, .unload)])
        let sent = try Mux.sent(transcript)
        #expect(sent.last?["e"] == "eventrateexceeded")
        // Three had gone with viewstart; play and 3599 requests waited.
        #expect(sent.count == 3 + 3_600 + 1)
        #expect(Mux.events(transcript).last == "viewend")
    }

    @Test("A body of more than 500 KB loses requests and heartbeats first, and the next event tells what they told")
    func sizeLimit() throws {
        let long = String(repeating: "x", count: 3_000)
        let request = PlayerAction.call(
            PlayerCall("long request") { _, run in
                var request = NetworkRequest()
                request.url = "https://media.example/\(run.time)/" + long
                run.trackRequestCompleted(request)
            }
        )
        let requests = (0..<200).map { Scenario.Step.at(1_000 + $0, request) }
        let transcript = try Mux.transcript(
            steps: [.at(0, .load), .at(0, .play)] + requests + [.at(2_000, .firstFrame), .at(20_500, .unload)]
        )
        let batches = try Self.batches(transcript)
        #expect(batches[1].events == ["play", "playing"])
        let later = try #require(try Mux.sent(transcript).first { $0["e"] == "hb" })
        #expect(later["xrqco"] == 200)
        #expect(Mux.events(transcript).filter { $0 == "requestcompleted" }.count == 200)
    }

    @Test("What is still too large is sent in several beacons, and a text of more than 50 KB is cut")
    func largeTexts() throws {
        let long = String(repeating: "é", count: 7_000)
        let error = PlayerAction.call(
            PlayerCall("warning") { _, run in
                run.trackVideoPlayerError("W", .init(message: long, code: 1, fatal: false))
            }
        )
        let errors = (0..<60).map { Scenario.Step.at(1_000 + $0, error) }
        let transcript = try Mux.transcript(steps: [.at(0, .load), .at(0, .play)] + errors + [.at(9_000, .unload)])
        let batches = try Self.batches(transcript)
        #expect(batches.count == 3)
        #expect(batches[1].events.count + batches[2].events.count == 62)
        for line in transcript.lines where line.kind == "beacon" {
            #expect(line.text.utf8.count < 530_000)
        }
        #expect(FieldValue.text(String(repeating: "é", count: 40_000)).beaconText.utf8.count == 51_202)
        #expect(FieldValue.text("a" + String(repeating: "é", count: 40_000)).beaconText.utf8.count == 51_201)
    }

    @Test(
        "Names are shortened word by word",
        arguments: [
            ("video_title", "vtt"), ("view_session_id", "xseid"), ("session_jabberwocky_time", "s_jabberwocky_ti"),
            ("env_key", "ake"), ("property_key", "ake"), ("player_playhead_time", "pphti"), ("custom_12", "c12"),
            ("event", "e"), ("view_sequence_number", "xsqno"), ("jabberwocky_time", "jabberwocky_ti"),
            ("request_response_end", "qrpen"), ("viewer_user_id", "uusid"), ("ad_asset_url", "dasur"),
            ("video_source_rendition_name", "vsorfnm"), ("view_playing_time_ms_cumulative", "xpntimscv"),
            ("ad_playing_time_ms_cumulative", "dpntimscv"),
        ]
    )
    func shortening(name: String, short: String) {
        #expect(KeyShortening.short(name) == short)
    }

    @Test("No two fields have one short name")
    func distinctNames() {
        let names = Field.allCases.map { KeyShortening.short($0.name.string) }
        #expect(Set(names).count == names.count)
    }

    @Test(
        "The environment key decides the host, a domain of the customer's before it",
        arguments: [
            ("hex", nil, "https://hex.litix.io"), ("a0b1c2", nil, "https://a0b1c2.litix.io"),
            ("daftcompany@unsure.com", nil, "https://img.litix.io"), ("Hex", nil, "https://img.litix.io"),
            ("hex", "metrics.example.com", "https://metrics.example.com"),
        ]
    )
    func address(key: String, domain: String?, url: String) {
        #expect(CollectorAddress.url(environmentKey: key, domain: domain) == url)
    }

    @Test("The customer's collection domain is where beacons go and what they name")
    func ownDomain() throws {
        let transcript = try Mux.transcript(["beaconDomain": "m.example.com"], steps: Self.playback)
        #expect(
            try #require(transcript.lines.first { $0.kind == "beacon" }).text.contains("POST https://m.example.com ")
        )
        #expect(try Mux.sent(transcript).allSatisfy { $0["bdm"] == "m.example.com" })
    }
}

extension FieldValue {
    /// The text that a beacon has, with its quotes.
    fileprivate var beaconText: String {
        let buffer = ByteBuffer()
        var writer = JSONWriter(buffer)
        write(to: &writer)
        return buffer.string
    }
}
