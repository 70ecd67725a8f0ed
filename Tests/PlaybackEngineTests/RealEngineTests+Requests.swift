import LoopbackServer
import PlaybackEngine
import RealServers
import TestFiles
import Testing

extension RealEngineTests {
    /// What the requests of GStreamer itself carry.
    @Suite
    struct Requests {
        private let media = TestMedia.shared

        private func settings(for source: String) throws -> RequestSettings {
            var settings = RequestSettings()
            settings.userAgent = "Set-top box"
            settings.headers = try ["X-One: 1", "X-Two: 2", "X-Two: 3", "Authorization: Bearer abc"].map(
                RequestHeader.init
            )
            settings.cookies = ["session=abc"]
            settings.source = source
            return settings
        }

        /// Opens an item, and plays it no further than its first picture.
        func open(_ location: String, _ settings: RequestSettings) throws -> EngineError? {
            var configuration = EngineConfiguration()
            configuration.requests = settings
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(location))
            try #require(
                player.wait {
                    switch $0.event {
                    case .loaded, .stopped: true
                    default: false
                    }
                } != nil
            )
            player.stop()
            return player.failure
        }

        private func expectAll(_ requests: [RecordedRequest], secrets: Bool) {
            for request in requests {
                let said = "\(request.target): \(request.headers)"
                #expect(request.header("user-agent") == "Set-top box", "\(said)")
                #expect(request.headers.filter { $0.name.lowercased() == "x-one" }.map(\.value) == ["1"], "\(said)")
                let twice = request.headers.filter { $0.name.lowercased() == "x-two" }.map(\.value)
                #expect(twice == ["2", "3"] || twice == ["2, 3"], "\(said)")
                #expect(request.header("authorization") == (secrets ? "Bearer abc" : nil), "\(said)")
                #expect(request.header("cookie") == (secrets ? "session=abc" : nil), "\(said)")
            }
        }

        @Test func aFileAndWhereItsServerRedirects() throws {
            let other = try LoopbackServer(ServerConfiguration(root: media.directory))
            var serving = ServerConfiguration(root: media.directory)
            let answer = "HTTP/1.1 302 Found\r\nLocation: \(other.url(of: "clip.mp4"))\r\nContent-Length: 0\r\n\r\n"
            serving.faults = [FaultRule(PathPattern("/moved.mp4"), Faults(rawAnswer: answer))]
            let own = try LoopbackServer(serving)
            for name in ["clip.mp4", "moved.mp4"] {
                #expect(try open(own.url(of: name), settings(for: own.url)) == nil)
            }
            #expect(own.requests.count >= 2 && !other.requests.isEmpty)
            expectAll(own.requests, secrets: true)
            expectAll(other.requests, secrets: false)
        }

        @Test func eachPartOfAStreamAndOthersThanTheSourcesServerGetNothingSecret() throws {
            let cdn = try LoopbackServer(ServerConfiguration(root: media.directory))
            let files = TemporaryFolder()
            let playlist = try TestFile.text("\(media.directory)/v1.m3u8")
            _ = files.write("v1.m3u8", playlist.replacing("v1", with: cdn.url(of: "v1")))
            try files.copy("\(media.directory)/init_1.mp4", as: "init_1.mp4")
            let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180\nv1.m3u8\n"
            let own = try LoopbackServer(ServerConfiguration(root: files.path))
            _ = files.write("master.m3u8", master)
            #expect(try open(own.url(of: "master.m3u8"), settings(for: own.url)) == nil)
            let paths = Set(own.requests.map(\.path))
            #expect(paths == ["/master.m3u8", "/v1.m3u8", "/init_1.mp4"])
            #expect(cdn.requests.contains { $0.path.hasSuffix(".m4s") })
            expectAll(own.requests, secrets: true)
            expectAll(cdn.requests, secrets: false)
        }

        @Test(.enabled(if: RealServers.areInstalled, "run Scripts/bootstrap --tests"))
        func certificatesThatAreGivenAreTrustedAndNoOthersUnlessAllAre() async throws {
            let (authority, other) = (try await TestAuthority(), try await TestAuthority())
            let nginx = try await Nginx(authority, root: media.directory)
            for path in ["clip.mp4", "master.m3u8"] {
                let url = "https://127.0.0.1:\(nginx.securePort)/\(path)"
                var settings = RequestSettings()
                settings.certificatesPath = other.certificate
                #expect(try open(url, settings)?.code == .tlsFailed)
                settings.certificatesPath = authority.certificate
                #expect(try open(url, settings) == nil)
                settings.certificatesPath = nil
                #expect(try open(url, settings)?.code == .tlsFailed)
                settings.isInsecure = true
                #expect(try open(url, settings) == nil)
            }
        }
    }
}

extension RealEngineTests.Requests {
    private func keys(_ text: String?) -> [String: String] {
        let members = (text ?? "").split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(members.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    private func decoded(_ query: String?) -> String? {
        guard let start = query?.firstRange(of: "CMCD="), let query else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(query[start.upperBound...].utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Plays two seconds of an item and gives its reports of requests.
    private func play(_ location: String, _ cmcd: CMCDSettings) throws -> [EngineRequest] {
        var configuration = EngineConfiguration()
        (configuration.bufferMs, configuration.resumeMs) = (4000, 1000)
        configuration.requests.cmcd = cmcd
        let player = EngineRecorder(configuration: configuration)
        player.engine.send(.load(location))
        player.engine.send(.play)
        try #require(player.wait { if case .playheadSample(let ms) = $0.event { ms > 1500 } else { false } } != nil)
        player.stop()
        return player.reports.compactMap { report in
            switch report.event {
            case .requestCompleted(let request), .requestFailed(let request), .requestCancelled(let request): request
            default: nil
            }
        }
    }

    @Test(arguments: [(CMCDSettings.Form.query, 1), (.header, 2)])
    func theMediaAndTheSessionAreSaidWithEachRequestAndAddressesStayAsTheyAre(
        form: CMCDSettings.Form,
        version: Int
    ) throws {
        let server = try LoopbackServer(ServerConfiguration(root: TestMedia.shared.directory))
        defer { server.stop() }
        var cmcd = CMCDSettings()
        (cmcd.form, cmcd.version, cmcd.sessionID, cmcd.contentID) = (form, version, "s-1", "/master.m3u8")
        let told = try play(server.url(of: "master.m3u8?token=1"), cmcd)
        let asked = server.requests
        try #require(asked.contains { $0.path.hasSuffix(".m4s") })
        var records: [(path: String, keys: [String: String])] = []
        for request in asked {
            let headers = ["CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status"].compactMap(request.header)
            let text = form == .query ? decoded(request.query) : headers.joined(separator: ",")
            #expect(headers.isEmpty == (form == .query), "\(request.target)")
            #expect((decoded(request.query) == nil) == (form == .header), "\(request.target)")
            let keys = keys(text)
            #expect(keys["sid"] == "\"s-1\"" && keys["cid"] == "\"/master.m3u8\"" && keys["sf"] == "h", "\(keys)")
            #expect(keys["v"] == (version == 1 ? nil : "2"))
            records.append((request.path, keys))
        }
        if version == 2 { #expect(records.map { $0.keys["sn"] } == records.indices.map { String($0) }) }
        #expect(records.allSatisfy { $0.path.hasSuffix(".m3u8") == ($0.keys["ot"] == "m") })
        #expect(records.allSatisfy { $0.path.contains("init_") == ($0.keys["ot"] == "i") })
        let segments = records.filter { $0.path.hasSuffix(".m4s") }.map(\.keys)
        #expect(segments.allSatisfy { $0["ot"] == "av" && $0["tb"] != nil })
        #expect(segments.last?["br"] != nil && segments.last?["bl"] != nil && segments.last?["mtp"] != nil)
        #expect(segments.first?["su"] != nil)
        #expect(asked.first?.query?.hasPrefix("token=1") == true)
        // What is told of requests has the addresses that playlists name.
        #expect(told.count >= 3)
        for request in told { #expect(!request.url.contains("CMCD"), "\(request.url)") }
        #expect(told.contains { $0.url == server.url(of: "master.m3u8?token=1") })
    }

    @Test(arguments: [(CMCDSettings.Form.query, 2), (.header, 1)])
    func theyAreSaidWithAFileToo(form: CMCDSettings.Form, version: Int) throws {
        let server = try LoopbackServer(ServerConfiguration(root: TestMedia.shared.directory))
        defer { server.stop() }
        var cmcd = CMCDSettings()
        (cmcd.form, cmcd.version, cmcd.sessionID) = (form, version, "s-1")
        let told = try play(server.url(of: "clip.mp4"), cmcd)
        try #require(!server.requests.isEmpty)
        for request in server.requests {
            let headers = ["CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status"].compactMap(request.header)
            let keys = keys(form == .query ? decoded(request.query) : headers.joined(separator: ","))
            #expect(keys["sid"] == "\"s-1\"" && keys["su"] != nil, "\(keys)")
        }
        #expect(told.map(\.url).contains(server.url(of: "clip.mp4")))
        #expect(!told.contains { $0.url.contains("CMCD") })
    }

    @Test func variablesOfAPlaylistArePutIntoItsReferences() throws {
        let media = TestMedia.shared
        let files = TemporaryFolder()
        let playlist = try TestFile.text("\(media.directory)/v1.m3u8")
        let defined = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"dir\"\n" + playlist.dropFirst("#EXTM3U\n".count)
        _ = files.write(
            "deep/v1.m3u8",
            defined.replacing("v1", with: "{$dir}/v1").replacing("init_1", with: "{$dir}/init_1")
        )
        for name in ["init_1.mp4"] + (0..<10).map({ "v1\($0).m4s" }) {
            try files.copy("\(media.directory)/\(name)", as: "deep/a b/\(name)")
        }
        _ = files.write(
            "master.m3u8",
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"dir\",VALUE=\"a%20b\"\n#EXT-X-DEFINE:QUERYPARAM=\"to\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180\n{$to}/v1.m3u8\n"
        )
        _ = files.write(
            "unknown.m3u8",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180\n{$where}/v1.m3u8\n"
        )
        let server = try LoopbackServer(ServerConfiguration(root: files.path))
        defer { server.stop() }
        #expect(try open(server.url(of: "master.m3u8?to=deep"), RequestSettings()) == nil)
        #expect(server.requests.map(\.path).contains("/deep/v1.m3u8"))
        #expect(server.requests.map(\.path).contains("/deep/a b/v10.m4s"))
        let failure = try #require(try open(server.url(of: "unknown.m3u8"), RequestSettings()))
        #expect(failure.code == .invalidManifest && failure.detail.contains("{$where}"), "\(failure)")
    }

    @Test func aRecordingBeginsWhereItsPlaylistSays() throws {
        let media = TestMedia.shared
        let files = TemporaryFolder()
        for name in ["init_1.mp4"] + (0..<10).map({ "v1\($0).m4s" }) {
            try files.copy("\(media.directory)/\(name)", as: name)
        }
        let playlist = try TestFile.text("\(media.directory)/v1.m3u8")
        _ = files.write("v1.m3u8", playlist.replacing("#EXTM3U\n", with: "#EXTM3U\n#EXT-X-START:TIME-OFFSET=-3.4\n"))
        let server = try LoopbackServer(ServerConfiguration(root: files.path))
        defer { server.stop() }
        var configuration = EngineConfiguration()
        (configuration.bufferMs, configuration.resumeMs) = (4000, 1000)
        let player = EngineRecorder(configuration: configuration)
        player.engine.send(.load(server.url(of: "v1.m3u8")))
        player.engine.send(.play)
        let shown = try #require(player.wait(for: .firstFrame))
        let sample = try #require(player.wait { if case .playheadSample = $0.event { true } else { false } })
        player.stop()
        #expect((5990...6010).contains(shown.positionMs ?? 0) || shown.positionMs == 0, "\(shown)")
        #expect((6000..<7500).contains(try #require(sample.positionMs)), "\(sample)")
        #expect(!player.milestones.contains { if case .seekStarted = $0 { true } else { false } })
    }
}
