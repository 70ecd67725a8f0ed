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
        /// Places of the content of a page that come between two events.
        package var samples = 800
        /// Bytes of the data of the pages of all sessions that go on.
        package var openBytes = Int.max
        /// How long a session that has ended is kept after its end was heard of, us; nil for ever.
        package var keep: Int64?
        /// Whether ended sessions and their metrics are handed out to be stored.
        package var stores = false

        /// The limits of a report.
        package init() {}
    }

    let limits: Limits
    private let personal: Bool
    private let pack: ([UInt8]) -> PackedPage
    var set: RecentMetrics
    let rows: SessionChoice
    let pages: SessionChoice
    var runs: [String: ViewedRun] = [:]
    @safe @exclusivity(unchecked) var current: ViewedRun?
    var titles: [String: String] = [:]
    @safe @exclusivity(unchecked) var courses: AssetCourses
    @safe @exclusivity(unchecked) var errors: ErrorTexts
    /// In the order in which they spoke first: there are few, and comparing names costs less than to hash them.
    @safe @exclusivity(unchecked) private var trackers: [ViewedTracker] = []
    /// Counts the bytes of the pages of ended sessions that are held unpacked.
    private let held: HeldBytes
    private let open: HeldBytes
    private let measured: [String]
    @safe @exclusivity(unchecked) var running = RunningVideos()
    /// The wall clock as it was told last, us since 1970.
    var now: Int64 = 0
    var unsaved: [KeptSession] = []

    /// Prepares to look on.
    ///
    /// - Parameters:
    ///   - limits: how much is kept.
    ///   - personal: whether personal attributes are shown.
    ///   - grouping: attributes of the video by which sessions are grouped too.
    ///   - pack: makes the data of a page smaller while they wait, now or on other threads.
    package init(
        limits: Limits = Limits(),
        personal: Bool,
        grouping: [String],
        pack: @escaping ([UInt8]) -> PackedPage
    ) {
        self.limits = limits
        self.personal = personal
        self.pack = pack
        courses = AssetCourses(stores: limits.stores)
        errors = ErrorTexts(stores: limits.stores)
        set = RecentMetrics(keep: limits.keep, grouping: grouping)
        measured = set.attributes + ["video_name"]
        rows = SessionChoice(limit: limits.rows) { _ in }
        let held = HeldBytes(limit: limits.unpackedBytes)
        self.held = held
        open = HeldBytes(limit: limits.openBytes)
        pages = SessionChoice(limit: limits.pages) { session in
            held.bytes -= session.unpacked?.count ?? 0
            session.setPage(nil)
        }
    }

    /// The kinds of outputs that it looks at.
    package static let wanted: OutputKinds = [.events, .records, .beacons, .sessions, .runs]

    /// Looks at an output, which is lent for the call.
    package func look(at output: OutputView) {
        let origin = output.origin
        enter(origin)
        switch output.kind {
        case .event: if let event = output.event { follow(event, origin) }
        case .record, .beacon:
            count(output, origin)
            guard let current, origin.session == current.number else { return }
            current.recording?.add(output, personal: personal, hiding: current.personal)
        case .sessionBegin:
            begin(origin)
        case .sessionEnd:
            if let metrics = current?.measurement.end(session: origin.session, at: origin.time) {
                if limits.keep != nil { current?.count(metrics, in: &running) }
                // What was seen of a part of a session would be wrong of the whole.
                if !metrics.isJoined { keep(metrics, current?.recording) }
            }
            current?.recording = nil
        case .runEnd:
            current = nil
        default: break
        }
    }

    private func enter(_ origin: OriginView) {
        let run = origin.playerRunID
        if let current, run == current.run {
            current.heard = now
            return
        }
        if let current { runs[current.run] = current }
        let name = run.string
        let entered =
            runs.removeValue(forKey: name)
            ?? ViewedRun(name, epoch: origin.epochMicroseconds, grouping: measured)
        entered.heard = now
        current = entered
    }

    private func begin(_ origin: OriginView) {
        enter(session: origin.session, origin)
        current?.measurement.begin(session: origin.session, at: origin.time)
    }

    /// Takes up a session that is under way, as far as what comes next says something of it.
    private func join(_ event: EventView, _ origin: OriginView) {
        enter(session: event.session, origin)
        let asset = origin.videoID.string
        var known = asset.isEmpty ? [:] : ["video_id": asset]
        if let title = titles[asset] { known["video_name"] = title }
        current?.measurement.join(session: event.session, at: event.time, known: known)
    }

    private func enter(session number: UInt32, _ origin: OriginView) {
        current?.number = number
        current?.counted = RunningVideos.Counted()
        current?.recording = limits.pages > 0 ? recording(of: origin) : nil
    }

    private func recording(of origin: OriginView) -> SessionRecording {
        SessionRecording(
            number: origin.session,
            begin: origin.time,
            limit: limits.pageBytes,
            samples: limits.samples,
            held: open
        )
    }

    private func follow(_ event: EventView, _ origin: OriginView) {
        if !personal {
            for attribute in event.attributes where attribute.isPersonal { current?.personal.add(attribute.value) }
        }
        if let current {
            if event.session > current.number, limits.keep != nil { join(event, origin) }
            if event.session == current.number {
                current.recording?.add(event, personal: personal, hiding: current.personal)
            }
            errors.add(event, personal: personal, hiding: current.personal)
        }
        courses.add(event, asset: origin.videoID)
        current?.measurement.follow(event)
    }

    private func count(_ output: OutputView, _ origin: OriginView) {
        let name = origin.instance
        if let place = trackers.firstIndex(where: { name == $0.instance }) { return trackers[place].count(output) }
        trackers.append(ViewedTracker(origin))
        trackers[trackers.count - 1].count(output)
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
        let session = KeptSession(metrics, row: SessionRow.json(metrics), endedAt: now)
        _ = rows.add(session)
        if limits.stores { unsaved.append(session) }
        guard let recording, pages.add(session) else { return }
        let title = metrics.attributes["video_name"]?.description
        let page = recording.page(metrics, dimensions: set.dimensions, title: title)
        session.setPage(page)
        held.bytes += page.count
        guard held.bytes > held.limit else { return }
        // Sessions come mostly in the order of their loads: those that are the newest now give way soon.
        packPages(for: [.worst, .sample])
        if held.bytes > 3 * held.limit { packPages() }
    }

    /// Packs the pages that are held, of sessions that are kept for one of the reasons.
    private func packPages(for reasons: [SessionChoice.Reason] = SessionChoice.Reason.allCases) {
        for session in pages.sessions(for: reasons) {
            held.bytes -= session.unpacked?.count ?? 0
            session.packPage(pack)
        }
    }

    /// Adds the sessions that have no end, and has all pages packed: which are kept is known.
    package func finish() {
        for (run, metrics) in openSessions { keep(metrics, run.recording) }
        packPages()
    }

    /// Puts the run of the output before to the others.
    func shelve() {
        if let current { runs[current.run] = current }
        current = nil
    }

    /// The sessions that go on, in the order of their runs' ids.
    var openSessions: [(run: ViewedRun, metrics: SessionMetrics)] {
        shelve()
        return runs.values.compactMap { run in run.measurement.openSession.map { (run, $0) } }
            .sorted { $0.metrics.run < $1.metrics.run }
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
        var total = set.total()
        if limits.keep != nil { total.addOpenSessions(openSessions.count) }
        total.write(to: &writer)
        writer.key("titles")
        writer.beginObject()
        for (asset, title) in titles.sorted(by: { $0.key < $1.key }) {
            writer.key(asset)
            writer.string(title)
        }
        writer.endObject()
        writer.key("courses")
        courses.write(to: &writer)
        writer.key("errors")
        errors.write(to: &writer)
        writer.key("trackers")
        writeTrackers(to: &writer)
        writer.key("kept")
        writer.beginObject()
        writer.key("row_limit")
        writer.int(Int64(limits.rows))
        writer.key("page_limit")
        writer.int(Int64(limits.pages))
        writer.endObject()
    }

    /// Writes what trackers have said, as an array.
    package func writeTrackers(to writer: inout JSONWriter) {
        writer.beginArray()
        for tracker in trackers.sorted(by: { $0.instance < $1.instance }) { tracker.write(to: &writer) }
        writer.endArray()
    }

    /// Appends the list of sessions with commas between the columns, as RFC 4180 has it.
    package func writeTable(to buffer: ByteBuffer) {
        buffer.append(SessionRow.columns.joined(separator: ",") + "\n")
        for session in listed { buffer.append(SessionRow.text(session.row) + "\n") }
    }

    /// Writes how the metrics differ from those of sessions before.
    package func writeDifferences(from before: ViewedSessions, to writer: inout JSONWriter) {
        MetricDifferences(before: before.set.total(), after: set.total()).write(to: &writer)
    }

    private var listed: [KeptSession] { Self.inOrder(rows.sessions) }

    static func inOrder(_ sessions: [KeptSession]) -> [KeptSession] {
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
        let open = limits.keep == nil ? [] : openSessions
        for (_, metrics) in open {
            unsafe SessionRow.json(metrics).withUnsafeBytes { unsafe writer.raw($0) }
        }
        writer.endArray()
        writer.key("pages")
        writer.beginArray()
        for (run, metrics) in open where run.recording != nil {
            writer.beginArray()
            writer.string(run.run)
            writer.int(Int64(metrics.session))
            writer.string("open")
            if metrics.isJoined { writer.string("joined") }
            writer.endArray()
        }
        for session in Self.inOrder(pages.sessions) {
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

/// What a tracker has said.
private struct ViewedTracker {
    let instance: String
    let plugin: String
    let version: String
    var records: Int64 = 0
    var beacons: Int64 = 0
    var beaconBytes: Int64 = 0

    init(_ origin: OriginView) {
        instance = origin.instance.string
        plugin = origin.plugin.string
        version = origin.pluginVersion.string
    }

    mutating func count(_ output: OutputView) {
        if let beacon = output.beacon {
            beacons += 1
            beaconBytes += Int64(beacon.url.count + beacon.body.count)
        } else {
            records += 1
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (key, text) in [("instance", instance), ("plugin", plugin), ("version", version)] {
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

/// A player run that goes on.
final class ViewedRun {
    let run: String
    let measurement: RunMeasurement
    /// The session that goes on, or went on last.
    var number: UInt32 = 0
    @safe @exclusivity(unchecked) var recording: SessionRecording?
    /// What the player has said that is personal.
    @safe @exclusivity(unchecked) var personal = PersonalTexts()
    /// What of the session that goes on is in the minutes of its asset.
    var counted = RunningVideos.Counted()
    /// When something came of it last by the wall clock, us since 1970.
    var heard: Int64 = 0

    init(_ run: String, epoch: Int64, grouping: [String]) {
        self.run = run
        measurement = RunMeasurement(run: ExactText(run), epoch: epoch, grouping: grouping)
    }

    /// Counts what is new of a session of it.
    func count(_ metrics: SessionMetrics, in running: inout RunningVideos) { running.count(metrics, &counted) }
}
