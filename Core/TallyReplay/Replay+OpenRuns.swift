internal import Archive
internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import Setup
internal import TextEncoding

// Runs that are over, and those whose end is not in the archive.
extension Replay {
    /// Leaves the runs that are open at the end of an archive.
    func leaveOpenRuns(_ reader: ArchiveReader) {
        leaveRuns(path: reader.path)
        leaveClosedRuns(reader)
    }

    /// Leaves the runs that are in memory.
    func leaveRuns(path: String) {
        // In the order in which they began, so that the order of outputs is the same each time.
        for (id, run) in runs.sorted(by: { $0.value.number < $1.value.number }) {
            lines?.goToEnd(ofRunBegunAt: run.number)
            waiting.begunAt = run.number
            release(run, id: id, downTo: 0)
            guard runs[id] === run else { continue }
            leave(run, id: id, path: path)
        }
        waiting.begunAt = nil
    }

    /// A run without an end gets one where it was last seen, or stays where it is.
    ///
    /// One that was closed before the archive's end was told then.
    func leave(_ run: ReplayedRun, id: String, path: String, isTold: Bool = false) {
        summary.openRuns += 1
        // A replay that somebody stops says nothing of the rest.
        if options.endsOpenRuns, failure == nil, !waiting.isCutShort, control?.isStopped != true {
            // Timers that were due with the last line may have fired.
            run.lines?.expect(.end, run.expected)
            run.coordinator.end(at: run.coordinator.time + 1, reason: .crash, dropped: 0)
            summary.endedRuns += 1
            let ended = EndedRun(id: id, ordinal: run.expected, time: run.coordinator.time, epoch: run.epoch)
            endedRuns.append(ended)
            if !isTold {
                telemetry.log.write(repeating: "run without an end", TALLY_LOG_INFO, "\(path): \(ended.description)")
            }
        } else {
            run.coordinator.abandon()
        }
        close(run, id: id)
    }

    func close(_ run: ReplayedRun, id: String) {
        summary.runTime += run.coordinator.time
        sum(run.coordinator)
        pass(run, id: id)
        forget(run, id: id)
    }

    /// Frees the memory of a run.
    func forget(_ run: ReplayedRun, id: String) {
        runs[id] = nil
        if unsafe current?.toOpaque() == Unmanaged.passUnretained(run).toOpaque() {
            current = nil
        }
    }

    /// Adds what the trackers of a coordinator did.
    func sum(_ coordinator: Coordinator) {
        sum(coordinator.statistics)
    }

    /// Adds what trackers did.
    func sum(_ statistics: [(name: String, enabled: Bool, TrackerStatistics)]) {
        for (name, _, statistics) in statistics {
            summary.add(statistics)
            finished[name, default: TrackerStatistics()].add(statistics)
        }
    }
}

/// A player run whose end is not in the archive, and which was ended where it was last seen.
package struct EndedRun {
    package let id: String
    /// The number that the end's line would have.
    package let ordinal: UInt64
    /// When it was ended, us of run time.
    package let time: Int64
    /// Wall clock at the run's time 0, us since 1970.
    package let epoch: Int64

    /// When it was last seen, us since 1970.
    package var lastSeen: Int64 { epoch &+ time }

    /// Why it was ended, and when it was last seen.
    var description: String {
        let seen = CivilDate(microsecondsSinceEpoch: lastSeen).iso8601
        return
            "the run \(id) has no end: its player died, or plays on. It was last seen at \(seen) and is ended there, "
            + "with the reason crash"
    }
}
