import PlaybackEngine
import Testing

/// Where playback begins.
struct PlaybackBeginTests {
    private static let recording = {
        var media = EngineMedia.file
        media.isAdaptive = true
        return media
    }()

    /// A playlist of ten segments of two seconds.
    private func playlist(_ start: String) -> String {
        "#EXTM3U\n#EXT-X-START:\(start)\n" + String(repeating: "#EXTINF:2,\na\n", count: 10) + "#EXT-X-ENDLIST"
    }

    /// An item that is loaded, with a manifest.
    private func loaded(_ manifest: String, _ media: EngineMedia = recording, startMs: Int64? = nil) -> StateDriver {
        var configuration = EngineConfiguration()
        configuration.startMs = startMs
        var driver = StateDriver(configuration)
        driver.send(.command(.load("http://a/m.m3u8")), .command(.play), .manifest(manifest), .firstFrame)
        driver.send(.prerolled(media, positionMs: 0))
        return driver
    }

    @Test("A stream begins where its playlist says, and of the way there nothing is told")
    func begins() {
        var driver = loaded(playlist("TIME-OFFSET=7,PRECISE=YES"))
        #expect(driver.removeActions().contains(.seek(.begin(atMs: 7000))))
        #expect(!driver.takeEvents().contains(.firstFrame), "it is of another place")
        driver.send(.seekIssued(.begin(atMs: 7000), accepted: true))
        driver.send(.buffering(percent: 10))
        #expect(driver.takeEvents() == [.bufferingStarted(.initial)])
        driver.send(.firstFrame, .prerolled(Self.recording, positionMs: 7000), .buffering(percent: 100))
        #expect(driver.takeEvents() == [.firstFrame, .bufferingCompleted(.initial)])
        driver.send(.pipelineState(.playing))
        #expect(driver.takeEvents() == [.playing])
        driver.advance(ms: 300)
        driver.poll(7300)
        #expect(driver.takeSamples() == [7300])
    }

    @Test("A segment that has the place is shown from its beginning unless the place is precise")
    func segment() {
        var driver = loaded(playlist("TIME-OFFSET=7"))
        #expect(driver.removeActions().contains(.seek(.begin(atMs: 6000))))
        var atStart = loaded(playlist("TIME-OFFSET=1"))
        #expect(!atStart.removeActions().contains { if case .seek = $0 { true } else { false } })
        #expect(atStart.takeEvents().contains(.firstFrame))
    }

    @Test("A master playlist's place counts from the end of what the engine knows")
    func master() {
        let text = "#EXTM3U\n#EXT-X-START:TIME-OFFSET=-6\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8"
        var driver = loaded(text)
        #expect(driver.removeActions().contains(.seek(.begin(atMs: 14_000))))
        var live = EngineMedia.live
        live.windowEndMs = 30_000
        var joined = loaded(text, live)
        #expect(joined.removeActions().contains(.seek(.begin(atMs: 24_000))))
        live.windowEndMs = nil
        var unknown = loaded(text, live)
        #expect(!unknown.removeActions().contains { if case .seek = $0 { true } else { false } })
    }

    @Test("What the player was told goes before the stream, and a seek before both")
    func toldOtherwise() {
        var driver = loaded(playlist("TIME-OFFSET=7"), startMs: -3000)
        #expect(driver.removeActions().contains(.seek(.begin(atMs: 17_000))))
        var sought = StateDriver()
        sought.send(.command(.load("http://a/m.m3u8")), .command(.seek(toMs: 3000)))
        sought.send(.manifest(playlist("TIME-OFFSET=7")), .firstFrame, .prerolled(Self.recording, positionMs: 0))
        let seeks = sought.removeActions().filter { if case .seek = $0 { true } else { false } }
        #expect(seeks == [.seek(.position(targetMs: 3000))])
    }

    @Test("What cannot be sought begins where the engine begins, and so does what refuses")
    func refused() {
        var media = Self.recording
        media.isSeekable = false
        var fixed = loaded(playlist("TIME-OFFSET=7"), media)
        #expect(fixed.takeEvents().contains(.firstFrame))
        var driver = loaded(playlist("TIME-OFFSET=7"))
        _ = driver.takeEvents()
        driver.send(.seekIssued(.begin(atMs: 6000), accepted: false))
        #expect(driver.takeEvents() == [.firstFrame])
    }

    @Test("A place that is known later counts until playback has begun")
    func later() {
        var driver = loaded("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8")
        _ = driver.removeActions()
        driver.send(.command(.begin(atMs: 5000)))
        #expect(driver.removeActions() == [.seek(.begin(atMs: 5000))])
        var playing = StateDriver.playing(Self.recording)
        playing.send(.command(.begin(atMs: 5000)))
        #expect(playing.removeActions().isEmpty && playing.takeEvents().isEmpty)
    }
}
