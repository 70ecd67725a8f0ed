internal import EventModel
internal import Metrics
package import PluginKit
package import TextEncoding

/// What pages show of all sessions, made of what reporters and replays are given, in memory that does not grow with the
/// number of sessions.
///
/// One thread uses it at a time.
package final class ViewedSessions {
    /// How much is kept.
    package struct Limits: Sendable {
        /// Sessions in the list.
        package var rows = 10_000
        /// Sessions with a page of their own.
        package var pages = 200
        /// Bytes of the data of a page.
        package var pageBytes = 2 << 20
        /// Bytes of pages that are held unpacked.
        package var unpackedBytes = 96 << 20
        /// Titles of assets.
        package var titles = 10_000

        /// The limits of a report.
        package init() {}
    }

    private let limits: Limits
    private let personal: Bool
    private let pack: ([UInt8]) -> [UInt8]
    private var set: MetricSet
    private let meter: SessionMeter
    private let ended = Ended()
    private let rows: SessionChoice
    private let pages: SessionChoice
    private var runs: [String: ViewedRun] = [:]
    @safe @exclusivity(unchecked) private var current: ViewedRun?
    private var titles: [String: String] = [:]
    @safe @exclusivity(unchecked) private var courses = AssetCourses()
    private var trackers: [String: ViewedTracker] = [:]
    private let held = Held()

    /// Counts the bytes of the pages that are held unpacked.
    private final class Held {
        var bytes = 0
    }

    /// Holds what the meter says between two calls.
    private final class Ended {
        var metrics: SessionMetrics?
    }

    /// Prepares to look on.
    ///
    /// - Parameters:
    ///   - limits: how much is kept.
    ///   - personal: whether personal attributes are shown.
    ///   - grouping: attributes of the video by which sessions are grouped too.
    ///   - pack: makes the data of a page smaller while they wait.
    package init(limits: Limits = Limits(), personal: Bool, grouping: [String], pack: @escaping ([UInt8]) -> [UInt8]) {
        self.limits = limits
        self.personal = personal
        self.pack = pack
        set = MetricSet(adding: grouping)
        let ended = ended
        meter = SessionMeter(grouping: set.attributes + ["video_name"]) { ended.metrics = $0 }
        rows = SessionChoice(limit: limits.rows) { _ in }
        let held = held
        pages = SessionChoice(limit: limits.pages) { session in
            if !session.isPacked { held.bytes -= session.page?.count ?? 0 }
            session.page = nil
        }
    }

    /// The kinds of outputs that it looks at.
    package static let wanted: OutputKinds = [.events, .records, .beacons, .sessions, .runs]

    /// Looks at an output, which is lent for the call.
    package func look(at output: OutputView) {
        let origin = output.origin
        let run = origin.playerRunID
        enter(run)
        switch output.kind {
        case .event: if let event = output.event { follow(event, origin) }
        case .record, .beacon:
            count(output, origin)
            guard let current, origin.session == current.number else { return }
            current.recording?.add(output, personal: personal, hiding: current.personal)
        case .sessionBegin:
            begin(origin)
            meter.begin(run: run, session: origin.session, at: origin.time, epoch: origin.epochMicroseconds)
        case .sessionEnd:
            meter.end(run: run, session: origin.session, at: origin.time)
            if let metrics = ended.metrics { keep(metrics, current?.recording) }
            ended.metrics = nil
            current?.recording = nil
        case .runEnd:
            meter.end(run: run)
            current = nil
        default: break
        }
    }

    private func enter(_ run: UTF8Text) {
        if let current, run == current.run { return }
        if let current { runs[current.run] = current }
        current = runs.removeValue(forKey: run.string) ?? ViewedRun(run.string)
    }

    private func begin(_ origin: OriginView) {
        current?.number = origin.session
        current?.recording =
            limits.pages > 0
            ? SessionRecording(number: origin.session, begin: origin.time, limit: limits.pageBytes) : nil
    }

    private func follow(_ event: EventView, _ origin: OriginView) {
        if !personal {
            for attribute in event.attributes where attribute.isPersonal { current?.personal.add(attribute.value) }
        }
        if let current, event.session == current.number { current.recording?.add(event, personal: personal) }
        courses.add(event, asset: origin.videoID)
        meter.follow(event, run: origin.playerRunID, epoch: origin.epochMicroseconds)
    }

    private func count(_ output: OutputView, _ origin: OriginView) {
        let name = origin.instance.string
        trackers[name, default: ViewedTracker(plugin: origin.plugin.string, version: origin.pluginVersion.string)]
            .count(output)
    }

    /// Counts a session, and keeps it for the list and with a page as long as it is among those that are kept.
    private func keep(_ metrics: SessionMetrics, _ recording: SessionRecording?) {
        set.add(metrics)
        if let asset = metrics.attributes["video_id"]?.description,
            let title = metrics.attributes["video_name"]?.description,
            titles.count < limits.titles
        {
            titles[asset] = title
        }
        let session = KeptSession(metrics, row: SessionRow.json(metrics))
        _ = rows.add(session)
        guard let recording, pages.add(session) else { return }
        let title = metrics.attributes["video_name"]?.description
        let page = recording.page(metrics, dimensions: set.dimensions, title: title)
        session.page = page
        held.bytes += page.count
        if held.bytes > limits.unpackedBytes { packPages() }
    }

    /// Packs the pages that are held.
    private func packPages() {
        for session in pages.sessions where !session.isPacked {
            session.page = session.page.map(pack)
            session.isPacked = true
        }
        held.bytes = 0
    }

    /// Adds the sessions that have no end.
    package func finish() {
        if let current { runs[current.run] = current }
        for metrics in meter.openSessions { keep(metrics, runs[metrics.run.description]?.recording) }
    }

    // MARK: - The model

    /// The sessions that have a page, with its packed data, in the order of their loads.
    package var packedPages: [KeptSession] {
        packPages()
        return Self.inOrder(pages.sessions)
    }

    /// Writes the members of the overview: metrics, titles and courses of assets, trackers, and what is kept.
    package func writeOverview(to writer: inout JSONWriter) {
        writer.key("metrics")
        set.write(to: &writer)
        writer.key("titles")
        writer.beginObject()
        for (asset, title) in titles.sorted(by: { $0.key < $1.key }) {
            writer.key(asset)
            writer.string(title)
        }
        writer.endObject()
        writer.key("courses")
        courses.write(to: &writer)
        writer.key("trackers")
        writer.beginArray()
        for (name, tracker) in trackers.sorted(by: { $0.key < $1.key }) { tracker.write(name, to: &writer) }
        writer.endArray()
        writer.key("kept")
        writer.beginObject()
        writer.key("row_limit")
        writer.int(Int64(limits.rows))
        writer.key("page_limit")
        writer.int(Int64(limits.pages))
        writer.endObject()
    }

    /// Appends the list of sessions with commas between the columns, as RFC 4180 has it.
    package func writeTable(to buffer: ByteBuffer) {
        buffer.append(SessionRow.columns.joined(separator: ",") + "\n")
        for session in listed { buffer.append(SessionRow.text(session.row) + "\n") }
    }

    /// Writes how the metrics differ from those of sessions before.
    package func writeDifferences(from before: ViewedSessions, to writer: inout JSONWriter) {
        MetricDifferences(before: before.set, after: set).write(to: &writer)
    }

    private var listed: [KeptSession] { Self.inOrder(rows.sessions) }

    private static func inOrder(_ sessions: [KeptSession]) -> [KeptSession] {
        sessions.sorted { ($0.loadedAt, $0.run, $0.number) < ($1.loadedAt, $1.run, $1.number) }
    }

    /// Writes the list of sessions: the names of its columns, and its rows in the order of their loads.
    package func writeSessions(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("columns")
        writer.beginArray()
        for name in SessionRow.columns { writer.string(name) }
        writer.endArray()
        writer.key("rows")
        writer.beginArray()
        for session in listed {
            unsafe session.row.withUnsafeBytes { unsafe writer.raw($0) }
        }
        writer.endArray()
        writer.key("pages")
        writer.beginArray()
        for session in packedPages {
            writer.beginArray()
            writer.string(session.run)
            writer.int(Int64(session.number))
            for reason in pages.reasons(for: session) { writer.string(reason.rawValue) }
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }
}

/// A player run that goes on.
private final class ViewedRun {
    let run: String
    /// The session that goes on, or went on last.
    var number: UInt32 = 0
    @safe @exclusivity(unchecked) var recording: SessionRecording?
    /// What the player has said that is personal.
    @safe @exclusivity(unchecked) var personal = PersonalTexts()

    init(_ run: String) { self.run = run }
}

/// What a tracker has said.
private struct ViewedTracker {
    let plugin: String
    let version: String
    var records: Int64 = 0
    var beacons: Int64 = 0
    var beaconBytes: Int64 = 0

    mutating func count(_ output: OutputView) {
        if let beacon = output.beacon {
            beacons += 1
            beaconBytes += Int64(beacon.url.count + beacon.body.count)
        } else {
            records += 1
        }
    }

    func write(_ name: String, to writer: inout JSONWriter) {
        writer.beginObject()
        for (key, text) in [("instance", name), ("plugin", plugin), ("version", version)] {
            writer.key(key)
            writer.string(text)
        }
        for (key, number) in [("records", records), ("beacons", beacons), ("beacon_bytes", beaconBytes)] {
            writer.key(key)
            writer.int(number)
        }
        writer.endObject()
    }
}
