import PlaybackEngine
import Testing

/// What requests carry, and to whom.
struct RequestSettingsTests {
    private static let source = "https://cdn.example/live/master.m3u8?token=1"

    private static let settings = {
        var settings = RequestSettings()
        settings.userAgent = "Set-top box"
        settings.headers = [
            RequestHeader(name: "X-One", value: "1"), RequestHeader(name: "authorization", value: "Bearer abc"),
        ]
        settings.cookies = ["session=abc", "theme=dark; lang=de"]
        settings.source = source
        return settings
    }()

    private func names(_ url: String) -> [String] { Self.settings.allHeaders(for: url).map(\.name) }

    @Test(
        "The source's own server gets all that is given",
        arguments: [source, "https://cdn.example:443/other", "HTTPS://CDN.example", "https://user:pw@cdn.example/a"]
    )
    func own(url: String) {
        #expect(names(url) == ["X-One", "authorization", "User-Agent", "Cookie"])
        #expect(Self.settings.allHeaders(for: url).last?.value == "session=abc; theme=dark; lang=de")
    }

    @Test(
        "Another scheme, host or port gets no cookie and no authorization",
        arguments: [
            "http://cdn.example/live/master.m3u8", "https://cdn.example:8443/", "https://ads.example/",
            "https://cdn.example.evil.example/", "https://cdn.example@evil.example/",
            "https://evil.example\\@cdn.example/",
            "https://[cdn.example]x/", "/local/file.mp4", "",
        ]
    )
    func others(url: String) { #expect(names(url) == ["X-One", "User-Agent"]) }

    @Test("A file has no server that would get something secret")
    func file() {
        var settings = Self.settings
        settings.source = "/films/a.mp4"
        #expect(settings.allHeaders(for: "/films/a.mp4").map(\.name) == ["X-One", "User-Agent"])
    }

    @Test(
        "A header is a name, a colon and a value",
        arguments: zip(
            ["X-A: b", "X-A:b:c", "X-A:", "x_a~: \t b c \t", "Authorization: Basic QTpC", "X-A: äöü"],
            ["X-A=b", "X-A=b:c", "X-A=", "x_a~=b c", "Authorization=Basic QTpC", "X-A=äöü"]
        )
    )
    func header(text: String, read: String) throws {
        let header = try RequestHeader(text)
        #expect(header.name + "=" + header.value == read)
    }

    @Test(
        "What is no header, or would end one, is refused without its value",
        arguments: [
            "Authorization secret", ": secret", "X A: secret", "X-A : secret", "X-A: secret\r\nX-B: c", "X-A: secret\n",
            "X-A: secret\0", "X-Ä: secret", "Host: secret", "content-length: secret", "Transfer-Encoding: secret",
            "Range: secret", "",
        ]
    )
    func refused(text: String) {
        do throws(RequestHeader.Problem) {
            Issue.record("it is \(try RequestHeader(text))")
        } catch {
            #expect(!error.expected.isEmpty && !error.expected.contains("secret"))
        }
    }
}
