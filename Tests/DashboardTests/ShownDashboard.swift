import EventModel
import PluginABI
import PluginKit
import TallyTesting
import TestFiles

/// A dashboard of a host that a test drives, from its plugin's file.
final class ShownDashboard {
    let host: FakeHost
    let folder: TemporaryFolder
    /// The port that it listens on.
    private(set) var port = 0
    /// Its token.
    private(set) var token = ""

    /// The plugin's file.
    static let source = PluginSource.file(PluginFiles.plugin("dashboard"))

    /// Begins one that is told of news often.
    init(
        _ configuration: JSONObject = [:],
        in folder: TemporaryFolder = TemporaryFolder(),
        status: String? = nil
    ) throws {
        self.folder = folder
        host = try FakeHost(Self.source)
        host.status = status
        var members: JSONObject = ["port": 0, "refresh_ms": 100, "url_file": .string(folder.file("url"))]
        for member in configuration { members[member.key] = member.value }
        try host.start(.object(members))
        let url = try TestFile.text(folder.file("url"))
        port = Int(url.drop { $0 != ":" }.dropFirst(3).drop { $0 != ":" }.dropFirst().prefix { $0.isNumber }) ?? 0
        token = String(url.split(separator: "=").last?.dropLast() ?? "")
    }

    deinit { host.destroy() }

    /// Asks for a path, with the token unless other headers are given.
    func ask(
        _ path: String,
        _ method: String = "GET",
        headers: [String]? = nil,
        host name: String? = nil
    ) -> BrowserAnswer {
        let browser = Browser(port: port)
        let lines = (headers ?? ["Authorization: Bearer \(token)"]) + ["Host: \(name ?? "127.0.0.1:\(port)")"]
        let head = ["\(method) \(path) HTTP/1.1", "Connection: close"] + lines
        browser.send(head.joined(separator: "\r\n") + "\r\n\r\n")
        return BrowserAnswer(browser.readAll())
    }

    /// A browser that is told of news; its answer's head has come.
    func listen(readsLittle: Bool = false) -> Browser {
        let browser = Browser(port: port, readsLittle: readsLittle)
        browser.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        return browser
    }

    /// What it says of itself.
    func statistic(_ name: String) -> Int64 { host.command("stats").value?[name]?.int ?? -1 }

    /// Hands it outputs.
    func deliver(_ outputs: ReporterOutputs) { _ = host.deliver(outputs) }
}

/// A viewer's session, said as a host says it.
struct ToldSession {
    var run = "run-1"
    var asset = "asset-1"
    var title = "A film"
    var attributes: [(String, PlainValue)] = []
    /// What a tracker says behind the start; empty for nothing.
    var record = ""
    var error: String?
    var ends = true

    private static let playing = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING

    /// The outputs of it: a startup of a second, then three seconds of play at 4 Mbit/s.
    var outputs: ReporterOutputs {
        let outputs = ReporterOutputs(playerRunID: run, videoID: asset)
        outputs.add(.runBegin)
        outputs.add(.sessionBegin, session: 1)
        var ordinal: UInt64 = 0
        func add(_ type: EventType, _ time: Int64, _ flags: UInt32, _ attributes: [(String, PlainValue)] = []) {
            ordinal += 1
            let player = FakePlayer {
                $0.playheadMilliseconds = max(0, time - 1_000)
                $0.durationMilliseconds = 60_000
                $0.bitrate = 4_000_000
                $0.flags = flags
            }
            outputs.add(EventBlock(type, at: time * 1000, ordinal: ordinal, player: player, attributes: attributes))
        }
        let video: [(String, PlainValue)] = [("video_id", .string(asset)), ("video_name", .string(title))]
        add(.videoLoad, 0, TALLY_STATE_IN_SESSION, video + attributes)
        add(.play, 0, Self.playing)
        add(.firstFrame, 1_000, Self.playing | TALLY_STATE_STARTED)
        if !record.isEmpty {
            outputs.add(FakeHost.Record(kind: "SAID", attributes: [("text", .string(record))]), ordinal: 1)
        }
        if let error {
            let attributes: [(String, PlainValue)] = [
                ("error_code", .string("e1")), ("error_message", .string(error)), ("error_domain", .string("media")),
            ]
            add(.playerError, 2_000, Self.playing | TALLY_STATE_STARTED, attributes)
        }
        add(.playheadSample, 4_000, Self.playing | TALLY_STATE_STARTED)
        if ends {
            add(.videoUnload, 4_000, TALLY_STATE_STARTED)
            outputs.add(.sessionEnd, at: 4_000_000, session: 1)
            outputs.add(.runEnd, at: 4_000_000)
        }
        return outputs
    }
}
