package import Archive
package import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading
public import Setup
internal import System
internal import TextEncoding

/// Replays archives through the plugins of a ``Telemetry``: what a tracker saw live, it sees again.
///
/// Archives come one after another; player runs in one archive may be interleaved. Not thread-safe: one replay is used
/// by one thread.
@safe public final class Replay {
    /// What was read and made so far.
    @safe @exclusivity(unchecked) public internal(set) var summary = ReplaySummary()

    let telemetry: Telemetry
    let options: ReplayOptions
    let recorded: RecordedPlugins
    var runs: [String: ReplayedRun] = [:]
    /// The run of the last line, which ``runs`` holds: counting references at each line costs more than to find it.
    @safe @exclusivity(unchecked) var current: Unmanaged<ReplayedRun>?
    var refusedRuns: Set<String> = []
    /// Runs that are over, by ``PassedRun/key(_:)``, and whether some of them are not here.
    var passedRuns: [UInt64: PassedRun] = [:]
    var hasForgottenRuns = false
    /// Who gets the outputs; nil for the reporters of the moment.
    private let ownConsumers: [any OutputConsumer]?
    /// Runs that wait because too many are open.
    let waiting: WaitingRuns
    /// Runs of what comes as it is written, which are closed before more begin.
    let closing = ClosedRuns()
    /// Takes the outputs of runs that are begun again, which nobody gets twice; nil while there are none.
    @safe @exclusivity(unchecked) var silence: [any OutputConsumer]?
    /// Runs that had no end and were given one, in the order in which they were.
    package internal(set) var endedRuns: [EndedRun] = []
    /// Whether what the runs are told is kept, for a tracker that takes another's place.
    @safe @exclusivity(unchecked) var keepsLines = false
    /// What halts and paces it, when anything does.
    let control: ReplayControl?
    /// The archive that is read.
    @safe @exclusivity(unchecked) private(set) var reader: ArchiveReader?
    /// What trackers did in runs that are over.
    var finished: [String: TrackerStatistics] = [:]
    /// The run that began last.
    private(set) var lastRun: String?
    /// Lines that are dealt to this replay as one of several; nil when it reads archives itself.
    let lines: DealtLines?
    /// Where each of the summary's places stands, when this is one of several replays.
    var placePositions: [UInt64] = []
    /// What an earlier process left; nil once all that it had done is passed.
    @safe @exclusivity(unchecked) private(set) var restoration: ReplayRestoration?

    /// Whether the archive had lines of runs without a header, or such that an earlier process had done with.
    var hasOtherLines = false

    /// Replays through the trackers and reporters of `telemetry`.
    public convenience init(telemetry: Telemetry, options: ReplayOptions = ReplayOptions()) {
        self.init(telemetry: telemetry, options: options, control: options.pace.map { _ in ReplayControl() })
    }

    /// Replays under a control, which may serve one replay.
    package convenience init(telemetry: Telemetry, options: ReplayOptions, control: ReplayControl?) {
        control?.keep(options.pace)
        self.init(telemetry: telemetry, options: options, control: control, consumers: nil)
    }

    /// Replays through the trackers of `telemetry`, and hands what they say to other consumers.
    package convenience init(telemetry: Telemetry, options: ReplayOptions, consumers: [any OutputConsumer]) {
        self.init(telemetry: telemetry, options: options, control: nil, consumers: consumers)
    }

    /// Replays through the trackers of `telemetry`, and hands what they say to other consumers.
    ///
    /// One of several replays is dealt its `lines`, and shares with the others what they find of `recorded` plugins.
    init(
        telemetry: Telemetry,
        options: ReplayOptions,
        control: ReplayControl? = nil,
        consumers: [any OutputConsumer]?,
        recorded: RecordedPlugins? = nil,
        lines: DealtLines? = nil
    ) {
        self.telemetry = telemetry
        self.options = options
        self.control = control
        self.lines = lines
        waiting = WaitingRuns(lines)
        keepsLines = options.asRecorded
        self.recorded =
            recorded
            ?? RecordedPlugins(
                catalog: telemetry.catalog,
                substitutes: options.substitutes,
                log: telemetry.log,
                archive: options.recoveredArchive
            )
        guard let resumed = options.resumed else {
            ownConsumers = consumers
            return
        }
        let gates = (consumers ?? telemetry.consumers).map { ResumedOutputs($0) }
        ownConsumers = gates
        refusedRuns = Set(resumed.refusedRuns)
        passedRuns = resumed.passedRuns
        if lines == nil { summary = resumed.summary }
        if resumed.line > 0 {
            restoration = ReplayRestoration(resumed, gates, summary: summary)
        } else {
            for gate in gates { gate.isOpen = true }
        }
    }

    /// Replays an archive file.
    ///
    /// - Throws: ``TelemetryError`` when the file cannot be read or is newer than this version, when a tracker cannot
    ///   be made, or with ``ReplayOptions/strict`` at the first line that cannot be used.
    public func replay(path: String) throws(TelemetryError) {
        try checking { () throws(ArchiveSource.Failure) in try replay(ArchiveSource(path: path)) }
    }

    /// Replays what comes from standard input.
    ///
    /// - Throws: as ``replay(path:)``.
    public func replayStandardInput() throws(TelemetryError) {
        try checking { () throws(ArchiveSource.Failure) in try replay(ArchiveSource()) }
    }

    /// Replays what comes from a source that the host has opened.
    ///
    /// - Throws: as ``replay(path:)``.
    package func replay(from source: ArchiveSource) throws(TelemetryError) {
        try checking { () throws(ArchiveSource.Failure) in try replay(source) }
    }

    /// Replays the lines of one archive that were dealt to it.
    func replayDealtLines() throws(TelemetryError) {
        guard let lines else { return }
        // Of a pipe no coordinator has all bytes: what is too much waits until the pipe was read.
        waiting.isAllowed = mayHoldBack
        closing.begin(isLive: !mayHoldBack && lines.archive?.isFile == false)
        try checking { () throws(ArchiveSource.Failure) in
            try lines.withReader { (reader) throws(ArchiveSource.Failure) in try replay(reader) }
        }
    }

    /// Reads, then throws what the lines said that ends a replay.
    private func checking(_ read: () throws(ArchiveSource.Failure) -> Void) throws(TelemetryError) {
        do throws(ArchiveSource.Failure) {
            try read()
        } catch {
            throw TelemetryError(error)
        }
        try check()
    }

    // MARK: - Lines

    @safe @exclusivity(unchecked) var failure: TelemetryError?
    /// Whether the last line is of a run all of whose lines are left out, and none of them is counted.
    @safe @exclusivity(unchecked) var isLeftOut = false
    /// The line that ended the replay of an archive; the reader may be ahead of it.
    var lastLine: Int?

    private func check() throws(TelemetryError) {
        if let failure {
            self.failure = nil
            throw failure
        }
    }

    private func replay(_ source: ArchiveSource) throws(ArchiveSource.Failure) {
        guard let control else { return try read(source) }
        try control.onThisThread { () throws(ArchiveSource.Failure) in try read(source) }
    }

    private func read(_ source: ArchiveSource) throws(ArchiveSource.Failure) {
        waiting.isAllowed = source.isFile && mayHoldBack
        let reader = ArchiveReader(closing.begin(source, folder: waiting.spill.folder))
        let index = archive
        archive += 1
        self.reader = reader
        hasOtherLines = false
        defer {
            summary.keptBytes = max(summary.keptBytes, closing.pipe?.most ?? 0)
            closing.end()
            self.reader = nil
            waiting.reader = nil
            summary.lines += lastLine ?? reader.lineNumber
            lastLine = nil
            summary.bytes += reader.bytesRead
            tick(archive: index + 1, line: 0)
        }
        try replay(reader) { self.tick(archive: index, line: reader.lineNumber) }
    }

    func replay(_ reader: ArchiveReader, tick: () -> Void = {}) throws(ArchiveSource.Failure) {
        waiting.reader = reader
        defer {
            endRestoration()
            leaveOpenRuns(reader)
            replayWaitingRuns(behind: reader, tick: tick)
        }
        let decoder = reader.decoder
        var read = 0
        while true {
            var line = replaySamples(reader, decoder)
            if line == nil { line = try reader.next(damaged: { damaged($0) }) }
            guard let line, failure == nil else { return }
            if restoration != nil, isRestored(line, reader) { continue }
            if case .event(let event) = line, replayNext(event, decoder) {
                // As nearly all are.
                isLeftOut = false
            } else {
                replay(line, reader)
                if failure != nil || control?.isStopped == true { return }
            }
            // Looking at the clock for each line would cost more than the line.
            if reader.bytesRead != read {
                read = reader.bytesRead
                closeIdleRuns()
                dropPipeBytes(reader)
                tick()
            }
        }
    }

    /// The archive that is read next, by its place.
    @safe @exclusivity(unchecked) package var archive = 0

    /// Tells the progress and keeps a checkpoint, when it is time for either.
    private func tick(archive: Int, line: Int) {
        options.onProgress?(ReplayProgress(runs: summary.runs, events: summary.events))
        // While outputs wait, the reporters do not have all up to here.
        guard let checkpoint = options.checkpoint, restoration == nil, waiting.outputs == nil, failure == nil,
            control?.isStopped != true, checkpoint.isDue()
        else { return }
        var state = ReplayCheckpoint(archive: archive, line: line, summary: summary)
        addRuns(to: &state)
        checkpoint.write(state)
    }

    /// Adds which runs are open, and which are refused.
    func addRuns(to state: inout ReplayCheckpoint) {
        state.openRuns += runs.keys.sorted()
        state.refusedRuns += refusedRuns.sorted()
        state.passedRuns.merge(passedRuns) { $1 }
    }

    /// Whether an archive that was read to its end had no line of a player run in it, and so is none; `before` is what
    /// was counted when it was begun.
    package func foundNothing(since before: ReplaySummary) -> Bool {
        summary.headers == before.headers && !hasOtherLines
    }

    /// What comes from here on is new; the thread that deals calls this too, while this replay has nothing to do.
    func endRestoration() {
        restoration?.end(&summary)
        restoration = nil
    }

    /// Whether a line was done with by an earlier process; lines of runs that were open then are replayed silently.
    private func isRestored(_ line: ArchiveLine, _ reader: ArchiveReader) -> Bool {
        guard let restoration, reader.lineNumber <= restoration.line else {
            endRestoration()
            return false
        }
        hasOtherLines = true
        if case .header(let header) = line { return !restoration.openRuns.contains(header.run) }
        return runs[reader.decoder.run.string] == nil
    }

    /// Takes an event that follows the last line of its run, as nearly all do; false when it does not.
    private func replayNext(_ event: EventView, _ decoder: ArchiveLineDecoder) -> Bool {
        guard let current,
            unsafe current._withUnsafeGuaranteedRef({
                $0.replayNext(event, run: decoder.run, ordinal: decoder.ordinal, control: control)
            })
        else { return false }
        count(event)
        return true
    }

    func count(_ event: EventView) {
        summary.events += 1
        if event.type == .videoLoad {
            summary.sessions += 1
        }
    }

    func begin(_ header: ArchiveHeader, _ reader: ArchiveReader) {
        isLeftOut = false
        guard RunDescription.knownSemantics.contains(header.semantics) else {
            problem(.unknownSemantics(header.semantics), reader)
            return
        }
        guard !header.isErased else {
            refusedRuns.insert(header.run)
            summary.erasedRuns += 1
            let place = "\(reader.path):\(reader.lineNumber)"
            telemetry.log.write("", 2, "\(place): the run \(header.run) was erased: not replayed")
            return
        }
        // A run that waited, or is begun again, was asked for already.
        if waiting.depth == 0, silence == nil, let selects = options.selects, !selects(header.run) {
            refusedRuns.insert(header.run)
            summary.unselectedRuns += 1
            return
        }
        let open = runs[header.run] ?? reopenedRun(header.run, reader)
        if isRepeated(header) { return }
        if let open { release(open, id: header.run, downTo: 0) }
        if let open = runs[header.run] {
            leave(open, id: header.run, path: reader.path)
        }
        // The lines that come now are those of another run.
        passedRuns[PassedRun.key(header.run)] = nil
        guard failure == nil, !holdsBack(header, reader) else { return }
        makeRoom(for: header.run, path: reader.path)
        let description = description(of: header)
        do throws(PluginError) {
            let handedOn = handsOnLines ? ReplayLines(header, keeping: keepingRecorder(description)) : nil
            let coordinator =
                try options.cuts == nil ? makeCoordinator(description, header, handedOn) : silence(description)
            lastRun = header.run
            let begun = lines?.position ?? UInt64(reader.lineNumber)
            let run = ReplayedRun(id: header.run, epoch: header.epoch, number: begun, coordinator: coordinator)
            if options.cuts != nil { run.cut = SessionCut(header) }
            run.offset = reader.lineOffset
            run.lines = handedOn
            runs[header.run] = run
            current = unsafe Unmanaged.passUnretained(run)
            summary.runs += 1
        } catch {
            failure = TelemetryError(error)
        }
    }

    /// Who gets the outputs in the end.
    var consumers: [any OutputConsumer] { silence ?? ownConsumers ?? telemetry.consumers }

    /// What the trackers of all runs are lent, one call after the other.
    private let lent = LentMemory()

    /// Whether anybody wants archive lines; sessions that are cut out of their runs are none.
    private var handsOnLines: Bool {
        options.cuts == nil && consumers.contains { $0.wanted & (1 << TALLY_OUTPUT_LINE) != 0 }
    }

    /// Keeps what a run is told, when that may be needed.
    private func keepingRecorder(_ run: RunDescription) -> ArchiveRecorder? {
        keepsLines ? ArchiveRecorder(keeping: keptBytes, of: run) : nil
    }

    /// A recorded change has to be made again however long the run is.
    private var keptBytes: Int { options.asRecorded ? .max : telemetry.options.keptBytes }

    /// What names and dates a recorded run, or a session that is replayed as one.
    func description(of header: ArchiveHeader, _ suffix: String = "") -> RunDescription {
        let semantics = UInt32(header.semantics)
        var run = RunDescription(id: header.run + suffix, epoch: header.epoch, semantics: semantics)
        run.longestSilence = header.longestSilence ?? telemetry.options.longestSilence
        return run
    }

    /// A coordinator with the trackers of a run.
    func makeCoordinator(
        _ run: RunDescription,
        _ header: ArchiveHeader,
        _ lines: ReplayLines? = nil
    ) throws(PluginError) -> Coordinator {
        let setups = try setups(header)
        let coordinator = try Coordinator(
            run: run,
            trackers: setups,
            consumers: waiting.outputs.map { [$0] } ?? consumers,
            recorder: lines ?? keepingRecorder(run),
            log: telemetry.log,
            lending: lent
        )
        coordinator.erasedSessions = Set(header.erasedSessions)
        coordinator.appliesControlEvents = options.asRecorded
        coordinator.callLimit = telemetry.options.trackerCallLimit
        coordinator.resolve = { [recorded] plugin throws(PluginError) in try recorded.find(plugin) }
        coordinator.onUnresolved = { [weak self] error in
            guard let self else { return }
            failure = failure ?? TelemetryError(error)
        }
        let log = telemetry.log
        coordinator.onFault = { instance, code, message, details in
            log.write(instance, 2, "\(code): \(message)\(details.isEmpty ? "" : " (\(details))")")
        }
        return coordinator
    }
}
