internal import PlayerReports
internal import Testing

/// Requests as the logs of servers and delivery networks have them.
struct AccessLogTests {
    /// 2026-09-21, 10:00:00 UTC, us since 1970.
    private static let ten: Int64 = 1_789_984_800_000_000

    private func requests(_ log: AccessLog, _ lines: [String]) -> [LoggedRequest] {
        var log = log
        return lines.compactMap { line in
            if case .request(let request) = log.read(line) { request } else { nil }
        }
    }

    @Test("nginx: the format that comes with it, in any zone")
    func combined() {
        let line =
            #"203.0.113.7 - - [21/Sep/2026:12:00:00 +0200] "GET /v/8.m4s?CMCD=bs HTTP/1.1" 206 4711 "-" "A \x22b\x22""#
        var expected = LoggedRequest(time: Self.ten, moment: .end, target: "/v/8.m4s?CMCD=bs")
        expected.status = 206
        expected.bytes = 4711
        #expect(requests(.nginx(), [line]) == [expected])
        var log = AccessLog.nginx()
        #expect(log.read("203.0.113.7 -") == .unreadable)
        #expect(log.read("") == .none)
    }

    @Test("nginx: a format of one's own, with headers and fractions of seconds")
    func custom() {
        let log = AccessLog.nginx(
            #"$msec|$host|$request_uri|$status|$request_time|"$http_cmcd_session"|"$http_cmcd_object""#
        )
        let line = #"1789984800.250|cdn.example|/v/8.m4s|200|0.042|"sid=\x22s\x22"|"-""#
        var expected = LoggedRequest(time: Self.ten + 250_000, moment: .end, target: "/v/8.m4s")
        expected.host = "cdn.example"
        expected.status = 200
        expected.duration = 42
        expected.headers = [LoggedRequest.Header("CMCD-Session", #"sid="s""#)]
        #expect(requests(log, [line]) == [expected])
    }

    @Test("CloudFront, and the extended format of the W3C: columns are named in the log")
    func extended() {
        let names =
            "#Fields: date time sc-bytes cs-uri-stem sc-status cs-uri-query x-host-header time-taken time-to-first-byte"
        let values = ["2026-09-21", "10:00:00", "900", "/s.m4s", "200", "CMCD=bs", "cdn.example", "0.123", "0.02"]
        var expected = LoggedRequest(time: Self.ten, moment: .end, target: "/s.m4s?CMCD=bs")
        expected.bytes = 900
        expected.status = 200
        expected.host = "cdn.example"
        expected.duration = 123
        expected.firstByte = 20
        let tabs = values.joined(separator: "\t")
        #expect(requests(.cloudFront(), ["#Version: 1.0", names, tabs, "broken\tline"]) == [expected])
        expected.moment = .unknown
        #expect(requests(.w3c(), [names, values.joined(separator: " ")]) == [expected])
    }

    @Test("Tabs under a line of names, and objects of JSON; only a time that is a beginning is moved to the end")
    func others() {
        let columns: [String: LogColumn] = ["when": .dateAndTime, "url": .target, "ms": .duration]
        let tabs = AccessLog(.tabs, columns: columns, moment: .unknown)
        let read = requests(tabs, ["when\turl\tms\tx", "2026-09-21T12:00:00.5+02:00\t/a\t20\t-"])
        #expect(read.map(\.end) == [Self.ten + 500_000])
        let json =
            #"{"reqTimeSec":"1789984800.5","reqPath":"/a","transferTimeMSec":20,"statusCode":200,"CMCD":"sid%3D%22s%22,bs"}"#
        let akamai = requests(.dataStream(), [json, "{", #"{"reqPath":"/a"}"#])
        #expect(akamai.map(\.end) == [Self.ten + 520_000])
        #expect(akamai.first?.headers == [LoggedRequest.Header("CMCD-Session", #"sid="s",bs"#)])
    }

    @Test("A request is read again from its text")
    func text() {
        var request = LoggedRequest(time: Self.ten, moment: .start, target: "/a?b=\"c\"")
        #expect(LoggedRequest(text: request.text) == request)
        request.host = "h"
        request.status = 0
        request.bytes = 1
        request.duration = 2
        request.firstByte = 3
        request.headers = [LoggedRequest.Header("CMCD-Status", "bs")]
        #expect(LoggedRequest(text: request.text) == request)
        for text in ["", "{}", #"{"time":-1,"moment":"end","target":"/"}"#] {
            #expect(LoggedRequest(text: text) == nil)
        }
    }
}
