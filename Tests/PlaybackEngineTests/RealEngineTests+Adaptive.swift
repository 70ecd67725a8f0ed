import LoopbackServer
import PlaybackEngine
import Streaming
import TestFiles
import Testing

extension RealEngineTests {
    @Suite
    struct Adaptive {
        private let media = TestMedia.shared

        private var shortBuffer: EngineConfiguration {
            var configuration = EngineConfiguration()
            configuration.bufferMs = 2000
            configuration.resumeMs = 1000
            return configuration
        }

        private func serve(_ faults: Faults? = nil, segment: String = "0", times: Int? = 1) throws -> LoopbackServer {
            var serving = ServerConfiguration(root: media.directory)
            serving.faults = faults.map { [FaultRule(PathPattern("*\(segment).m4s"), $0, limit: times)] } ?? []
            return try LoopbackServer(serving)
        }

        private func play(
            _ server: LoopbackServer,
            _ configuration: EngineConfiguration
        ) -> EngineRecorder {
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(server.url(of: "master.m3u8")))
            player.engine.send(.play)
            return player
        }

        @Test func aRenditionIsDecidedFirstAndVisibleLater() throws {
            let server = try serve()
            defer { server.stop() }
            var configuration = shortBuffer
            configuration.maxBitrate = 250_000
            let player = play(server, configuration)
            let small = try #require(player.wait { isVisible($0.event, lines: 90) })
            try #require(player.wait(for: .playing) != nil)
            player.engine.send(.pinRendition(maxBitrate: nil))
            let large = try #require(player.wait { isVisible($0.event, lines: 180) })
            player.stop()

            let decided = try #require(
                player.reports.first { if case .renditionDecided = $0.event { true } else { false } }
            )
            #expect(small.timeNs <= decided.timeNs)
            #expect(decided.timeNs < large.timeNs)
            guard case .renditionDecided(let chosen) = decided.event,
                case .renditionVisible(let first) = small.event, case .renditionVisible(let second) = large.event
            else { return }
            #expect(second.bitrate == chosen.bitrate)
            #expect(second.height == chosen.height)
            #expect(try #require(first.bitrate) < #require(chosen.bitrate))
        }

        private func isVisible(_ event: EngineEvent, lines: Int) -> Bool {
            guard case .renditionVisible(let rendition) = event else { return false }
            return rendition.height == lines
        }

        @Test func aLateSegmentIsOneStallWithAFrozenPlayhead() throws {
            let server = try serve(Faults(latencyMilliseconds: 8000), segment: "3")
            defer { server.stop() }
            let player = play(server, shortBuffer)
            _ = player.wait { [.bufferingCompleted(.stall), .stopped].contains($0.event) }
            player.stop()

            let reports = player.reports
            try #require(player.milestones.contains(.bufferingCompleted(.stall)), "\(player.milestones)")
            let start = try #require(reports.firstIndex { $0.event == .bufferingStarted(.stall) })
            let end = try #require(reports.firstIndex { $0.event == .bufferingCompleted(.stall) })
            let during = reports[start...end].compactMap(\.positionMs)
            #expect(try #require(during.max()) - #require(during.min()) <= 100)
            #expect(!player.milestones.contains(.paused))
            #expect(player.milestones.filter { $0 == .playing }.count == 1)
        }

        @Test func aStallThatDoesNotEndFails() throws {
            let server = try serve(Faults(stallAfter: 100), segment: "2")
            defer { server.stop() }
            var configuration = shortBuffer
            configuration.stallTimeoutMs = 5000
            let player = play(server, configuration)
            try #require(player.wait(for: .stopped) != nil)
            // A busy machine may not have begun to play when the segments stop: then it is the initial buffering.
            let causes: [EngineBufferingCause] = [.initial, .stall]
            let started = causes.map { EngineEvent.bufferingStarted($0) }
            let completed = causes.map { EngineEvent.bufferingCompleted($0) }
            let last = try #require(player.milestones.last(where: (started + completed).contains))
            #expect(started.contains(last))
            #expect(player.failure?.code == .stalled)
        }

        @Test func aServerThatDiesIsALostConnection() throws {
            let server = try serve()
            let player = play(server, shortBuffer)
            try #require(player.wait(for: .playing) != nil)
            server.stop()
            try #require(player.wait(for: .stopped) != nil)
            #expect(player.failure?.code == .connectionLost)
        }

        @Test func missingSegmentsAreLeftOutAndTooManyOfThemAreNotFound() throws {
            let server = try serve(Faults(status: 404), segment: "[1-7]", times: nil)
            defer { server.stop() }
            let player = play(server, shortBuffer)
            try #require(player.wait(for: .stopped) != nil)
            let error = try #require(player.failure)
            #expect(error.code == .notFound)
            #expect(error.detail.contains("one of its parts: \(server.url)v"))
            #expect(error.detail.contains("4.m4s is answered with status 404"))
            #expect(player.milestones.filter { if case .damaged = $0 { true } else { false } }.count == 3)
        }

        /// The first segment too, and behind the initialization of its media.
        @Test func playbackGoesOnBehindAMissingSegment() throws {
            let server = try serve(Faults(status: 404), segment: "[02]", times: nil)
            defer { server.stop() }
            let player = play(server, shortBuffer)
            let end = player.wait { report in
                if case .playheadSample(let positionMs) = report.event { return positionMs >= 3000 }
                return report.event == .stopped
            }
            try #require(end?.event != .stopped, "\(player.milestones)")
            player.stop()
            let missing = player.milestones.compactMap { event -> EngineError? in
                if case .damaged(let error) = event { error } else { nil }
            }
            #expect(missing.map(\.code) == [.segmentMissing, .segmentMissing])
            let samples = player.reports.compactMap { report -> Int64? in
                if case .playheadSample(let positionMs) = report.event { positionMs } else { nil }
            }
            // Nobody waits where nothing is to be shown.
            #expect(!samples.contains { (2250...2900).contains($0) }, "\(samples)")
            // One may come before the engine has seen that there is nothing.
            #expect(!samples.dropFirst().contains { $0 < 900 }, "\(samples)")
            let asked = server.requests.filter { $0.path.hasSuffix("0.m4s") || $0.path.hasSuffix("2.m4s") }
            let told = player.reports.filter { if case .requestFailed = $0.event { true } else { false } }
            #expect(asked.count == 2 && told.count == 2, "\(asked.map(\.path))")
        }

        @Test func whatAServerRefusesIsAskedForAgainWithLongerAndLongerWaitsAndIsTheReason() throws {
            let server = try serve(Faults(status: 503), segment: "[4-6]", times: nil)
            defer { server.stop() }
            var configuration = shortBuffer
            configuration.stallTimeoutMs = 6000
            let player = play(server, configuration)
            try #require(player.wait(for: .stopped) != nil)
            let error = try #require(player.failure)
            #expect(error.code == .httpError && error.httpStatus == 503)
            #expect(error.detail.contains("m4s is answered with status 503; no progress for 6000 ms"))
            let answers = player.reports.compactMap { report -> Int64? in
                guard case .requestFailed(let request) = report.event, request.status == 503,
                    request.url.hasSuffix("4.m4s")
                else { return nil }
                return request.startNs
            }
            try #require(answers.count >= 4)
            // The first wait is 200 ms at least, the next ones double.
            let waits = zip(answers, answers.dropFirst()).map { ($1 - $0) / 1_000_000 }
            for (count, wait) in waits.enumerated() { #expect(wait >= min(200 << count, 6400), "\(waits)") }
        }

        /// GStreamer asks for the same segments again and again, as the playlist says that they are over at once.
        @Test func noMoreThanTwentyRequestsBeginInAnySecond() throws {
            let files = TemporaryFolder()
            for index in 0..<4 { try files.copy("\(media.directory)/v0\(index).m4s", as: "s\(index).m4s") }
            try files.copy("\(media.directory)/init_0.mp4", as: "init.mp4")
            let segments = (0..<4).map { "#EXTINF:0.01,\ns\($0).m4s\n" }.joined()
            _ = files.write(
                "short.m3u8",
                "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n\(segments)"
                    + "#EXT-X-ENDLIST\n"
            )
            let server = try LoopbackServer(ServerConfiguration(root: files.path))
            defer { server.stop() }
            var configuration = shortBuffer
            configuration.stallTimeoutMs = 4000
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(server.url(of: "short.m3u8")))
            player.engine.send(.play)
            try #require(player.wait(for: .stopped) != nil)
            let starts = player.reports.compactMap { report -> Int64? in
                guard case .requestCompleted(let request) = report.event, request.isOfDemuxer else { return nil }
                return request.startNs
            }
            try #require(starts.count > 20)
            // A thread that waits for a processor begins its request a moment later than it may.
            for (first, last) in zip(starts, starts.dropFirst(20)) { #expect(last - first >= 950_000_000) }
        }
    }
}
