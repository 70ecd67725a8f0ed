import EventModel
import Tally
import Testing

/// Each track call makes the event, asks the delegate for the information, and sets the attributes that the model says.
struct TrackCallTests {
    private struct Call {
        let event: String
        let make: (PlayerRun) -> TrackResult

        init(_ event: String, _ make: @escaping (PlayerRun) -> TrackResult) {
            self.event = event
            self.make = make
        }
    }

    private static var calls: [Call] {
        [
            Call("player_ready") { $0.trackPlayerReady() }, Call("video_load") { $0.trackVideoLoad() },
            Call("play") { $0.trackPlay() }, Call("first_frame") { $0.trackFirstFrame() },
            Call("pause") { $0.trackPause() }, Call("seek_start") { $0.trackSeekStart(from: 1, to: 2) },
            Call("seek_complete") { $0.trackSeekComplete() }, Call("buffer_start") { $0.trackBufferStart(.stall) },
            Call("buffer_complete") { $0.trackBufferComplete() }, Call("ad_break_start") { $0.trackAdBreakStart() },
            Call("ad_start") { $0.trackAdStart() }, Call("ad_quartile") { $0.trackAdQuartile(.second) },
            Call("ad_click") { $0.trackAdClick() }, Call("ad_error") { $0.trackAdError("e", allOfAnError) },
            Call("ad_complete") { $0.trackAdComplete() }, Call("ad_skip") { $0.trackAdSkip() },
            Call("ad_break_complete") { $0.trackAdBreakComplete() }, Call("chapter_start") { $0.trackChapterStart() },
            Call("chapter_complete") { $0.trackChapterComplete() }, Call("chapter_skip") { $0.trackChapterSkip() },
            Call("rendition_change") { $0.trackRenditionChange(allOfARendition) },
            Call("quality_sample") { $0.trackQoSUpdateInfo() }, Call("playhead_sample") { $0.trackPlayhead() },
            Call("request_completed") { $0.trackRequestCompleted(allOfARequest) },
            Call("request_failed") { $0.trackRequestFailed(allOfARequest, allOfAnError) },
            Call("request_cancelled") { $0.trackRequestCancelled(allOfARequest) },
            Call("player_error") { $0.trackVideoPlayerError("e", allOfAnError) },
            Call("application_error") { $0.trackApplicationError("e", allOfAnError) },
            Call("metadata_change") { $0.trackMetadataChange() }, Call("custom") { $0.trackCustomEvent("c") },
            Call("application_launched") { $0.trackApplicationLaunched() },
            Call("application_background") { $0.trackApplicationBackground() },
            Call("application_foreground") { $0.trackApplicationForeground() },
            Call("interruption_start") { $0.trackInterruptionStart("network") },
            Call("interruption_end") { $0.trackInterruptionEnd() }, Call("consent") { $0.trackConsent(.given) },
            Call("complete") { $0.trackComplete() }, Call("video_unload") { $0.trackVideoUnload() },
            Call("application_terminated") { $0.trackApplicationTerminated(runningTime: 1) },
        ]
    }

    private static let allOfAnError = PlayerErrorDetails(message: "m", domain: "d", code: 1, fatal: true, context: "c")

    private static var allOfARendition: Rendition {
        var rendition = Rendition()
        rendition.shift = .up
        rendition.name = "n"
        rendition.bitrate = 1
        rendition.width = 1
        rendition.height = 1
        rendition.framesPerSecond = 25
        rendition.codec = "avc1"
        return rendition
    }

    private static var allOfARequest: NetworkRequest {
        var request = NetworkRequest()
        (request.url, request.host, request.type, request.id) = ("u", "h", "video", "i")
        (request.status, request.bytes, request.bitrate, request.width, request.height) = (200, 1, 1, 1, 1)
        (request.duration, request.firstByte, request.mediaStart, request.mediaDuration) = (1, 1, 1, 1)
        return request
    }

    @Test("The calls cover every event of the player")
    func allEvents() {
        let fromPlayer = EventType.wellKnown.filter(\.type.isFromPlayer).map { "\($0.name)" }
        #expect(Set(Self.calls.map(\.event)) == Set(fromPlayer) && Self.calls.count == fromPlayer.count)
    }

    @Test("Each call makes its event, with all attributes of the information that it reads and none of another")
    func attributes() throws {
        let recorded = try RecordedCalls(delegate: TalkativePlayer()) { run in
            for call in Self.calls {
                #expect(call.make(run) == .queued)
            }
        }
        #expect(recorded.events.map(\.name) == Self.calls.map(\.event))
        var setByCalls: Set<String> = []
        let vocabulary = try VocabularySource()
        let ofCalls = vocabulary.names(setBy: "call")
        for event in recorded.events {
            let definition = try #require(vocabulary.events.first { $0.name == event.name })
            let reads =
                definition.reads.split(separator: ", ").map(String.init)
                + (event.name == "playhead_sample" ? [] : ["quality"])
            for source in ["video", "ad break", "ad", "chapter", "quality"] {
                let all = vocabulary.names(setBy: source)
                let found = event.attributes.filter { all.contains($0) }
                #expect(Set(found) == (reads.contains(source) ? Set(all) : []), "\(event.name) reads \(source)")
            }
            setByCalls.formUnion(event.attributes.filter { ofCalls.contains($0) })
            #expect(event.attributes.allSatisfy { name in AttributeKey.wellKnown.contains { "\($0.name)" == name } })
        }
        #expect(setByCalls == Set(ofCalls))
    }

    @Test("Values have the type that the model says")
    func types() throws {
        let recorded = try RecordedCalls(delegate: TalkativePlayer()) { run in
            for call in Self.calls { _ = call.make(run) }
        }
        var seen: Set<String> = []
        let vocabulary = try VocabularySource().attributes
        for (name, type) in recorded.events.flatMap(\.types) {
            let definition = try #require(vocabulary.first { $0.name == name })
            #expect(definition.type == type, "\(name)")
            seen.insert(name)
        }
        #expect(seen.count == vocabulary.filter { $0.setBy != "core" }.count)
    }
}
