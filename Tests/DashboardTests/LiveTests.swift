import ChildPrograms
import EventModel
import Pages
import PluginABI
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// What is shown, while it happens.
@Suite("The dashboard shows what goes on")
struct LiveTests {
    private static let running: JSONValue = "open"

    private func rows(_ dashboard: ShownDashboard) -> [JSONValue] {
        dashboard.ask("/sessions.json").json["rows"]?.array ?? []
    }

    /// Waits until the list of sessions is as wanted.
    private func waitForRows(_ dashboard: ShownDashboard, _ isWanted: ([JSONValue]) -> Bool) -> Bool {
        blocked { isWanted(rows(dashboard)) }
    }

    @Test("A session is listed and has its page from its load on, and goes on there")
    func open() throws {
        let dashboard = try ShownDashboard()
        dashboard.deliver(ToldSession(ends: false).outputs)
        #expect(waitForRows(dashboard) { $0.first?[6] == Self.running })
        #expect(dashboard.ask("/sessions.json").json["pages"] == [["run-1", 1, "open"]])
        let page = dashboard.ask("/session/run-1/1.json").json
        #expect(page["metrics"]?["is_open"] == true && page["title"] == "A film")
        #expect(page["items"]?.array?.map { $0["name"] } == ["video_load", "play", "first_frame"])
        #expect(page["metrics"]?["play_ms"]?.int == 3_000 && page["metrics"]?["startup_ms"]?.int == 1_000)
        #expect(dashboard.ask("/session/run-1/2.json").status == 404)
        let end = ReporterOutputs(videoID: "asset-1")
        end.add(.sessionEnd, at: 9_000_000, session: 1)
        dashboard.deliver(end)
        #expect(waitForRows(dashboard) { $0.first?[6] == "run_ended" })
        #expect(blocked { dashboard.ask("/session/run-1/1.json").json["metrics"]?["is_open"] == false })
        #expect(dashboard.ask("/overview.json").json.value(at: "now.metrics.total.headline.sessions")?.int == 1)
    }

    @Test("Of a video it is known who watches now, and what was watched in each minute")
    func running() throws {
        let dashboard = try ShownDashboard()
        for number in 1...3 {
            dashboard.deliver(ToldSession(run: "r\(number)", error: "it broke", ends: number == 1).outputs)
        }
        dashboard.deliver(ToldSession(run: "other", asset: "asset-2", ends: true).outputs)
        func overview() -> JSONValue { dashboard.ask("/overview.json").json }
        func live() -> JSONValue { overview()["live"] ?? .null }
        #expect(blocked { live()["total"]?["viewers"] == 2 && live()["videos"]?.array?.count == 2 })
        // Sessions are looked at again and again, and nothing of them counts twice.
        let seen = overview()["made_ms"]?.int ?? 0
        #expect(blocked { overview()["made_ms"]?.int ?? 0 > seen + 400 })
        let (all, columns) = (live(), live()["columns"]?.array?.compactMap(\.string) ?? [])
        func sum(_ video: JSONValue?, _ name: String) -> Int64 {
            let place = columns.firstIndex(of: name) ?? 0
            return video?["minutes"]?.array?.reduce(0) { $0 + ($1[place]?.int ?? 0) } ?? -1
        }
        let first = all["videos"]?[0]
        #expect(first?["id"] == "asset-1" && first?["title"] == "A film" && first?["viewers"] == 2)
        #expect(sum(first, "starts") == 3 && sum(first, "startup_ms") == 3_000 && sum(first, "errors") == 3)
        #expect(sum(first, "play_ms") == 9_000 && sum(first, "kilobits") == 36_000)
        #expect(sum(all["total"], "starts") == 4 && sum(all["videos"]?[1], "starts") == 1)
        #expect(all["videos"]?[1]?["viewers"] == 0)
    }

    @Test("A browser is told when there is something new")
    func news() throws {
        let dashboard = try ShownDashboard()
        let browser = dashboard.listen()
        #expect(browser.read(until: "text/event-stream"))
        #expect(browser.read(until: "retry: 2000"))
        for number in 1...3 {
            browser.forget()
            dashboard.deliver(ToldSession(run: "r\(number)").outputs)
            #expect(browser.read(until: "event: change\n"))
            #expect(waitForRows(dashboard) { $0.count == number })
        }
        #expect(dashboard.statistic("browsers") == 1)
    }

    @Test("Fifty browsers are told, and each gets the same")
    func many() throws {
        let dashboard = try ShownDashboard()
        let browsers = (0..<50).map { _ in dashboard.listen() }
        for browser in browsers { #expect(browser.read(until: "retry: 2000")) }
        dashboard.deliver(ToldSession().outputs)
        for browser in browsers { #expect(browser.read(until: "event: change\n")) }
        #expect(dashboard.statistic("browsers") == 50)
    }

    @Test("A browser that does not read is dropped, and outputs are taken meanwhile")
    func slow() throws {
        let dashboard = try ShownDashboard(["timeout_s": 1])
        let browser = dashboard.listen(readsLittle: true)
        var number = 0
        #expect(
            blocked(every: 20_000) {
                number += 1
                dashboard.deliver(ToldSession(run: "r\(number)").outputs)
                return dashboard.statistic("dropped") == 1 && dashboard.statistic("browsers") == 0
            }
        )
        #expect(dashboard.statistic("taken") == Int64(number * ToldSession().outputs.count))
        _ = browser
    }

    @Test("Scripts and style are those of the reports, and a browser gets them packed when it takes that")
    func files() throws {
        let dashboard = try ShownDashboard()
        for file in PageFile.all {
            let answer = dashboard.ask("/" + file.name)
            #expect(answer.status == 200 && answer.text == file.text, "\(file.name)")
        }
        let packed = dashboard.ask(
            "/pages.js",
            headers: ["Authorization: Bearer \(dashboard.token)", "Accept-Encoding: br, gzip"]
        )
        #expect(packed.headers["content-encoding"] == "gzip" && packed.body.starts(with: [0x1F, 0x8B]))
        #expect(dashboard.ask("/../Package.swift").status == 404)
    }

    @Test("Sessions that ended too long ago are gone from the lists and the metrics")
    func kept() throws {
        let dashboard = try ShownDashboard(["keep_s": 1])
        dashboard.deliver(ToldSession().outputs)
        #expect(waitForRows(dashboard) { $0.count == 1 })
        dashboard.deliver(ToldSession(run: "stays", ends: false).outputs)
        #expect(waitForRows(dashboard) { $0.count == 1 && $0.first?[0] == "stays" })
        #expect(dashboard.ask("/session/run-1/1.json").status == 404)
        #expect(
            blocked {
                let headline = dashboard.ask("/overview.json").json.value(at: "now.metrics.total.headline")
                return headline?["sessions"] == 0 && headline?["open_sessions"] == 1
            }
        )
    }

    @Test("Personal attributes are left out, and their values hidden in what trackers say, unless they are wanted")
    func personal() throws {
        let session = ToldSession(
            attributes: [
                ("user_id", .string("mail@example.org")), ("who", .string("mail@example.org")),
                ("all", .list([.string("mail@example.org, too")])),
            ],
            record: "by mail@example.org",
            error: "no right for mail@example.org"
        )
        for isWanted in [false, true] {
            let dashboard = try ShownDashboard(["personal": .bool(isWanted)])
            dashboard.deliver(session.outputs)
            #expect(waitForRows(dashboard) { $0.count == 1 })
            let page = dashboard.ask("/session/run-1/1.json").text
            #expect(page.contains("mail@example.org") == isWanted)
            for text in ["by (personal)", "\"(personal)\"", "\"(personal), too\"", "right for (personal)"] {
                #expect(page.contains(text) != isWanted, "\(text)")
            }
            #expect(dashboard.ask("/overview.json").json["personal"] == .bool(isWanted))
        }
    }

    @Test("A session whose begin was not seen is listed as joined midway, and counts in no metrics when it ends")
    func joined() throws {
        let dashboard = try ShownDashboard()
        func joined() -> Int64? { dashboard.ask("/overview.json").json.value(at: "live.joined_sessions")?.int }
        func viewers() -> Int64? { dashboard.ask("/overview.json").json.value(at: "live.total.viewers")?.int }
        for run in ["r1", "r2"] {
            let midst = ReporterOutputs(playerRunID: run, videoID: "asset-1")
            let player = FakePlayer {
                $0.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED
                $0.bitrate = 4_000_000
            }
            midst.add(EventBlock(.qualitySample, at: 9_000_000, ordinal: 9, player: player))
            midst.add(EventBlock(.qualitySample, at: 11_000_000, ordinal: 10, player: player))
            dashboard.deliver(midst)
        }
        #expect(blocked { joined() == 2 && viewers() == 2 })
        let list = dashboard.ask("/sessions.json").json
        #expect(list["pages"] == [["r1", 1, "open", "joined"], ["r2", 1, "open", "joined"]])
        let row = list["rows"]?[0]
        #expect(row?[3] == "asset-1" && row?[6] == Self.running && row?[7] == .null && row?[8] == 2_000)
        let page = dashboard.ask("/session/r1/1.json").json
        #expect(page["length_us"] == 2_000_000 && page["items"]?.array?.map { $0["t_us"]?.int } == [0, 2_000_000])
        let end = ReporterOutputs(playerRunID: "r1", videoID: "asset-1")
        end.add(.sessionEnd, at: 12_000_000, session: 1)
        dashboard.deliver(end)
        #expect(blocked { joined() == 1 && viewers() == 1 })
        dashboard.deliver(ToldSession(run: "r2", ends: false).outputs)
        #expect(blocked { joined() == 0 })
        #expect(waitForRows(dashboard) { $0.count == 1 && $0[0][7] == 1_000 })
        #expect(dashboard.ask("/overview.json").json.value(at: "now.metrics.total.headline.sessions")?.int == 0)
    }

    @Test("Of a session that was under way the first sample shows what its player does, and the others its place alone")
    func joinedInSamples() throws {
        let dashboard = try ShownDashboard()
        let midst = ReporterOutputs(playerRunID: "r1", videoID: "asset-1")
        let player = FakePlayer { $0.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED }
        for ordinal in 0..<4 {
            let time = 9_000_000 + Int64(ordinal) * 250_000
            midst.add(EventBlock(.playheadSample, at: time, ordinal: UInt64(ordinal) + 9, player: player))
        }
        dashboard.deliver(midst)
        #expect(blocked { dashboard.ask("/session/r1/1.json").json["length_us"] == 750_000 })
        let items = dashboard.ask("/session/r1/1.json").json["items"]?.array ?? []
        #expect(items.map { $0["name"] } == ["playhead_sample"] && items.first?["t_us"] == 0)
        let state = items.first?.value(at: "state.is")?.array ?? []
        #expect(state.contains("playing") && state.contains("started"), "\(state)")
    }

    @Test("Of an error that is counted it is shown what players said of it last, but for what is personal")
    func errors() throws {
        let dashboard = try ShownDashboard()
        dashboard.deliver(
            ToldSession(attributes: [("user_id", .string("ann@x.org"))], error: "not for ann@x.org").outputs
        )
        #expect(waitForRows(dashboard) { $0.count == 1 })
        let now = dashboard.ask("/overview.json").json["now"]
        #expect(now?["errors"] == ["e1": ["message": "not for (personal)", "id": .null, "domain": "media"]])
        #expect(now?.value(at: "metrics.total.errors_by_code") == ["e1": 1])
    }

    @Test("Where the page of a session is full, it says from when on something is missing")
    func full() throws {
        let dashboard = try ShownDashboard()
        dashboard.deliver(ToldSession(ends: false).outputs)
        let more = ReporterOutputs(videoID: "asset-1")
        let text = String(repeating: "x", count: 12_000)
        for number in 1...100 {
            let player = FakePlayer { $0.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED }
            more.add(
                EventBlock(
                    .playerError,
                    at: Int64(number) * 1_000_000,
                    ordinal: UInt64(number + 10),
                    player: player,
                    attributes: [("error_message", .string(text))]
                )
            )
        }
        dashboard.deliver(more)
        #expect(blocked { (dashboard.ask("/session/run-1/1.json").json["left_out"]?.int ?? 0) > 0 })
        let page = dashboard.ask("/session/run-1/1.json").json
        let last = page["items"]?.array?.last?["t_us"]?.int ?? 0
        #expect(page["events_end_us"]?.int == last + 1_000_000)
        #expect(page["outputs_end_us"] == .null)
    }

    @Test("What a player sends is data, and no part of a page")
    func planted() throws {
        let planted = "<script>alert(1)</script>"
        let dashboard = try ShownDashboard()
        dashboard.deliver(ToldSession(run: "a/\"b", title: planted, error: planted).outputs)
        #expect(waitForRows(dashboard) { $0.first?[4] == .string(planted) })
        let page = dashboard.ask("/session/a%2F%22b/1.json")
        #expect(page.headers["content-type"] == "application/json" && page.json["title"] == .string(planted))
        #expect(!dashboard.ask("/").text.contains("alert"))
    }

    @Test("What the host says of its plugins is shown, and where it says nothing, that")
    func status() throws {
        let silent = try ShownDashboard()
        silent.deliver(ToldSession(record: "hello").outputs)
        #expect(blocked { silent.ask("/plugins.json").json["trackers"]?[0]?["records"] == 1 })
        #expect(silent.ask("/plugins.json").json["host"] == .null)
        let telling = try ShownDashboard(status: #"{"plugins":[{"name":"mine"}]}"#)
        #expect(telling.ask("/plugins.json").json.value(at: "host.plugins")?[0]?["name"] == "mine")
        telling.host.status = #"{"plugins":[]}"#
        #expect(blocked { telling.ask("/plugins.json").json.value(at: "host.plugins")?.array?.isEmpty == true })
    }

    @Test("A restart goes on with what was stored, but for sessions that went on")
    func restart() throws {
        let folder = TemporaryFolder()
        let configuration: JSONObject = ["database": .string(folder.file("dashboard.db"))]
        let before = try ShownDashboard(configuration)
        before.deliver(ToldSession(error: "it broke").outputs)
        before.deliver(ToldSession(run: "open", ends: false).outputs)
        let seeks = ReporterOutputs(playerRunID: "open", videoID: "asset-1")
        let places: [(String, PlainValue)] = [("seek_from_ms", .int(30_000)), ("seek_to_ms", .int(150_000))]
        let player = FakePlayer { $0.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED }
        seeks.add(EventBlock(.seekStart, at: 5_000_000, ordinal: 9, player: player, attributes: places))
        before.deliver(seeks)
        #expect(waitForRows(before) { $0.count == 2 })
        func texts(_ dashboard: ShownDashboard) -> [JSONValue?] {
            let now = dashboard.ask("/overview.json").json["now"]
            return [now?["courses"], now?["errors"]]
        }
        let said = texts(before)
        #expect(said[0] == ["asset-1": [[0, 0, 1, 0], [2, 1, 0, 0]]])
        let page = before.ask("/session/run-1/1.json").json
        let metrics = before.ask("/overview.json").json.value(at: "now.metrics.groups.video_id")
        before.host.destroy()
        let after = try ShownDashboard(configuration)
        #expect(rows(after).map { $0[0] } == ["run-1"])
        #expect(after.ask("/session/run-1/1.json").json == page)
        #expect(texts(after) == said)
        // What goes on there now is told as far as it is known: the title is that of the asset before.
        after.deliver(seeks)
        #expect(waitForRows(after) { $0.count == 2 && $0[1][4] == "A film" })
        let end = ReporterOutputs(playerRunID: "open", videoID: "asset-1")
        end.add(.sessionEnd, at: 6_000_000, session: 1)
        after.deliver(end)
        #expect(waitForRows(after) { $0.count == 1 })
        #expect(after.ask("/overview.json").json.value(at: "now.metrics.groups.video_id") == metrics)
        let minutes = after.ask("/overview.json").json.value(at: "live.total.minutes")?.array ?? []
        #expect(minutes.reduce(0) { $0 + ($1[2]?.int ?? 0) } == 2)
        after.deliver(ToldSession(run: "run-2").outputs)
        #expect(waitForRows(after) { $0.count == 2 })
        after.host.destroy()
        // What somebody was allowed to see is not shown to others later.
        let third = try ShownDashboard(["database": .string(folder.file("dashboard.db")), "personal": true])
        third.deliver(
            ToldSession(
                run: "run-3",
                attributes: [("user_id", .string("mail@example.org"))],
                error: "no mail@example.org"
            ).outputs
        )
        #expect(waitForRows(third) { $0.count == 3 })
        third.host.destroy()
        let fourth = try ShownDashboard(configuration)
        #expect(rows(fourth).count == 3 && fourth.ask("/session/run-3/1.json").status == 404)
        #expect(fourth.ask("/session/run-2/1.json").status == 200)
        #expect(!fourth.ask("/overview.json").text.contains("mail@example.org"))
    }

    @Test("One that is disabled answers nobody, and enabled again shows what it had")
    func disabled() throws {
        let dashboard = try ShownDashboard(["port": 0])
        dashboard.deliver(ToldSession().outputs)
        dashboard.deliver(ToldSession(run: "open", ends: false).outputs)
        #expect(waitForRows(dashboard) { $0.count == 2 })
        let listener = dashboard.listen()
        #expect(listener.read(until: "retry"))
        dashboard.host.disable()
        // All connections are closed.
        #expect(listener.readAll().isEmpty == false)
        #expect(dashboard.host.enable() == 0)
        let again = try #require(dashboard.host.command("address").value?["address"]?.string)
        #expect(again.contains("token="))
    }
}
