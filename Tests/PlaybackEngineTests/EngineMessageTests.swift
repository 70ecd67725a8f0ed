import Chapters
import MediaProcess
import PlaybackEngine
import Streaming
import Testing

/// What the player and the process of an engine say to each other arrives as it was said.
struct EngineMessageTests {
    private static let rendition = {
        var rendition = StreamRendition(width: 640, height: 360, framesPerSecondMilli: 29_970, bitrate: 1_200_000)
        rendition.uri = "v1/ä.m3u8"
        return rendition
    }()

    private static let media = {
        var media = EngineMedia()
        media.durationMs = 20_000
        media.windowEndMs = 19_000
        (media.isLive, media.isSeekable, media.isAdaptive, media.hasVideo, media.hasAudio) = (
            true, true, true, true, true
        )
        return media
    }()

    private static let tags = {
        var tags = EngineTags()
        (tags.title, tags.language, tags.container) = ("Test card\n\u{0}", "de", "MP4")
        (tags.videoCodec, tags.audioCodec) = ("H.264", "AAC")
        return tags
    }()

    private static let quality = {
        var quality = EngineQuality()
        quality.rendition = rendition
        (quality.throughput, quality.measuredFramesPerSecondMilli) = (Int64.max, Int64.min)
        (quality.droppedFrames, quality.renderedFrames, quality.bufferedMs) = (1, -1, 0)
        return quality
    }()

    private static let request = {
        var request = EngineRequest(url: "http://127.0.0.1/seg1.ts", status: 206)
        (request.contentLength, request.contentType) = (70_000, "video/mp2t")
        (request.startNs, request.durationMs, request.firstByteMs) = (123_456_789_012, 35, 7)
        (request.isOfDemuxer, request.isIncomplete, request.isGivenUp) = (true, true, true)
        return request
    }()

    private static let error = {
        var error = EngineError(code: .httpError, location: "http://127.0.0.1/a", detail: "it says no")
        (error.engineDomain, error.engineCode, error.httpStatus) = ("gst-resource-error-quark", 3, 503)
        return error
    }()

    private static let requests = {
        var requests = RequestSettings()
        (requests.userAgent, requests.cookies, requests.isInsecure) = ("Box", ["a=b"], true)
        (requests.certificatesPath, requests.source) = ("/ca.pem", "http://127.0.0.1/a")
        (requests.cmcd.form, requests.cmcd.version) = (.query, 2)
        (requests.cmcd.sessionID, requests.cmcd.contentID) = ("s", "c")
        requests.headers = [RequestHeader(name: "X-A", value: "ä"), RequestHeader(name: "X-B", value: "")]
        return requests
    }()

    private static let configuration = {
        var configuration = EngineConfiguration()
        (configuration.bufferMs, configuration.resumeMs, configuration.loadTimeoutMs) = (1, 3, 5)
        (configuration.fileLoadTimeoutMs, configuration.stallTimeoutMs, configuration.networkTimeoutSeconds) = (
            7, 9, 11
        )
        (configuration.networkRetries, configuration.playheadIntervalMs) = (13, 15)
        (configuration.qualityIntervalMs, configuration.pollIntervalMs, configuration.maxLatenessMs) = (17, 19, 21)
        (configuration.endToleranceMs, configuration.stopDrainMs, configuration.stopLimitMs) = (23, 25, 27)
        (configuration.decodes, configuration.maxBitrate, configuration.startMs) = (false, 29, -31)
        configuration.requests = requests
        (configuration.audio, configuration.subtitles) = ("de", "off")
        return configuration
    }()

    private static let commands: [EngineCommand] = [
        .load("/tmp/ä clip.mp4"), .play, .pause, .seek(toMs: 1500), .setRate(1.25), .setVolume(0.1), .setMuted(true),
        .pinRendition(maxBitrate: nil), .pinRendition(maxBitrate: 500_000), .begin(atMs: 7), .selectAudio("de-AT"),
        .selectSubtitles("off"), .stop,
    ]

    private static let events: [EngineEvent] =
        [
            .loadStarted(location: "http://127.0.0.1/a"), .loaded(media), .firstFrame, .playing, .paused,
            .seekStarted(targetMs: 1), .seekCompleted(positionMs: 2), .rateChanged(0.5), .bufferingStarted(.stall),
            .bufferingCompleted(.seek), .renditionDecided(rendition), .renditionVisible(rendition),
            .playheadSample(positionMs: 250), .qualitySample(quality), .requestCompleted(request),
            .requestFailed(request), .requestCancelled(request), .manifest("#EXTM3U\n"), .tags(tags),
            .subtitlesChosen(language: "de"),
            .chapters([Chapter(startMs: 0, endMs: 5, title: "One"), Chapter(startMs: 5, endMs: nil, title: "")]),
            .durationChanged(durationMs: 3), .volumeChanged(volume: 0.25, muted: true), .damaged(error),
            .complained("GStreamer: it failed"),
            .endOfStream(positionMs: 20_000), .failed(error), .stopped,
        ] + commands.map { .commandRejected($0, reason: "no") }

    @Test("Each event, command and setting arrives as it was said", arguments: events)
    func event(_ event: EngineEvent) throws {
        for positionMs in [nil, 0, Int64.max] {
            let news = EngineNews.report(EngineReport(timeNs: 42, positionMs: positionMs, event: event))
            #expect(EngineNews(bytes: news.bytes) == news)
        }
        // A case that is not here is not in the list above either.
        switch event {
        case .loadStarted, .loaded, .firstFrame, .playing, .paused, .seekStarted, .seekCompleted, .rateChanged,
            .bufferingStarted, .bufferingCompleted, .renditionDecided, .renditionVisible, .playheadSample,
            .qualitySample, .requestCompleted, .requestFailed, .requestCancelled, .manifest, .tags, .subtitlesChosen,
            .chapters, .durationChanged, .volumeChanged, .commandRejected, .damaged, .complained, .endOfStream, .failed,
            .stopped:
            break
        }
    }

    @Test("So do orders, ticks and the word of a halt")
    func others() {
        for order in Self.commands.map(EngineOrder.command) + [.begin(Self.configuration)] {
            #expect(EngineOrder(bytes: order.bytes) == order)
        }
        for news: EngineNews in [
            .tick(timeNs: 1, positionMs: nil), .tick(timeNs: -1, positionMs: 7), .complaint("GLib: it failed"),
            .halting,
        ] {
            #expect(EngineNews(bytes: news.bytes) == news)
        }
    }

    @Test("Each code of an error arrives", arguments: EngineError.Code.allCases)
    func code(_ code: EngineError.Code) {
        let news = EngineNews.report(
            EngineReport(timeNs: 0, positionMs: nil, event: .failed(EngineError(code: code, location: "")))
        )
        #expect(EngineNews(bytes: news.bytes) == news)
    }

    /// Otherwise a field that is forgotten on the way would arrive as it began.
    @Test("In what is sent here no field is as it is when nothing is known")
    func fields() {
        expectOther(Self.media, EngineMedia())
        expectOther(Self.tags, EngineTags())
        expectOther(Self.quality, EngineQuality())
        expectOther(Self.request, EngineRequest(url: ""))
        expectOther(Self.error, EngineError(code: .engineFailure, location: ""))
        expectOther(Self.configuration, EngineConfiguration())
        expectOther(Self.requests, RequestSettings())
        expectOther(Self.requests.cmcd, CMCDSettings())
        expectOther(Self.rendition, StreamRendition())
    }

    private func expectOther<Value>(_ value: Value, _ blank: Value) {
        for (field, other) in zip(Mirror(reflecting: value).children, Mirror(reflecting: blank).children) {
            #expect("\(field.value)" != "\(other.value)", "\(Value.self).\(field.label ?? "")")
        }
    }

    @Test("Bytes that are cut off, or too many, or of no case, are no message")
    func damaged() {
        let whole = EngineNews.report(EngineReport(timeNs: 1, positionMs: 2, event: .manifest("text"))).bytes
        for count in 0..<whole.count { #expect(EngineNews(bytes: Array(whole.prefix(count))) == nil) }
        #expect(EngineNews(bytes: whole + [0]) == nil)
        #expect(EngineNews(bytes: [200]) == nil)
    }
}
