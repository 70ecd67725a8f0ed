import Streaming
import System

/// Knows what requests have to say of the media and its playback, and counts them.
///
/// What it knows comes from the engine's reports and looks, on the engine's thread; requests ask on others.
final class CMCDReporting: Sendable {
    private struct Knowledge {
        var location = ""
        var poll = EnginePoll()
        var media: EngineMedia?
        var objects: StreamObjects?
        var state = CMCDRecord.State.starting
        var rate = 1.0
        var chosenBitrate: Int64?
        var shownBitrate: Int64?
        var droppedFrames: Int64?
        var isUrgent = true
        var starvedSinceNs: Int64?
        var hasStarved = false
        var starvationsMs: [Int64] = []
        var starvationCount: Int64 = 0
        var starvedMs: Int64 = 0
        var wantedNs: Int64?
        var startDelayMs: Int64?
        var sequence: Int64 = 0
        var isPlaying = false
    }

    private let settings: CMCDSettings
    /// How much is buffered when nothing is urgent any more, ms.
    private let targetMs: Int64
    private let knowledge = Lock(Knowledge())

    /// Knows the session alone.
    init(_ configuration: EngineConfiguration) {
        settings = configuration.requests.cmcd
        targetMs = configuration.bufferMs
    }

    var form: CMCDSettings.Form { settings.form }
    var version: Int { settings.version }

    func read(manifest: String) { knowledge.with { $0.objects = StreamObjects(manifest: manifest) } }

    func observe(_ poll: EnginePoll) { knowledge.with { $0.poll = poll } }

    func follow(_ report: EngineReport) {
        knowledge.with { known in
            switch report.event {
            case .loadStarted(let location): (known.location, known.wantedNs) = (location, report.timeNs)
            case .loaded(let media): known.media = media
            case .playing:
                (known.state, known.isPlaying) = (.playing, true)
                // Only a start that nothing came before has a delay.
                if let wantedNs = known.wantedNs { known.startDelayMs = (report.timeNs - wantedNs) / 1_000_000 }
                known.wantedNs = nil
            case .paused: (known.state, known.isPlaying) = (.paused, false)
            case .seekStarted: (known.state, known.isUrgent) = (.seeking, true)
            case .seekCompleted: known.state = known.isPlaying ? .playing : .paused
            case .rateChanged(let rate): known.rate = rate
            case .bufferingStarted(let cause):
                known.isUrgent = true
                guard cause.isStall else { return }
                known.state = .rebuffering
                known.starvedSinceNs = report.timeNs
                known.hasStarved = true
                known.starvationCount += 1
            case .bufferingCompleted:
                guard let sinceNs = known.starvedSinceNs else { return }
                let lengthMs = (report.timeNs - sinceNs) / 1_000_000
                known.starvedSinceNs = nil
                known.starvationsMs.append(lengthMs)
                known.starvedMs += lengthMs
                known.state = known.isPlaying ? .playing : .paused
            case .renditionDecided(let rendition): known.chosenBitrate = rendition.bitrate
            case .renditionVisible(let rendition): known.shownBitrate = rendition.bitrate
            case .qualitySample(let quality): known.droppedFrames = quality.droppedFrames
            case .durationChanged(let durationMs): known.media?.durationMs = durationMs
            case .endOfStream: known.state = .ended
            default: break
            }
        }
    }

    /// What a request for an address says; what is told once is told with it.
    func record(for url: String) -> CMCDRecord {
        knowledge.with { known in
            var record = settings.session
            let object = known.objects?.object(at: url)
            record.objectType = objectType(of: url, object, known)
            record.format = format(known)
            record.isLive = known.media?.isLive
            record.topBitrate = known.objects?.topBitrate
            record.lowestBitrate = known.objects?.lowestBitrate
            record.shownBitrate = known.shownBitrate
            record.throughput = known.poll.throughput
            record.sequence = known.sequence
            record.state = known.state
            record.playheadMs = known.media?.isLive == true ? nil : known.poll.positionMs
            record.rate = known.isPlaying ? known.rate : 0
            record.droppedFrames = known.droppedFrames
            record.targetBufferMs = known.media?.isAdaptive == true ? targetMs : nil
            record.startDelayMs = known.startDelayMs
            if record.objectType?.isMedia == true { describe(object, known, in: &record) }
            // A buffer that is full, or nearly so, is no hurry; of a file nobody knows it.
            let isCalm = known.poll.bufferedMs.map { $0 >= min(targetMs, Self.calmMs) } ?? true
            if known.state == .playing, isCalm { known.isUrgent = false }
            record.isUrgent = known.isUrgent
            record.hasStarved = known.hasStarved || known.starvedSinceNs != nil
            record.starvationsMs = known.starvationsMs
            if known.starvationCount > 0 {
                record.starvationCount = known.starvationCount
                record.starvedMs = known.starvedMs
            }
            known.sequence += 1
            known.startDelayMs = nil
            known.hasStarved = false
            known.starvationsMs = []
            return record
        }
    }

    /// With so much ahead nothing is needed at once, however much the player may keep.
    private static let calmMs: Int64 = 10_000

    private func describe(_ object: StreamObjects.Object?, _ known: Knowledge, in record: inout CMCDRecord) {
        record.bitrate = object?.bitrate ?? (record.objectType == .muxed ? known.chosenBitrate : nil)
        record.durationMs = object?.durationMs
        guard let bufferMs = known.poll.bufferedMs else { return }
        record.bufferMs = bufferMs
        if known.rate > 0 { record.deadlineMs = Int64(Double(bufferMs) / known.rate) }
    }

    private func objectType(
        of url: String,
        _ object: StreamObjects.Object?,
        _ known: Knowledge
    ) -> CMCDRecord.ObjectType? {
        if EngineRequest.isPlaylist(url: url) { return .manifest }
        if url.prefix(while: { $0 != "?" && $0 != "#" }).hasSuffix(".key") { return .key }
        switch object?.kind {
        case .audio: return .audio
        case .video: return .video
        case .muxed: return .muxed
        case .initialization: return .initialization
        case .captions: return .captions
        case nil: break
        }
        // A manifest without an ending that tells is known by what came of it.
        if url == known.location, known.objects != nil { return .manifest }
        guard let media = known.media, known.objects == nil || object != nil else { return nil }
        switch (media.hasVideo, media.hasAudio) {
        case (true, true): return .muxed
        case (true, false): return .video
        case (false, true): return .audio
        case (false, false): return nil
        }
    }

    private func format(_ known: Knowledge) -> CMCDRecord.Format? {
        if let objects = known.objects { return objects.isDASH ? .dash : .hls }
        let path = known.location.prefix { $0 != "?" && $0 != "#" }.lowercased()
        if path.hasSuffix(".mpd") { return .dash }
        if path.hasSuffix(".m3u8") || path.hasSuffix(".m3u") { return .hls }
        return known.media.map { $0.isAdaptive ? .smooth : .other }
    }
}
