import Glibc
import LoopbackServer
import PlaybackEngine
import Streaming
import TestFiles
import Testing

extension RealEngineTests {
    @Suite
    struct Playback {
        private let media = TestMedia.shared

        @Test func aFileIsReportedInTheOrderOfItsPlayback() throws {
            let player = EngineRecorder()
            #expect(player.engine.positionMs == nil)
            player.engine.send(.load(media.clip))
            player.engine.send(.play)
            try #require(player.wait { ($0.positionMs ?? 0) > 600 } != nil)
            player.engine.send(.pause)
            try #require(player.wait(for: .paused) != nil)
            #expect((player.engine.positionMs ?? 0) > 600)
            player.engine.send(.seek(toMs: 4500))
            try #require(player.wait(for: .seekCompleted(positionMs: 4500)) != nil)
            player.engine.send(.play)
            try #require(player.wait(for: .endOfStream(positionMs: 6000)) != nil)
            player.stop()

            var expected = EngineMedia()
            expected.durationMs = 6000
            expected.isSeekable = true
            expected.hasVideo = true
            expected.hasAudio = true
            let milestones = player.milestones
            #expect(
                milestones.filter { if case .renditionVisible = $0 { false } else { true } } == [
                    .loadStarted(location: media.clip), .loaded(expected), .firstFrame, .playing, .paused,
                    .seekStarted(targetMs: 4500), .seekCompleted(positionMs: 4500), .playing,
                    .endOfStream(positionMs: 6000), .stopped,
                ]
            )
            try checkSamples(of: player)
        }

        private func checkSamples(of player: EngineRecorder) throws {
            let reports = player.reports
            #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.timeNs <= $1.timeNs })
            let visible = reports.compactMap { if case .renditionVisible(let it) = $0.event { it } else { nil } }
            #expect(visible.map(\.width) == [320])
            #expect(visible.map(\.framesPerSecondMilli) == [25_000])
            #expect((visible.first?.bitrate ?? 0) > 0)

            let quality = reports.compactMap { if case .qualitySample(let it) = $0.event { it } else { nil } }
            #expect(quality.count >= 2)
            #expect(zip(quality, quality.dropFirst()).allSatisfy { $0.renderedFrames <= $1.renderedFrames })
            #expect(zip(quality, quality.dropFirst()).allSatisfy { $0.droppedFrames <= $1.droppedFrames })
            #expect((quality.last?.renderedFrames ?? 0) > 0)

            let paused = try #require(reports.firstIndex { $0.event == .paused })
            let resumed = try #require(reports.lastIndex { $0.event == .playing })
            let inPause = reports[paused..<resumed].filter {
                if case .playheadSample = $0.event { true } else { false }
            }
            #expect(inPause.isEmpty)
            let titles = reports.compactMap { if case .tags(let tags) = $0.event { tags.title } else { nil } }
            #expect(titles.first == "Test card")
        }

        @Test func aSeekBeforeTheLoadIsDoneAfterIt() throws {
            let player = EngineRecorder()
            player.engine.send(.seek(toMs: 5000))
            player.engine.send(.load(media.clip))
            // Halted: a position that is read while playback goes on is that of a moment later.
            try #require(player.wait(for: .seekCompleted(positionMs: 5000)) != nil)
            player.engine.send(.play)
            try #require(player.wait(for: .endOfStream(positionMs: 6000)) != nil)
            player.stop()
            let loaded = player.milestones.firstIndex { if case .loaded = $0 { true } else { false } }
            let sought = player.milestones.firstIndex(of: .seekStarted(targetMs: 5000))
            #expect(try #require(loaded) < #require(sought))
        }

        @Test func aSeekAfterTheEndPlaysAgainAndTheRateCanBeChanged() throws {
            let player = EngineRecorder()
            player.engine.send(.seek(toMs: 5700))
            player.engine.send(.load(media.clip))
            player.engine.send(.play)
            try #require(player.wait(for: .endOfStream(positionMs: 6000)) != nil)
            let atEnd = player.reports.count
            player.engine.send(.seek(toMs: 0))
            try #require(player.wait(for: .playing, from: atEnd) != nil)
            player.engine.send(.setRate(8))
            try #require(player.wait(for: .rateChanged(8)) != nil)
            #expect(player.wait(for: .endOfStream(positionMs: 6000), from: atEnd) != nil)
            player.stop()
        }

        @Test func theSoundIsSetAndReadBack() throws {
            let player = EngineRecorder()
            player.engine.send(.load(media.sound))
            player.engine.send(.setVolume(0.25))
            player.engine.send(.setMuted(true))
            #expect(player.wait(for: .volumeChanged(volume: 0.25, muted: false)) != nil)
            #expect(player.wait(for: .volumeChanged(volume: 0.25, muted: true)) != nil)
            player.stop()
        }

        @Test func soundAloneHasNoFirstFrame() throws {
            let player = EngineRecorder()
            player.engine.send(.load(media.sound))
            player.engine.send(.play)
            try #require(player.wait { if case .endOfStream = $0.event { true } else { false } } != nil)
            player.stop()
            #expect(player.milestones.contains(.playing))
            #expect(!player.milestones.contains(.firstFrame))
        }

        @Test(arguments: [false, true])
        func whatIsOpenedBeginsThoughItsSourceIsFarAhead(hasTexts: Bool) throws {
            var configuration = EngineConfiguration()
            // A file is opened once more after half of its time, which would hide a beginning that failed.
            configuration.fileLoadTimeoutMs = 600_000
            let lead = SourceLead()
            defer { lead.end() }
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(hasTexts ? media.texts : media.clip))
            player.engine.send(.play)
            #expect(player.wait(for: .playing) != nil)
            #expect(player.milestones.contains(.firstFrame))
            player.stop()
            #expect(lead.isDone)
        }

        @Test func textsKeepNeitherPictureNorSoundBack() throws {
            var configuration = EngineConfiguration()
            configuration.fileLoadTimeoutMs = 600_000
            for _ in 0..<25 {
                let player = EngineRecorder(configuration: configuration)
                player.engine.send(.load(media.texts))
                player.engine.send(.play)
                try #require(player.wait(for: .playing) != nil)
                #expect(player.milestones.contains(.firstFrame))
                player.stop()
            }
        }

        @Test func whatCannotBeDoneIsRejectedAndPlaybackGoesOn() throws {
            let player = EngineRecorder()
            player.engine.send(.load(media.clip))
            player.engine.send(.load(media.sound))
            player.engine.send(.play)
            try #require(player.wait(for: .playing) != nil)
            player.engine.send(.setRate(0))
            player.engine.send(.setVolume(7))
            player.engine.send(.pinRendition(maxBitrate: 1000))
            player.engine.send(.seek(toMs: 5800))
            try #require(player.wait(for: .endOfStream(positionMs: 6000)) != nil)
            player.stop()
            let rejected = player.milestones.compactMap {
                if case .commandRejected(let command, _) = $0 { command } else { nil }
            }
            #expect(rejected == [.load(media.sound), .setRate(0), .setVolume(7), .pinRendition(maxBitrate: 1000)])
        }
    }
}

extension RealEngineTests.Playback {
    /// A film with two sounds and two subtitles, as a file and as a stream whose sounds lie apart, with texts or without.
    private func makeFilm(in folder: TemporaryFolder, withTexts: Bool = false) -> Bool {
        let sounds = "-f lavfi -i sine=f=440:r=48000 -f lavfi -i sine=f=880:r=44100"
        let texts = folder.write("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n")
        let languages =
            "-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu"
            + " -metadata:s:s:0 language=eng -metadata:s:s:1 language=deu"
        let stream = "v:0,agroup:g a:0,agroup:g,language:eng,default:yes a:1,agroup:g,language:deu"
        let command =
            "cd \(folder.path) && ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 \(sounds) -i \(texts) -i \(texts)"
            + " -t 6 -map 0 -map 1 -map 2 -map 3 -map 4 -c:s mov_text"
            + " -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac \(languages) film.mp4"
            + " && ffmpeg -v error -y -i film.mp4 -map 0:v -map 0:a -c copy -f hls -hls_time 1 -hls_playlist_type vod"
            + " -hls_segment_type fmp4 -var_stream_map '\(stream)' -master_pl_name film.m3u8 s%v.m3u8"
        guard unsafe system(command) == 0, let master = try? TestFile.text(folder.file("film.m3u8")) else {
            return false
        }
        let media = ["en", "de"].map {
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"\($0)\",LANGUAGE=\"\($0)\",URI=\"\($0).m3u8\"\n"
        }
        let lines = master.replacing("#EXT-X-STREAM-INF:", with: media.joined() + "#EXT-X-STREAM-INF:SUBTITLES=\"t\",")
        guard withTexts else { return true }
        _ = folder.write("film.m3u8", lines)
        for name in ["en", "de"] {
            let list = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n\(name).vtt\n#EXT-X-ENDLIST\n"
            _ = (
                folder.write("\(name).m3u8", list),
                folder.write("\(name).vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n")
            )
        }
        return true
    }

    private func language(_ event: EngineEvent) -> String? {
        if case .tags(let tags) = event { tags.language } else { nil }
    }

    @Test func theSoundIsThatOfTheLanguageThatIsChosen() throws {
        let folder = TemporaryFolder()
        try #require(makeFilm(in: folder))
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        for location in [folder.file("film.mp4"), server.url(of: "film.m3u8")] {
            var configuration = EngineConfiguration()
            (configuration.bufferMs, configuration.resumeMs, configuration.audio) = (3000, 1000, "deu")
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(location))
            player.engine.send(.play)
            try #require(player.wait { language($0.event) == "de" } != nil, "\(location)")
            try #require(player.wait(for: .playing) != nil)
            // In the middle of playback, by number, and what is not there.
            let count = player.reports.count
            player.engine.send(.selectAudio("1"))
            try #require(player.wait(from: count) { language($0.event) == "en" } != nil, "\(location)")
            player.engine.send(.selectAudio("fr"))
            let refused = player.wait { if case .commandRejected = $0.event { true } else { false } }
            guard case .commandRejected(.selectAudio("fr"), let reason)? = refused?.event else {
                Issue.record("it is not refused: \(String(describing: refused))")
                return
            }
            let languages = location.hasSuffix("m3u8") ? "1 (eng), 2 (deu)" : "1 (en), 2 (de)"
            #expect(reason == "there is no sound 'fr': choose from " + languages)
            player.stop()
            #expect(player.failure == nil)
        }
    }

    private func subtitles(_ event: EngineEvent) -> String? {
        if case .subtitlesChosen(let language) = event { language } else { nil }
    }

    private func isRefusal(_ event: EngineEvent) -> Bool { if case .commandRejected = event { true } else { false } }

    @Test("Subtitles of a container and of a stream can be chosen, by language and by number, and switched off")
    func subtitlesOfFileAndStream() throws {
        let folder = TemporaryFolder()
        try #require(makeFilm(in: folder, withTexts: true))
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        for location in [folder.file("film.mp4"), server.url(of: "film.m3u8")] {
            var configuration = EngineConfiguration()
            (configuration.bufferMs, configuration.resumeMs, configuration.subtitles) = (3000, 1000, "deu")
            let player = EngineRecorder(configuration: configuration)
            player.engine.send(.load(location))
            for (wish, language) in [("deu", "de"), ("1", "en"), ("off", "off"), ("de-AT", "de")] {
                let count = wish == "deu" ? 0 : player.reports.count
                if wish != "deu" { player.engine.send(.selectSubtitles(wish)) }
                let answer = player.wait(from: count) { subtitles($0.event) != nil || isRefusal($0.event) }
                #expect(answer.map { subtitles($0.event) } == language, "\(location) \(wish)")
            }
            player.engine.send(.selectSubtitles("3"))
            let refused = player.wait { isRefusal($0.event) }
            guard case .commandRejected(_, let reason)? = refused?.event else {
                Issue.record("it is not refused: \(String(describing: refused))")
                return
            }
            #expect(reason == "there is no subtitle '3': choose from 1 (en), 2 (de)")
            player.stop()
            #expect(player.failure == nil)
        }
    }
}
