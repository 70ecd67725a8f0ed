internal import ChildPrograms
internal import PlaybackEngine
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// Options and keys that say what requests carry and which servers are trusted.
struct RequestOptionTests {
    private static let secret = "planted-5c20e7"

    private let folder = TemporaryFolder()
    private let player = SimulatedPlayer()

    private var pem: String {
        let body = Base64.encode([0x30, 0x03, 0x02, 0x01, 0x05])
        return folder.write("ca.pem", "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n")
    }

    @Test(
        "A header, cookie or name that would not be one is refused, and no value is repeated",
        arguments: [
            (
                ["--header", "Authorization \(secret)"],
                "the option --header has the value \"***\", expected a header as"
            ),
            (["--header", "X-A: \(secret)\nB: c"], "the option --header has the value \"X-A: ***\", expected no line"),
            (["--header", "Host: \(secret)"], "expected another header: Host is for the player to say"),
            (["--cookie", secret], "the option --cookie has the value \"***\", expected a cookie as 'name=value'"),
            (["--cookie", "a=\(secret)\r\nB: c"], "the option --cookie has the value \"a=***\""),
            (["--user-agent", "a\r\nb"], "expected a text without line breaks"),
            (["--set", "player.headers=[\"Authorization: \(secret)"], "--set has the value \"player.headers=***\""),
        ]
    )
    func options(arguments: [String], message: String) async throws {
        let result = try await ChildProgram.run(["/nowhere/clip.mp4"] + arguments)
        #expect(result.code == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains(Self.secret))
    }

    @Test(
        "The same in the configuration is told with its place",
        arguments: [
            ("headers: ['X-A: b', 'Authorization \(secret)']", "player.headers.1: expected a header as"),
            ("headers: 'Authorization: \(secret)'", "player.headers: found a string, expected an array"),
            ("cookies: ['\(secret)']", "player.cookies.0: expected a cookie"),
            ("userAgent: ''", "player.userAgent: expected a text without line breaks"),
        ]
    )
    func keys(text: String, message: String) async throws {
        let path = folder.write("tally.json5", "{player: {\(text)}}")
        let result = try await ChildProgram.run(["/nowhere/clip.mp4", "--config", path])
        #expect(result.code == 78)
        #expect(result.errors.contains("\(path):1:") && result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains(Self.secret))
        let set = "player." + text.replacing(": ", with: "=", maxReplacements: 1)
        let overridden = try await ChildProgram.run(["/nowhere/clip.mp4", "--set", set])
        #expect(overridden.code == 78 && !overridden.errors.contains(Self.secret), "\(overridden.errors)")
    }

    @Test("A file of certificates that cannot be used is told before anything is played")
    func certificates() async throws {
        let begin = "-----BEGIN CERTIFICATE-----"
        let cases = [
            (folder.file("none.pem"), Int32(66), "cannot be read"),
            (folder.write("empty.pem", "no certificates\n"), 78, "there are none in PEM"),
            (folder.write("cut.pem", begin + "\nMAMC\n"), 78, "number 1 of them is damaged"),
            (folder.write("garbage.pem", begin + "\n????\n-----END CERTIFICATE-----\n"), 78, "is damaged"),
        ]
        for (path, code, message) in cases {
            let result = try await ChildProgram.run(["/nowhere/clip.mp4", "--ca", path])
            #expect(result.code == code)
            #expect(result.errors.contains("the certificates '\(path)' cannot be"), "\(result.errors)")
            #expect(result.errors.contains(message) && !result.errors.contains("loading"), "\(result.errors)")
        }
        // In the configuration its place is relative to the file.
        let path = pem
        let config = folder.write("tally.json5", "{player: {certificates: 'ca.pem'}}")
        let found = try await ChildProgram.run(["/nowhere/clip.mp4", "--config", config])
        // There is no certificate in what looks like one.
        #expect(
            found.code == 69 && found.errors.contains("the certificates of '\(path)' cannot be used"),
            "\(found.errors)"
        )
    }

    @Test("What is secret of headers and cookies is in no explanation, archive or output")
    func hidden() async throws {
        let config = folder.write(
            "tally.json5",
            "{player: {headers: ['X-Key: \(Self.secret)'], cookies: ['session=\(Self.secret)']}}"
        )
        let archive = folder.file("run.tally")
        var said = ""
        for arguments in [
            ["--config", config], ["--header", "X-Key: \(Self.secret)", "--cookie", "session=\(Self.secret)"],
        ] {
            for more in [["--explain"], ["--explain", "--json"], ["--archive", archive, "--verbose", "--json"]] {
                let result = try await ChildProgram.run(["/nowhere/clip.mp4"] + arguments + more)
                said += result.output + result.errors
            }
            said += try TestFile.text(archive)
        }
        #expect(!said.contains(Self.secret))
        #expect(said.contains("X-Key: ***") && said.contains("session=***"))
    }

    @Test("Documents of ads are asked for with headers and name, and those of other servers without cookies")
    func documents() throws {
        let ads = SimulatedAdServer(player.web)
        let source = "http://media.example/clip.mp4"
        player.web.put(.clip, at: source)
        let (_, result) = try player.record([
            source, "--ads", ads.url("pod.xml"), "--vast-tracking", "--header", "X-One: 1", "--header",
            "Authorization: Bearer abc", "--cookie", "session=abc", "--user-agent", "Box",
        ])
        #expect(result.code == 0, "\(result.errors)")
        #expect(!player.web.headers.isEmpty)
        for headers in player.web.headers { #expect(headers.map(\.name) == ["X-One", "User-Agent"]) }
    }

    @Test("A player's own look at a playlist of the source's server has its cookies")
    func playlists() throws {
        let source = "http://media.example/live.m3u8"
        player.web.put(
            .init("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n"),
            .init("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n"),
            at: source
        )
        player.web.put(.stream(durationMs: 3000), at: source)
        let (_, result) = try player.record([source, "--cookie", "session=abc"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(player.web.headers.allSatisfy { $0 == [RequestHeader(name: "Cookie", value: "session=abc")] })
        #expect(!player.web.headers.isEmpty)
    }

    @Test("Who believes every certificate is warned at each start, and the summary says so")
    func insecure() throws {
        let insecure = try player.run([player.clip, "--insecure", "--json"])
        #expect(insecure.errors.contains("warning: no certificate is checked (--insecure)"))
        #expect(try insecure.summary()["insecure"] == .bool(true))
        let quiet = try player.run([player.clip, "--insecure", "--quiet"])
        #expect(quiet.errors.contains("warning: no certificate is checked (--insecure)"))
        let secure = try player.run([player.clip, "--json"])
        #expect(!secure.errors.contains("certificate"))
        #expect(try secure.summary()["insecure"] == .bool(false))
    }
}
