internal import Archive
internal import Coordinator
internal import EventModel
internal import Glibc
internal import PlayerReports
internal import PluginABI
internal import PluginLoading
internal import Setup
internal import System
internal import TextEncoding

/// One player run of a player elsewhere, on its worker's thread.
@safe final class CollectedRun {
    /// Whose it is.
    let key: RunKey
    /// Its id in archives and outputs.
    private(set) var id: String
    /// How far it has come.
    private(set) var place = RunPlace()
    /// Whether it is over: its file is ready for the shelf.
    private(set) var isOver = false
    /// What is done of the changes that were made in all runs.
    var changes = 0
    /// The coordinator, once there was something to tell it.
    private(set) var coordinator: Coordinator?

    private let path: String
    private let worker: RunWorkshop
    private var recorder: OpenRunRecorder?
    private var interpretation: (any ReportInterpretation)?
    /// Wall clock at the run's time 0, us since 1970.
    private var epoch: Int64 = 0
    /// When the first report came, us since 1970; 0 before.
    private var firstHeard: Int64 = 0
    private var fileBytes = 0
    private var isBackground = false

    /// Why runs end that their players have not ended.
    private static let causes: Set = ["silence", "limit"]
    /// A run's times may be ahead of the collector's clock by this much, us: players' clocks are not exact.
    private static let ahead: Int64 = 60_000_000

    /// A run that begins, or whose file is to be read when it is needed.
    init(_ key: RunKey, id: String, path: String, _ worker: RunWorkshop) {
        self.key = key
        self.id = id
        self.path = path
        self.worker = worker
        interpretation = worker.interpretation(of: key)
    }

    /// When something has to be done if nothing comes, us since 1970; nil when never.
    var nextDue: Int64? {
        guard !isOver else { return nil }
        if let interpretation { return interpretation.nextDue }
        return place.heard + silence
    }

    /// How long nothing may come until the run is over, us.
    private var silence: Int64 {
        guard let coordinator else { return worker.patience.whilePlaying }
        if coordinator.session == 0 { return worker.patience.afterEnd }
        return coordinator.isPlaying && !isBackground ? worker.patience.whilePlaying : worker.patience.whilePaused
    }

    // MARK: - What comes

    /// Does what came for it.
    func receive(_ reports: ReceivedReports, entry: UInt64) {
        // A journal that was not cut yet tells again what was done.
        guard entry > place.entry, !isOver else { return }
        worker.buffer.removeAll()
        if fileBytes == 0 { worker.buffer.append(OpenRunFile.keyLine(key)) }
        place.entry = entry
        if firstHeard == 0 { firstHeard = reports.received }
        place.heard = max(place.heard, reports.received)
        place.last = max(place.last, reports.last)
        if interpretation == nil {
            receiveCalls(reports)
        } else {
            receiveReports(reports)
        }
        finishStep()
    }

    /// Does what is due at `now`, us since 1970.
    func advance(to now: Int64) {
        guard let due = nextDue, due <= now else { return }
        worker.buffer.removeAll()
        if interpretation != nil {
            worker.buffer.append("#a \(now)\n")
            worker.calls.removeAll(keepingCapacity: true)
            interpretation?.advance(to: now, into: &worker.calls)
            perform(optsOut: false)
        } else {
            // What is on its way comes first.
            guard worker.closes(key, place.last) else { return }
            end(cause: "silence")
        }
        finishStep()
    }

    /// Ends the run where it is.
    func end(cause: String) {
        guard !isOver else { return }
        if let coordinator {
            coordinator.endSession(cause: cause)
            recorder?.cause = cause
            coordinator.end(at: coordinator.time, reason: .drained, dropped: 0)
        }
        isOver = true
    }

    /// Ends a run that nothing can come of any more.
    func endSilently() {
        guard !isOver else { return }
        worker.buffer.removeAll()
        end(cause: "silence")
        finishStep()
    }

    /// Makes a change of the plugins.
    func change(_ events: [ControlEvent], number: Int) -> [ControlAnswer] {
        changes = number
        guard let coordinator, !isOver else { return [] }
        worker.buffer.removeAll()
        let rehearsals = coordinator.rehearsals(for: events)
        for rehearsal in rehearsals { rehearsal.catchUp() }
        var answers: [ControlAnswer] = []
        do throws(PluginError) {
            answers = try coordinator.change(events, rehearsals: rehearsals, at: coordinator.time)
        } catch {
            worker.report("\(key.name): a change of the plugins was not made: \(error)")
        }
        finishStep()
        return answers
    }

    // MARK: - Tally's own form

    private func receiveCalls(_ reports: ReceivedReports) {
        let decoder = worker.decoder
        if coordinator == nil {
            begin(at: reports.received - reports.sent, optsOut: reports.optsOut)
        }
        guard let coordinator else { return }
        // A player that says it is of tomorrow would have trackers' timers fire for a day.
        let latest = min(reports.received - epoch + Self.ahead, worker.patience.longestRun)
        unsafe reports.text.withUnsafeBytes { text in
            var place = 0
            while place < text.count, !isOver {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: text[place...])
                let count = unsafe rest.firstIndex(of: 0x0A) ?? rest.count
                unsafe receive(UnsafeRawBufferPointer(rebasing: rest[..<count]), decoder, coordinator, latest)
                place += count + 1
            }
        }
        guard !isOver else { return }
        coordinator.advance(to: max(0, min(reports.sent, latest)))
        if coordinator.time >= worker.patience.longestRun { end(cause: "limit") }
    }

    private func receive(
        _ line: UnsafeRawBufferPointer,
        _ decoder: ArchiveLineDecoder,
        _ coordinator: Coordinator,
        _ latest: Int64
    ) {
        // What cannot be read was refused as it came.
        guard let decoded = unsafe try? decoder.decode(line) else { return }
        switch decoded {
        case .event(let event):
            guard event.type.isFromPlayer || event.type == .systemSuspended || event.type == .clockStep else { return }
            guard !insertsItself(event, coordinator) else { return }
            let block = unsafe UnsafeMutablePointer(mutating: event.raw)
            unsafe block.pointee.flags &= TALLY_EVENT_GAP_BEFORE
            unsafe block.pointee.time_us = min(event.time, latest)
            if event.type == .applicationBackground { isBackground = true }
            if event.type == .applicationForeground { isBackground = false }
            unsafe coordinator.handle(block)
            worker.counted.events += 1
        case .end(let time, let reason, let dropped):
            let reason = RunEndReason(rawValue: reason) ?? .drained
            // Of an archive that is handed on.
            recorder?.cause = decoder.endCause.flatMap { Self.causes.contains($0) ? $0 : nil }
            coordinator.end(at: min(time, latest), reason: reason, dropped: dropped)
            isOver = true
        case .mark(let time): coordinator.advance(to: min(time, latest))
        case .header: break
        }
    }

    /// Whether a line has what another core inserted and this one inserts as well.
    ///
    /// That is the pause and the play that a rate of 0 says, and the unload of a session that is over here.
    private func insertsItself(_ event: EventView, _ coordinator: Coordinator) -> Bool {
        guard event.attributes[.implicit]?.bool == true else { return false }
        return event.type == .videoUnload ? coordinator.session == 0 : event.type == .pause || event.type == .play
    }

    // MARK: - Reports that are interpreted

    private func receiveReports(_ reports: ReceivedReports) {
        worker.calls.removeAll(keepingCapacity: true)
        for line in reports.text.split(separator: 0x0A) {
            let text = String(decoding: line, as: UTF8.self)
            worker.buffer.append("#r \(reports.received) ")
            worker.buffer.append(text)
            worker.buffer.append("\n")
            let refusal = interpretation?.receive(text, at: reports.received, into: &worker.calls)
            if let refusal { worker.counted.refused[refusal, default: 0] += 1 }
        }
        perform(optsOut: reports.optsOut)
    }

    /// Makes the calls that the reports have come to.
    private func perform(optsOut: Bool) {
        if coordinator == nil, let first = worker.calls.first { begin(at: first.time, optsOut: optsOut) }
        guard let coordinator else {
            isOver = interpretation?.isOver ?? true
            return
        }
        for call in worker.calls {
            var writer = worker.block.writer()
            guard call.write(to: &writer) != nil else { continue }
            unsafe writer.header.pointee.time_us = max(0, call.time - epoch)
            unsafe coordinator.handle(writer.header)
            worker.counted.events += 1
        }
        if let interpretation { coordinator.advance(to: max(0, interpretation.knownUntil - epoch)) }
        if interpretation?.isOver == true {
            coordinator.end(at: coordinator.time, reason: .drained, dropped: 0)
            isOver = true
        }
    }

    // MARK: - Begin, restart, and the file

    private func begin(at epoch: Int64, optsOut: Bool) {
        self.epoch = epoch
        let setups = worker.setups(of: key)
        var header = ArchiveHeader(
            run: id,
            semantics: Int64(RunDescription(id: id, epoch: epoch).semantics),
            core: TallyVersion.core,
            epoch: epoch,
            trackers: worker.telemetry.recordedTrackers(setups)
        )
        header.longestSilence = worker.longestSilence
        let recorder = OpenRunRecorder(run: id, into: worker.buffer, path: path)
        recorder.begin(header)
        self.recorder = recorder
        coordinator = worker.coordinator(header, setups, recorder, key, isHeard: true)
        changes = worker.changeCount
        guard optsOut, let coordinator else { return }
        var writer = worker.block.writer()
        _ = writer.set(.consentScope, "consent_scope", .string("all"))
        _ = writer.set(.consentState, "consent_state", .string("out"))
        _ = writer.finish(type: .consent)
        unsafe writer.header.pointee.time_us = 0
        unsafe coordinator.handle(writer.header)
    }

    /// Goes on with a run of an earlier process, whose file holds this.
    func restore(_ contents: OpenRunFile.Contents) {
        place = contents.place
        isOver = contents.isOver
        fileBytes = contents.bytes
        firstHeard = contents.told.first?.0 ?? place.heard
        OpenRunFile.truncate(path, to: contents.bytes)
        worker.calls.removeAll()
        for (time, report) in contents.told {
            if let report {
                _ = interpretation?.receive(report, at: time, into: &worker.calls)
            } else {
                interpretation?.advance(to: time, into: &worker.calls)
            }
        }
        worker.calls.removeAll()
        guard !isOver, let header = OpenRunFile.header(of: contents.lines) else { return }
        epoch = header.epoch
        id = header.run
        let recorder = OpenRunRecorder(run: id, into: worker.buffer, path: path)
        recorder.isRestoring = true
        self.recorder = recorder
        let continuation = RunContinuation(header, contents.lines, among: worker.setups(of: key))
        let made = worker.coordinator(header, continuation.setups, recorder, key, isHeard: false)
        coordinator = made
        changes = worker.changeCount
        guard let made else { return }
        continuation.prepare(made)
        let told = OpenRunFile.replay(contents.lines, into: made)
        let count = contents.lines.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        recorder.goOn(at: UInt64(count), events: told?.events ?? 0)
        made.isRehearsal = false
        made.resolve = nil
        worker.hear(made, key)
        for name in continuation.missing {
            worker.report("\(key.name): \(name) is not here any more, and says nothing more of this run")
        }
        let changes = continuation.changes
        if !changes.isEmpty { _ = change(changes, number: self.changes) }
    }

    /// Writes what the step came to into the file.
    private func finishStep() {
        if isOver {
            worker.buffer.append(place.line)
            worker.buffer.append("#e\n")
        } else {
            place.due = nextDue ?? 0
            worker.buffer.append(place.line)
        }
        guard recorder?.isErased != true else { return }
        fileBytes = worker.append(to: path, at: fileBytes)
    }

    /// Forgets the run, whose file stays; its trackers see no end.
    func abandon() {
        coordinator?.abandon()
        coordinator = nil
    }

    /// When it began, us since 1970; when its first report came while all that came is held back.
    var begun: Int64 { recorder == nil ? firstHeard : epoch }

    /// What it is now, for who looks on.
    var overview: RunOverview {
        RunOverview(
            tenant: key.tenant,
            form: key.form.word,
            run: key.name,
            id: id,
            begun: begun,
            heard: place.heard,
            time: coordinator?.time ?? 0,
            events: recorder?.events ?? 0,
            session: coordinator?.session ?? 0,
            isPlaying: coordinator?.isPlaying ?? false,
            bytes: fileBytes
        )
    }
}

/// One run as it is shown.
package struct RunOverview: Sendable {
    /// The tenant's name.
    package let tenant: String
    /// The form of its reports, as a word.
    package let form: String
    /// The name that the player gave it.
    package let run: String
    /// Its id in archives and outputs.
    package let id: String
    /// When it began, us since 1970; when its first report came while all that came is held back.
    package let begun: Int64
    /// When something came for it last, us since 1970.
    package let heard: Int64
    /// Its time, us.
    package let time: Int64
    /// Its events.
    package let events: UInt64
    /// The number of its open session, 0 outside one.
    package let session: UInt32
    /// Whether it plays.
    package let isPlaying: Bool
    /// Bytes of its file.
    package let bytes: Int
}
