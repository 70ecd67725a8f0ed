import Glibc
import LoopbackServer
import PlaybackEngine
import RealServers
import TestFiles
import Testing

extension RealEngineTests {
    @Suite
    struct Failures {
        private let media = TestMedia.shared

        private func failure(
            of location: String,
            configuration: EngineConfiguration = EngineConfiguration()
        ) throws -> EngineError {
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(location))
            player.engine.send(.play)
            try #require(player.wait(for: .stopped) != nil)
            #expect(player.milestones.last == .stopped)
            let error = try #require(player.failure)
            #expect(player.milestones.suffix(2) == [.failed(error), .stopped])
            #expect(error.description.contains(location))
            return error
        }

        @Test func aMissingFileIsNotFound() throws {
            #expect(try failure(of: "/nowhere/clip.mp4").code == .notFound)
            #expect(try failure(of: "").code == .notFound)
        }

        @Test func aDirectoryIsNotReadable() throws {
            #expect(try failure(of: media.directory).code == .notReadable)
        }

        @Test func anUnknownSchemeIsNamed() throws {
            #expect(try failure(of: "gopher9://host/clip").code == .unsupportedScheme)
        }

        @Test(arguments: [
            "rtsp://127.0.0.1/a", "rtmp://127.0.0.1/a", "udp://127.0.0.1:9", "testbin://video,pattern=ball",
        ])
        func whatGStreamerAloneWouldOpenIsRefused(location: String) throws {
            let error = try failure(of: location)
            #expect(error.code == .unsupportedScheme)
            #expect(error.engineDomain.isEmpty)
        }

        @Test(arguments: ["http://", "http://[::1", "https:///clip.mp4", "http://host:port/clip.mp4"])
        func anAddressWithoutAHostIsNotValid(location: String) throws {
            let error = try failure(of: location)
            #expect(error.code == .notFound)
            #expect(error.detail == "not a valid address")
        }

        @Test func aPlaylistInAFileIsRefusedWhateverItsName() throws {
            let files = TemporaryFolder()
            let list = try files.copy("\(media.directory)/master.m3u8", as: "list.txt")
            let manifest = files.write("manifest.xml", "<?xml version=\"1.0\"?>\n<!-- one -->\n<MPD type=\"static\"/>")
            for location in ["\(media.directory)/master.m3u8", "file://\(list)", manifest] {
                let error = try failure(of: location)
                #expect(error.code == .unsupportedScheme)
                #expect(error.description.contains("serve its folder over http"))
            }
        }

        @Test func aRefusedConnectionIsRecognised() throws {
            let gone = try LoopbackServer(ServerConfiguration())
            let address = gone.url(of: "clip.mp4")
            gone.stop()
            let error = try failure(of: address)
            #expect(error.code == .connectionRefused)
            #expect(error.httpStatus == nil)
        }

        @Test func aMissingResourceCarriesItsStatus() throws {
            let server = try LoopbackServer(ServerConfiguration(root: media.directory))
            defer { server.stop() }
            let error = try failure(of: server.url(of: "none.mp4"))
            #expect(error.code == .notFound)
            #expect(error.httpStatus == 404)
        }

        @Test func aWebPageGarbageAndNothingAreNoMedia() throws {
            #expect(try failure(of: media.page).code == .notMedia)
            #expect(try failure(of: media.garbage).code == .notMedia)
            #expect(try failure(of: media.empty).code == .notMedia)
        }

        @Test func aPictureWithoutDecoderIsAnErrorThoughItsSoundWouldPlay() throws {
            let error = try failure(of: media.unknownCodec)
            #expect(error.code == .missingCodec)
            #expect(error.detail.contains("zzc1"))
        }

        @Test func aServerErrorCarriesItsStatus() throws {
            var serving = ServerConfiguration(root: media.directory)
            serving.faults = [
                FaultRule(PathPattern("*clip.mp4"), Faults(status: 503)),
                FaultRule(PathPattern("*sound.m4a"), Faults(status: 403)),
            ]
            let server = try LoopbackServer(serving)
            defer { server.stop() }
            let unavailable = try failure(of: server.url(of: "clip.mp4"))
            #expect(unavailable.code == .httpError)
            #expect(unavailable.httpStatus == 503)
            #expect(try failure(of: server.url(of: "sound.m4a")).code == .forbidden)
        }

        @Test func aTruncatedFileIsNotComplete() throws {
            #expect(try failure(of: media.truncated).code == .truncated)
            // Over HTTP all of it came, as far as the server knows.
            let server = try LoopbackServer(ServerConfiguration(root: media.directory))
            defer { server.stop() }
            let name = try #require(media.truncated.split(separator: "/").last.map(String.init))
            #expect(try failure(of: server.url(of: name)).code == .truncated)
        }

        @Test func aFileOfUnknownLengthIsNoLiveStreamAndBreaksOffLikeAnyOther() throws {
            let files = TemporaryFolder()
            for name in ["cut.mp4", "whole.mp4"] { try files.copy(media.clip, as: name) }
            var serving = ServerConfiguration(root: files.path)
            serving.faults = [
                FaultRule(PathPattern("*"), Faults(isChunked: true)),
                FaultRule(PathPattern("/cut.mp4"), Faults(cutAfter: 60_000)),
            ]
            let server = try LoopbackServer(serving)
            defer { server.stop() }
            #expect(try failure(of: server.url(of: "cut.mp4")).code == .connectionLost)
            let player = EngineRecorder()
            player.engine.send(.load(server.url(of: "whole.mp4")))
            let loaded = try #require(player.wait { if case .loaded = $0.event { true } else { false } })
            player.stop()
            guard case .loaded(let item) = loaded.event else { return }
            #expect(!item.isLive)
            #expect(try (5900...6200).contains(#require(item.durationMs)))
        }

        /// In the middle, where the demuxer says that it is damaged, and as the first, of which it says nothing.
        @Test func aWebPageAsASegmentIsNoMedia() throws {
            let files = TemporaryFolder()
            for name in ["init_0.mp4", "v00.m4s", "v01.m4s", "v02.m4s"] {
                try files.copy("\(media.directory)/\(name)", as: name)
            }
            try files.copy(media.page, as: "page.html")
            let server = try LoopbackServer(ServerConfiguration(root: files.path))
            defer { server.stop() }
            for order in [["page.html", "v01.m4s", "v02.m4s"], ["v00.m4s", "page.html", "v02.m4s"]] {
                _ = files.write(
                    "list.m3u8",
                    "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init_0.mp4\"\n"
                        + order.map { "#EXTINF:1,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
                )
                let error = try failure(of: server.url(of: "list.m3u8"))
                #expect(error.code == .notMedia && error.detail == "\(server.url)page.html is a web page", "\(error)")
            }
        }

        /// Among fragments, and in place of them.
        @Test func aWholeFileAsASegmentIsTheReason() throws {
            let files = TemporaryFolder()
            for name in ["init_0.mp4", "v00.m4s", "v02.m4s"] { try files.copy("\(media.directory)/\(name)", as: name) }
            try files.copy(media.clip, as: "whole.mp4")
            let server = try LoopbackServer(ServerConfiguration(root: files.path))
            defer { server.stop() }
            let map = "#EXT-X-MAP:URI=\"init_0.mp4\"\n"
            for (head, order) in [(map, ["v00.m4s", "whole.mp4", "v02.m4s"]), ("", ["whole.mp4"])] {
                let list = order.map { "#EXTINF:1,\n\($0)\n" }.joined()
                _ = files.write("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(head)\(list)#EXT-X-ENDLIST\n")
                var configuration = EngineConfiguration()
                (configuration.loadTimeoutMs, configuration.stallTimeoutMs) = (3000, 3000)
                let error = try failure(of: server.url(of: "list.m3u8"), configuration: configuration)
                #expect(error.code == .corrupt, "\(error)")
                let reason = "\(server.url)whole.mp4 is a whole MP4 file: segments of MP4 have to be fragments"
                #expect(error.detail == reason, "\(error)")
            }
            #expect(server.requests.count < 20)
        }

        @Test func aFileCutOffInItsIndexIsCorrupt() throws {
            var configuration = EngineConfiguration()
            configuration.fileLoadTimeoutMs = 700
            #expect(try failure(of: media.headless, configuration: configuration).code == .corrupt)
        }

        @Test func aServerThatSendsNothingIsALoadTimeout() throws {
            var serving = ServerConfiguration(root: media.directory)
            serving.faults = [FaultRule(PathPattern("*"), Faults(stallAfter: 100))]
            let server = try LoopbackServer(serving)
            defer { server.stop() }
            var configuration = EngineConfiguration()
            configuration.loadTimeoutMs = 700
            let error = try failure(of: server.url(of: "clip.mp4"), configuration: configuration)
            #expect(error.code == .loadTimeout)
        }

        @Test(.enabled(if: RealServers.areInstalled, "run Scripts/bootstrap --tests"))
        func aCertificateThatNobodyTrustsIsAFailureOfTheConnectionWithItsReason() async throws {
            let nginx = try await Nginx(TestAuthority())
            for path in ["clip.mp4", "master.m3u8"] {
                let error = try failure(of: "https://127.0.0.1:\(nginx.securePort)/\(path)")
                #expect(error.code == .tlsFailed)
                #expect(error.detail.contains("certificate"), "\(error.detail)")
            }
        }
    }
}
