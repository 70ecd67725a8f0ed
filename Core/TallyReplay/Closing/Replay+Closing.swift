internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import Setup
internal import System

// Runs that are closed before their ends, where they cannot wait until the archive was read since it is still written.
//
// A closed run is begun again by a silent replay of its lines as soon as it goes on, and again at the archive's end:
// what trackers say of it is what they had said otherwise. What comes through a pipe is kept in a file for that. Where
// none can be made, what still comes of a closed run is left out.
extension Replay {
    private enum Reason: String { case idle, limit }

    /// How many runs are in memory at most.
    private var mostOpenRuns: Int { max(options.openRuns / options.jobs, 1) }

    /// Closes the runs that were heard of least recently until one more may be open.
    func makeRoom(for id: String, path: String) {
        guard closing.isLive else { return }
        if silence == nil { hear(upTo: (waiting.reader?.lineNumber ?? 1) - 1) }
        while runs.count >= mostOpenRuns, let least = runs.min(by: { $0.value.isLongerSilent(than: $1.value) }) {
            close(least.value, id: least.key, .limit, path: path)
        }
        if closing.left.remove(id) != nil { refusedRuns.remove(id) }
    }

    /// Records that the run of the last line was heard of, before a line of another one, or a wait for more.
    func hear(upTo line: Int) {
        guard closing.isLive, silence == nil, line > closing.heardLine else { return }
        closing.heardLine = line
        unsafe current?._withUnsafeGuaranteedRef { $0.heard = (line, closing.time) }
    }

    /// Closes the runs of which nothing came for too long; asked often, also while the replay waits for more lines.
    package func closeIdleRuns() {
        guard closing.isLive, let limit = options.runIdleLimit, let reader = waiting.reader else { return }
        hear(upTo: reader.lineNumber)
        guard closing.advance() else { return }
        let idle = runs.filter { closing.time - $0.value.heard.time >= limit }
        for (id, run) in idle.sorted(by: { $0.value.isLongerSilent(than: $1.value) }) {
            close(run, id: id, .idle, path: reader.path)
        }
    }

    private func close(_ run: ReplayedRun, id: String, _ reason: Reason, path: String) {
        summary.closedRuns += 1
        warn(of: reason, id: id, path: path)
        guard closing.rereading != nil else {
            endSession(of: run, id: id, reason)
            if runs[id] === run { leave(run, id: id, path: path, isTold: true) }
            closing.left.insert(id)
            return
        }
        if reason == .idle, let reader = waiting.reader {
            endSession(of: run, id: id, reason)
            guard runs[id] === run else { return }
            run.idledAt.append(reader.offset)
        }
        closing.kept[id] = ClosedRuns.Kept(run)
        // It goes on, for all that its trackers and the reporters know.
        run.coordinator.divert(to: Nobody())
        run.coordinator.abandon()
        forget(run, id: id)
    }

    /// Ends the session of a run where it was last seen; lines that it waits for do not come any more.
    private func endSession(of run: ReplayedRun, id: String, _ reason: Reason) {
        guard options.endsOpenRuns else { return }
        release(run, id: id, downTo: 0)
        if runs[id] === run { run.coordinator.endSession(cause: reason.rawValue) }
    }

    private func warn(of reason: Reason, id: String, path: String) {
        let log = telemetry.log
        if reason == .idle {
            let text = "\(path): nothing came of the run \(id) for too long: it is closed, with the cause idle"
            log.write(repeating: "idle run", TALLY_LOG_INFO, text)
        }
        let loss = whyNothingIsKept
        guard !closing.hasWarned, reason == .limit || loss != nil else { return }
        closing.hasWarned = true
        let many = "more than \(options.openRuns) player runs are open: the one heard of least recently is closed"
        let isPipe = closing.pipe != nil
        let place = isPipe ? ", for which \(waiting.spill.folder) keeps what comes through the pipe" : ""
        // Several coordinators let runs wait, which nobody may want of a pipe that does not end.
        let other = isPipe ? ", or have runs wait for the end of the pipe with --jobs 2" : ""
        log.write(
            "",
            TALLY_LOG_WARN,
            "\(path): "
                + (loss.map {
                    "\(reason == .idle ? "idle runs are closed" : many), and what still comes of a closed run is left "
                        + "out, as \($0): raise --open-runs and --run-idle-limit, or replay a file"
                }
                    ?? "\(many), and replayed from its beginning when it goes on\(place): raise --open-runs where that "
                    + "is slow\(other)")
        )
    }

    /// Why closed runs cannot be begun again; nil when they can.
    private var whyNothingIsKept: String? {
        guard closing.rereading == nil else { return nil }
        guard let problem = closing.pipe?.problem else { return "several jobs with a checkpoint keep no pipe's lines" }
        return "no file for the lines of the pipe can be made in \(waiting.spill.folder): \(problem)"
    }

    /// Gives back the room of what came through a pipe before the headers of all runs that are open.
    func dropPipeBytes(_ reader: ArchiveReader) {
        closing.pipe?.drop {
            min(runs.values.map(\.offset).min() ?? reader.offset, closing.kept.values.map(\.offset).min() ?? .max)
        }
    }

    // MARK: - Begun again

    /// Begins a closed run again, all of whose lines before the last one are replayed in silence.
    func reopenedRun(_ id: String, _ reader: ArchiveReader) -> ReplayedRun? {
        guard silence == nil, let run = closing.kept[id] else { return nil }
        makeRoom(for: id, path: reader.path)
        reopen([id: run], upTo: reader.lineOffset)
        guard failure == nil else { return nil }
        summary.reopenedRuns += 1
        return runs[id]
    }

    /// Replays lines of closed runs in silence, up to a place in the archive; there is room for all of them.
    private func reopen(_ group: [String: ClosedRuns.Kept], upTo end: Int) {
        if let reason = closing.pipe?.failure {
            failure = noRoom(for: "what comes through the pipe, of which a closed run goes on", reason)
            return
        }
        guard let first = group.values.min(by: { $0.offset < $1.offset }),
            let source = closing.rereading?(first.offset..<end)
        else { return }
        let before = (summary, finished)
        let gates = consumers.map { ResumedOutputs($0) }
        silence = gates
        let reader = ArchiveReader(source, behindLine: Int(first.number) - 1, offset: first.offset)
        var idledAt = group.mapValues { $0.idledAt[...] }
        func endSession(_ id: String, before offset: Int) {
            while let place = idledAt[id]?.first, place <= offset, let run = runs[id] {
                idledAt[id]?.removeFirst()
                self.endSession(of: run, id: id, .idle)
            }
        }
        do throws(ArchiveSource.Failure) {
            while failure == nil, let line = try reader.next(damaged: { _ in }) {
                let id = reader.decoder.run.string
                guard let run = group[id], reader.lineOffset >= run.offset else { continue }
                endSession(id, before: reader.lineOffset)
                replay(line, reader)
            }
        } catch {
            failure = TelemetryError(error)
        }
        for (id, kept) in group {
            endSession(id, before: end)
            closing.kept[id] = nil
            guard let run = runs[id] else { continue }
            run.base = kept.base
            run.idledAt = kept.idledAt
            run.heard = (closing.heardLine, closing.time)
        }
        silence = nil
        for gate in gates { gate.isOpen = true }
        (summary, finished) = before
    }

    /// Leaves the runs that are closed at the archive's end, as many at once as may be open.
    func leaveClosedRuns(_ reader: ArchiveReader) {
        var closed = closing.kept.sorted { $0.value.number < $1.value.number }[...]
        while !closed.isEmpty, failure == nil, control?.isStopped != true {
            let group = closed.prefix(mostOpenRuns)
            reopen(Dictionary(uniqueKeysWithValues: group.map { ($0.key, $0.value) }), upTo: reader.offset)
            leaveRuns(path: reader.path)
            closed.removeFirst(group.count)
        }
        for (_, run) in closed {
            summary.openRuns += 1
            summary.runTime += run.time
            sum(run.statistics)
        }
        closing.kept = [:]
    }
}

extension ReplayedRun {
    /// Whether it was heard of before another one was.
    fileprivate func isLongerSilent(than other: ReplayedRun) -> Bool {
        (heard.line, number) < (other.heard.line, other.number)
    }
}

/// Takes nothing.
private final class Nobody: OutputConsumer {
    let wanted: UInt32 = 0

    func consume(_ output: Output) {}

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}
