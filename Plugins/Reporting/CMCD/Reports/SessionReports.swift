internal import PluginABI
internal import PluginKit
internal import TextEncoding

/// What is reported of one session, made of its events one after another.
///
/// Everything follows from them: a replay makes the same reports. The states and events are those of CTA-5004-B.
struct SessionReports {
    /// Takes a report with what it tells of.
    typealias Sink = (Report) -> Void

    let number: UInt32
    private let id: String
    private let epoch: Int64
    private let configuration: CMCDConfiguration
    private var sequence: Int64 = 0
    private var contentID: String?
    private var format: String?
    private var toldState: ReportedState?
    private var isFailed = false
    private var toldRate: Int32 = 1000
    private var isMuted: Bool?
    private var isFullscreen: Bool?
    private var host: String?
    private var selectedBitrate: Int64?
    private var (isBreakOpen, isAdOpen) = (false, false)
    private var firstPlay: Int64?
    /// The start delay, ms, until it is told.
    private var startDelay: Int64?
    private var starvations = Starvations()
    private var nextInterval: Int64?

    /// Begins a session's reports; `epoch` is the wall clock at the run's time 0, us since 1970.
    init(run: String, number: UInt32, epoch: Int64, _ configuration: CMCDConfiguration) {
        self.number = number
        self.epoch = epoch
        self.configuration = configuration
        id = Self.id(run: run, number: number)
    }

    /// What names a session: a UUID of the eighth kind, made of the hash of `run/session`.
    static func id(run: String, number: UInt32) -> String {
        var digest = SHA256()
        digest.update("\(run)/\(number)")
        var bytes = Array(digest.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var rest = Hex.text(bytes)[...]
        var groups: [Substring] = []
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// Takes the session's next event.
    mutating func follow(_ event: EventView, content: String, _ sink: Sink) {
        let state = event.state
        let oldContent = contentID
        if !content.isEmpty { contentID = content }
        read(event)
        if event.type == .videoUnload { return quit(event, sink) }
        tellState(event, sink)
        if let oldContent, oldContent != contentID { write(.content, event, sink) }
        tellAds(event, sink)
        tellChanges(event, sink)
        switch event.type {
        case .applicationBackground, .applicationForeground: write(.background, event, sink)
        case .renditionChange where event.attributes[.renditionPhase]?.string?.string == "decided":
            write(.bitrateChange, event, sink)
        case .custom: tellCustom(event, sink)
        case .playerError: tellError(event, sink)
        case .requestCompleted, .requestFailed: tellRequest(event, sink)
        default: break
        }
        tellInterval(event, isOver: state.has(TALLY_STATE_ENDED), sink)
    }

    // MARK: - What is known

    private mutating func read(_ event: EventView) {
        let attributes = event.attributes
        switch event.type {
        case .videoLoad, .metadataChange, .sessionSnapshot:
            if let type = attributes[.videoMimeType]?.string?.string { format = Self.format(of: type) }
        case .play:
            if firstPlay == nil { firstPlay = event.time }
            isFailed = false
        case .firstFrame:
            if let firstPlay { startDelay = (event.time &- firstPlay) / 1000 }
            if let told = attributes[.startupTimeMs]?.int { startDelay = told }
            isFailed = false
        case .bufferStart where event.state.has(TALLY_STATE_STARTED):
            // A wait within a seek, or for the first picture, is no starvation.
            let cause = attributes[.bufferCause]?.string?.string
            if cause == "stall" || cause == nil { starvations.begin(at: event.time) }
        case .bufferComplete: starvations.end(at: event.time)
        case .renditionChange:
            if let bitrate = attributes[.renditionBitrateBps]?.int { selectedBitrate = bitrate }
        case .playerError:
            if attributes[.errorFatal]?.bool == true { isFailed = true }
        default: break
        }
    }

    private static func format(of type: String) -> String {
        switch type.lowercased() {
        case "application/dash+xml": "d"
        case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl": "h"
        case "application/vnd.ms-sstr+xml": "s"
        default: "o"
        }
    }

    private func perceived(_ state: PlayerState) -> ReportedState {
        if isFailed { return .failed }
        if state.has(TALLY_STATE_ENDED) { return .ended }
        if state.has(TALLY_STATE_SEEKING) { return .seeking }
        guard state.has(TALLY_STATE_PLAYING) else {
            return firstPlay == nil && !state.has(TALLY_STATE_STARTED) ? .preloading : .paused
        }
        guard state.has(TALLY_STATE_STARTED) else { return .starting }
        return state.has(TALLY_STATE_BUFFERING) ? .rebuffering : .playing
    }

    // MARK: - What is told

    private mutating func tellState(_ event: EventView, _ sink: Sink) {
        let state = perceived(event.state)
        guard state != toldState else { return }
        toldState = state
        write(.playState, event, sink)
    }

    /// A viewer who leaves before the end quits.
    private mutating func quit(_ event: EventView, _ sink: Sink) {
        tellAds(event, isOver: true, sink)
        guard toldState != .ended, toldState != .failed else { return }
        toldState = .quit
        write(.playState, event, sink)
    }

    private mutating func tellAds(_ event: EventView, isOver: Bool = false, _ sink: Sink) {
        let isInAd = event.state.has(TALLY_STATE_IN_AD) && !isOver
        let isInBreak = event.state.has(TALLY_STATE_IN_AD_BREAK) && !isOver
        if isAdOpen, event.type == .adSkip { write(.adSkipped, event, sink) }
        if isAdOpen, !isInAd || event.type == .adStart {
            isAdOpen = false
            write(.adEnd, event, sink)
        }
        if isBreakOpen, !isInBreak || event.type == .adBreakStart {
            isBreakOpen = false
            write(.adBreakEnd, event, sink)
        }
        if isInBreak, !isBreakOpen {
            isBreakOpen = true
            write(.adBreakStart, event, sink)
        }
        if isInAd, !isAdOpen {
            isAdOpen = true
            let id = event.attributes[.adID]?.string?.string
            write(.adStart, event, content: id ?? contentID, sink)
        }
    }

    private mutating func tellChanges(_ event: EventView, _ sink: Sink) {
        let state = event.state
        if let rate = state.rateMilli, rate > 0, rate != toldRate, toldState == .playing {
            toldRate = rate
            write(.rate, event, sink)
        }
        if state.isMuted != nil || state.volumeMilli != nil {
            let isSilent = state.isMuted == true || state.volumeMilli == 0
            if let isMuted, isMuted != isSilent { write(isSilent ? .muted : .unmuted, event, sink) }
            isMuted = isSilent
        }
        if let isFull = state.isFullscreen {
            if let isFullscreen, isFullscreen != isFull { write(isFull ? .enlarged : .reduced, event, sink) }
            isFullscreen = isFull
        }
    }

    private mutating func tellCustom(_ event: EventView, _ sink: Sink) {
        guard let name = event.attributes[.customName]?.string?.string,
            let text = StructuredText.string(name, longest: 64)
        else { return }
        write(.custom, event, sink) { $0.add("cen", text) }
    }

    private mutating func tellError(_ event: EventView, _ sink: Sink) {
        let id = event.attributes[.errorID]?.string?.string
        let code = event.attributes[.errorCode]?.int.map { "\($0)" }
        let codes = [id, id == code ? nil : code].compactMap(\.self)
        write(.error, event, sink) { $0.add("ec", texts: codes.isEmpty ? ["unknown"] : codes, longest: 128) }
    }

    private mutating func tellRequest(_ event: EventView, _ sink: Sink) {
        guard let request = RequestReport(event, configuration.requestAddresses) else { return }
        if request.isMedia, let asked = request.host, asked != host {
            host = asked
            write(.host, event, sink) { $0.add("h", text: asked, longest: 128) }
        }
        guard configuration.events.contains(.response) else { return }
        var report = Report(.response, at: milliseconds(request.time))
        addIdentity(to: &report, content: contentID)
        request.add(to: &report)
        sink(report)
    }

    private mutating func tellInterval(_ event: EventView, isOver: Bool, _ sink: Sink) {
        guard configuration.interval > 0, !isOver, event.time >= nextInterval ?? event.time else { return }
        let length = configuration.interval * 1000
        let begin = nextInterval ?? event.time
        nextInterval = event.time &- (event.time &- begin) % length &+ length
        write(.interval, event, sink)
    }

    // MARK: - Reports

    private func milliseconds(_ time: Int64) -> Int64 { epoch.addingReportingOverflow(time).partialValue / 1000 }

    private mutating func write(
        _ kind: ReportedEvent,
        _ event: EventView,
        content: String? = nil,
        _ sink: Sink,
        _ add: (inout Report) -> Void = { _ in }
    ) {
        guard configuration.events.contains(kind) else { return }
        let state = event.state
        var report = Report(kind, at: milliseconds(event.time))
        addIdentity(to: &report, content: content ?? contentID)
        report.add("sta", toldState?.rawValue)
        report.add("sf", format)
        report.add("st", state.isLive.map { $0 ? "l" : "v" })
        report.add("pt", number: state.isLive == true ? state.liveWallMilliseconds : state.playheadMilliseconds)
        report.add("br", list: [selectedBitrate.flatMap(StructuredText.kilobits)])
        report.add("pb", list: [Self.positive(state.bitrate).flatMap(StructuredText.kilobits)])
        report.add("mtp", list: [Self.positive(state.throughput).flatMap(StructuredText.hundredKilobits)])
        report.add("bl", list: [event.attributes[.bufferLengthMs]?.int.flatMap(StructuredText.hundreds)])
        report.add("dfa", number: state.droppedFrames)
        report.add("pr", rate(state, on: kind))
        if state.has(TALLY_STATE_BACKGROUND) {
            report.add("bg", true)
        } else if kind == .background {
            report.add("bg", "?0")
        }
        report.add("msd", number: startDelay)
        startDelay = nil
        starvations.tell(in: &report)
        add(&report)
        sink(report)
    }

    private mutating func addIdentity(to report: inout Report, content: String?) {
        report.add("sid", text: id, longest: 64)
        report.add("cid", text: content, longest: 128)
        report.add("sn", number: sequence)
        sequence += 1
    }

    private func rate(_ state: PlayerState, on kind: ReportedEvent) -> String? {
        guard let rate = state.rateMilli, rate > 0, rate != 1000 || kind == .rate else { return nil }
        return StructuredText.decimal(thousandths: Int64(rate))
    }

    private static func positive(_ number: Int64?) -> Int64? { number.flatMap { $0 > 0 ? $0 : nil } }
}

/// Waits for data while the viewer wanted to watch, until they are told.
private struct Starvations {
    private var start: Int64?
    private var isNew = false
    private var ended: [Int64] = []
    private var count: Int64 = 0
    private var totalMs: Int64 = 0

    mutating func begin(at time: Int64) {
        guard start == nil else { return }
        start = time
        isNew = true
        count += 1
    }

    mutating func end(at time: Int64) {
        guard let start else { return }
        self.start = nil
        let milliseconds = max(0, time &- start) / 1000
        totalMs += milliseconds
        if ended.count < 64 { ended.append(milliseconds) }
    }

    /// Adds what is new: that there was one, the lengths of those that ended, and then their number and length in all.
    mutating func tell(in report: inout Report) {
        report.add("bs", isNew)
        if !ended.isEmpty {
            report.add("bsd", list: ended)
            report.add("bsa", list: [count])
            report.add("bsda", list: [totalMs])
        }
        (isNew, ended) = (false, [])
    }
}
