internal import AdobeShared
internal import PluginKit

/// A stretch of the timeline in which one thing went on.
struct TimelineItem {
    let type: EntryType
    let asset: Asset
    let chapter: Chapter?
    /// When it began, wall clock, ms since 1970.
    let timestamp: Int64
    /// Where playback stood then, s.
    let playhead: Int64
    /// How much of its time the machine slept, ms.
    var slept: Int64 = 0

    /// Whether both are told as one: same type, same showing, same passage.
    func isSameGroup(as other: TimelineItem) -> Bool {
        type == other.type && asset === other.asset && chapter === other.chapter
    }
}

/// One entry as it goes out: one request.
struct Entry {
    /// What went on, and where playback stood; of several of a kind the last one.
    var item: TimelineItem
    /// ms.
    var duration: Int64
    /// The timestamp of the asset's entry of this type before it, ms; -1 when there was none.
    let previousTimestamp: Int64
    /// What the date in the entry is made of: all entries of a quantum have the same, ms since 1970.
    let dateTimestamp: Int64
    /// Of an error.
    var errorID = ""
    /// Of an error.
    var errorSource: StaticString = ""
}

/// Types of heartbeat entries, with their names on the wire.
enum EntryType: Int, CaseIterable {
    case load, start, play, pause, buffer, complete, active
    case chapterStart, chapterComplete, bitrateChange, error, unload

    /// The value of `s:event:type`, which is also the record's kind.
    var name: StaticString { Self.names[rawValue] }

    private static let names: [StaticString] = [
        "load", "start", "play", "pause", "buffer", "complete", "active",
        "chapter_start", "chapter_complete", "bitrate_change", "error", "unload",
    ]
}

/// Puts entries out: each as a record with typed attributes, and as the GET request that carries it.
///
/// The names, their order and their prefixes (`s:` text, left out when empty, `l:` and `h:` numbers) are those of the
/// heartbeat protocol.
final class EntryWriter {
    /// Where the request goes, for reporters.
    static let destination = "adobe.heartbeat"

    var configuration: HeartbeatConfiguration
    /// The first thing that could not be put out.
    private(set) var failure: String?

    private let host: TrackerHost
    private let tracer: Tracer
    /// What is written into: in each call those of its thread.
    private var builders = CallBuilders.ofThread
    private var record: RecordBuilder { builders.record }
    private var beacon: BeaconBuilder { builders.beacon }

    init(_ configuration: HeartbeatConfiguration, host: TrackerHost, tracer: Tracer) {
        self.configuration = configuration
        self.host = host
        self.tracer = tracer
    }

    /// Forgets that something could not be put out.
    func forgetFailure() { failure = nil }

    /// Puts an entry out, unless the tracker is to be quiet.
    func emit(_ entry: Entry, of video: VideoInformation, session id: String, at moment: KeptMoment) {
        guard !configuration.quietMode else {
            tracer.debug(
                "AdobeHeartbeat.EntryWriter",
                "emit",
                at: moment.time,
                "quiet mode: \(entry.item.type.name) is not sent"
            )
            return
        }
        begin(entry.item.type)
        event(entry)
        asset(entry.item.asset, of: video)
        if let chapter = entry.item.chapter { part(chapter) }
        number("l:asset:duration", moment.length)
        text("s:stream:name", video.name.isEmpty ? video.id : video.name)
        number("l:stream:bitrate", moment.bitrate)
        number("l:stream:fps", moment.framesPerSecond)
        number("l:stream:dropped_frames", moment.droppedFrames)
        analytics()
        let visitor = visitor(video)
        environment(video, session: id)
        send(entry, visitor: visitor, at: moment)
    }

    // MARK: - Groups, in their order

    private func begin(_ type: EntryType) {
        builders = .ofThread
        record.begin(type.name)
        beacon.begin(destination: Self.destination, method: "GET")
        beacon.options = .keepOrder
        beacon.url.append(configuration.settings?.usesTLS == true ? "https://" : "http://")
        beacon.url.append(configuration.trackingServer)
        beacon.url.append("/?__job_id=")
        PercentEncoding.append(configuration.jobID, to: beacon.url)
        record.set("__job_id", configuration.jobID)
    }

    private func event(_ entry: Entry) {
        let (type, asset) = (entry.item.type, entry.item.asset)
        literal("s:event:type", type.name)
        number("l:event:count", 1)
        number("l:event:total_count", asset.totalCount(type))
        number("l:event:duration", entry.duration)
        number("l:event:total_duration", asset.totalDuration(type))
        number("l:event:playhead", entry.item.playhead)
        if type == .error {
            text("s:event:id", entry.errorID)
            literal("s:event:source", entry.errorSource)
        }
        number("l:event:ts", entry.item.timestamp)
        let interval = configuration.trackingInterval * 1_000_000
        let date = CivilDate(microsecondsSinceEpoch: entry.dateTimestamp * 1000 / interval * interval)
        number("h:event:year", Int64(date.year))
        number("h:event:month", Int64(date.month))
        number("h:event:day", Int64(date.day))
        number("h:event:hour", Int64(date.hour))
        number("h:event:minute", Int64(date.minute))
        number("h:event:second", Int64(date.second))
        number("l:event:prev_ts", entry.previousTimestamp)
    }

    private func asset(_ asset: Asset, of video: VideoInformation) {
        text("s:asset:type", asset.ad == nil ? video.streamType ?? "" : "ad")
        text("s:asset:video_id", video.id)
        text("s:asset:publisher", configuration.publisher)
        guard let ad = asset.ad else { return }
        if configuration.compatibility == .v131 { text("s:asset:cpm", ad.information.cpm) }
        text("s:asset:ad_id", ad.information.id)
        text("s:asset:ad_sid", ad.sessionID)
        text("s:asset:resolver", ad.adBreak.playerName)
        text("s:asset:pod_id", ad.podID)
        text("s:asset:pod_position", ad.information.position.map { "\($0)" } ?? "")
        number("l:asset:pod_second", ad.podSecond)
        number("l:asset:length", ad.information.length)
    }

    private func part(_ chapter: Chapter) {
        text("s:stream:chapter_id", chapter.id)
        text("s:stream:chapter_sid", chapter.sessionID)
        text("s:stream:chapter_name", chapter.information.name)
        number("l:stream:chapter_pos", chapter.information.position)
        number("l:stream:chapter_length", chapter.information.length)
        number("l:stream:chapter_offset", chapter.information.startTime)
    }

    private func analytics() {
        let settings = configuration.settings
        text("s:sc:rsid", settings?.reportSuites.joined(separator: ",") ?? "")
        text("s:sc:tracking_server", settings?.server ?? "")
        number("h:sc:ssl", settings?.usesTLS == true ? 1 : 0)
    }

    /// Writes who watches, and says where that stands in the address.
    private func visitor(_ video: VideoInformation) -> Range<Int> {
        let start = beacon.url.count
        text("s:user:aid", configuration.analyticsID)
        text("s:user:mid", configuration.marketingCloudID)
        text("s:user:id", video.userID)
        return start..<beacon.url.count
    }

    private func environment(_ video: VideoInformation, session id: String) {
        text("s:sp:ovp", configuration.ovp)
        text("s:sp:sdk", configuration.sdk)
        text("s:sp:channel", configuration.channel)
        text("s:sp:player_name", video.playerName)
        literal("s:sp:hb_version", AdobeHeartbeatTracker.wireVersion)
        number("l:sp:hb_api_lvl", configuration.compatibility.apiLevel)
        text("s:event:sid", id)
    }

    // MARK: - Fields

    private func text(_ name: StaticString, _ value: String) {
        guard !value.isEmpty else { return }
        key(name)
        PercentEncoding.append(value, to: beacon.url)
        record.set(name, value)
    }

    private func literal(_ name: StaticString, _ value: StaticString) {
        key(name)
        beacon.url.append(value)
        record.set(name, value)
    }

    private func number(_ name: StaticString, _ value: Int64) {
        key(name)
        beacon.url.append(decimal: value)
        record.set(name, value)
    }

    private func key(_ name: StaticString) {
        beacon.url.append("&")
        beacon.url.append(name)
        beacon.url.append("=")
    }

    // MARK: - Handing over

    private func send(_ entry: Entry, visitor: Range<Int>, at moment: KeptMoment) {
        tracer.debug("AdobeHeartbeat.EntryWriter", "emit", at: moment.time, "GET \(traced(visitor))")
        let ordinal = host.emit(record)
        beacon.carry(ordinal)
        guard ordinal != 0, host.emit(beacon) else {
            failure = failure ?? "the host refused the entry \"\(entry.item.type.name)\""
            return
        }
    }

    /// The address as traces show it: without who watches.
    private func traced(_ visitor: Range<Int>) -> String {
        let bytes = beacon.url.bytes
        let hidden = visitor.isEmpty ? "" : "&s:user:*=(hidden)"
        return String(decoding: bytes[..<visitor.lowerBound], as: UTF8.self) + hidden
            + String(decoding: bytes[visitor.upperBound...], as: UTF8.self)
    }
}
