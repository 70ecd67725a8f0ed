package import NewRelicVideo
package import PluginKit

/// A tracker of one's own for New Relic: an audio book is one long stream whose chapters are told as events.
///
/// It overrides everything that the kit lets a tracker override. Whatever is not here is as in the video tracker.
package final class AudioBookTracker: CustomVideoTracker {
    package override class var descriptor: TrackerDescriptor {
        TrackerDescriptor(
            id: "org.tally.example.new-relic-custom",
            name: "Audio book (example of a custom New Relic tracker)",
            vendor: "Tally",
            version: "1.0.0",
            configurationSchema: configurationSchema
        )
    }

    private let beacon = BeaconBuilder()
    private var chapter: String?
    private var chapters: Int64 = 0

    // MARK: - The player

    package override func setPlayer() {
        super.setPlayer()
        unregisterListeners()
        registerListeners()
    }

    package override func registerListeners() {
        listen(to: .videoLoad) { [unowned self] _ in sendRequest() }
        listen(to: .firstFrame) { [unowned self] _ in sendStart() }
        listen(to: .play) { [unowned self] _ in sendResume() }
        listen(to: .pause) { [unowned self] _ in sendPause() }
        listen(to: .bufferStart) { [unowned self] _ in sendBufferStart() }
        listen(to: .bufferComplete) { [unowned self] _ in sendBufferEnd() }
        listen(to: .playerError) { [unowned self] in sendError(message: $0.attributes[.errorMessage]?.string) }
        listen(to: .complete) { [unowned self] _ in sendEnd() }
        listen(to: .adClick) { [unowned self] _ in sendEvent("SPONSOR_CLICK") }
        listen(to: .chapterStart) { [unowned self] event in
            chapter = event.attributes[.chapterName]?.string?.string
            chapters += 1
            sendEvent("CHAPTER", [("chapterNumber", .int(chapters))])
        }
    }

    package override func unregisterListeners() {
        super.unregisterListeners()
        chapter = nil
    }

    // MARK: - Attributes

    package override func getTitle() -> String? { super.getTitle().map { "Audio book: \($0)" } }

    package override func getRenditionWidth() -> Int64? { nil }
    package override func getRenditionHeight() -> Int64? { nil }

    package override func getIsLive() -> Bool? { false }

    package override func getAttributes(_ action: String) -> [(name: String, value: PlainValue)] {
        guard let chapter, action != "TRACKER_READY" else { return [] }
        return [("chapterTitle", .string(chapter))]
    }

    package override func generateTimeSinceTable() {
        addTimeSinceEntry(action: "CHAPTER", attribute: "timeSinceChapter", filter: "^CONTENT_[A-Z_]+$")
    }

    // MARK: - Before an event is sent

    package override func preSend(_ event: CustomEvent) -> Bool {
        switch event.action {
        // Dropped: nobody looks at buffering before the start.
        case "CONTENT_BUFFER_START", "CONTENT_BUFFER_END": return state.isStarted
        // Changed: chapters are kept apart from the rest.
        case "CHAPTER": event.eventType = "AudioBook"
        // Sent in another way: the sponsor counts for itself.
        case "SPONSOR_CLICK":
            beacon.begin(destination: "example.sponsor", method: "GET")
            beacon.url.append("https://sponsor.example/click")
            host.emit(beacon)
            return false
        default: break
        }
        return true
    }
}
