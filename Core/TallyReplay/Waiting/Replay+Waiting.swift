internal import Archive
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Reporting
internal import Setup
internal import System

// Runs that are more than may be open at once: they wait until the archive was read.
//
// The first that is too many parts the runs. Those that are open go on; the lines of all others wait in buckets, each
// of which is then replayed like an archive, and parted again if need be. What trackers say from there on is stored
// with the line that caused it, and goes to the reporters in the order of the lines.
extension Replay {
    /// Whether nothing depends on when a line is replayed; several coordinators halt for each checkpoint.
    var mayHoldBack: Bool {
        !waiting.isCommanded && !options.strict && options.pace == nil
            && (lines == nil || options.checkpoint == nil && options.resumed == nil)
    }

    /// Whether a run that begins has to wait; its header then does so already.
    func holdsBack(_ header: ArchiveHeader, _ reader: ArchiveReader) -> Bool {
        if waiting.partition == nil {
            guard waiting.isAllowed, runs.count >= max(options.openRuns / options.jobs, 1) else { return false }
            partRuns(reader)
        }
        refusedRuns.remove(header.run)
        return waiting.append(reader)
    }

    private func partRuns(_ reader: ArchiveReader) {
        let folder = waiting.spill.folder
        if waiting.outputs == nil {
            lines?.isHoldingBack = true
            waiting.spilledBefore = waiting.spill.bytes
            tell(
                "\(reader.path):\(reader.lineNumber): \(runs.count) player runs are open: those that begin now wait in "
                    + "\(folder), and so does what trackers say, until the archive was read"
            )
        }
        let outputs = makeStore()
        let buckets = LineBuckets(of: reader.path, in: folder)
        waiting.partition = WaitingRuns.Partition(buckets: buckets, outputs: outputs, outer: waiting.outputs)
        waiting.outputs = outputs
        for run in runs.values where run.cut?.isInside ?? true { run.coordinator.divert(to: outputs) }
    }

    private func makeStore() -> StoredOutputs {
        waiting.makeStore(wanted: consumers.reduce(0) { $0 | $1.wanted })
    }

    /// Replays the runs that waited, bucket by bucket, and hands on what all said in the order of the lines.
    func replayWaitingRuns(behind outer: ArchiveReader, tick: () -> Void) {
        guard let partition = waiting.partition else { return }
        if partition.outer == nil { waiting.readAt = SystemTime.monotonic() }
        partition.outputs.rest()
        var stores = [partition.outputs]
        // What ended the reading came behind all lines that wait.
        let end = failure
        failure = nil
        let wasCutShort = waiting.isCutShort
        waiting.isCutShort = wasCutShort || end != nil
        waiting.depth += 1
        for index in 0..<LineBuckets.count where failure == nil && control?.isStopped != true {
            waiting.partition = nil
            guard let lines = partition.buckets.lines(of: index) else { continue }
            let store = makeStore()
            stores.append(store)
            waiting.outputs = store
            let reader = ArchiveReader(lines)
            self.lines?.goBack(to: reader)
            // Reading its lines throws nothing.
            try? replay(reader, tick: tick)
            self.lines?.goBack(to: outer)
            store.rest()
        }
        waiting.depth -= 1
        waiting.isCutShort = wasCutShort
        failure = end ?? failure
        waiting.partition = nil
        waiting.outputs = partition.outer
        waiting.lineBytes += partition.buckets.bytes
        handOn(stores, outer.path)
        let lost = stores.reduce(0) { $0 + $1.lost }
        if let reason = partition.buckets.failure ?? (lost > 0 ? waiting.spill.failure : nil) {
            let what = "the runs that wait, more than \(options.openRuns) being open at once"
            failure = failure ?? noRoom(for: what, reason, lost: lost)
        }
    }

    /// Ends a replay whose temporary files cannot be written, by which outputs are lost.
    func noRoom(for what: String, _ reason: SystemFailure, lost: Int = 0) -> TelemetryError {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(reason.number)
        let folder = waiting.spill.folder
        let problem = isFull ? "\(folder) has no room for \(what)" : "\(folder) cannot keep \(what): \(reason)"
        let loss = lost == 0 ? "" : "; \(lost) outputs are lost"
        return TelemetryError(kind: .archiveOutput, "\(problem): name another folder in TMPDIR\(loss)")
    }

    private func handOn(_ stores: [StoredOutputs], _ path: String) {
        if let outer = waiting.outputs { return outer.append(stores) }
        let consumers = consumers
        let lane = lines == nil ? nil : consumers.first as? OutputLane
        StoredOutputs.merge(stores) { output, position in
            if let lane { return lane.consume(output, at: position) }
            for consumer in consumers where consumer.wanted & (1 << output.what) != 0 { consumer.consume(output) }
        }
        lines?.isHoldingBack = false
        for damage in waiting.firstDamage.prefix(ReplaySummary.placesKept - summary.places.count) {
            summary.places.append(damage.text)
            if lines != nil { placePositions.append(damage.position) }
        }
        waiting.removeDamage()
        let seconds = (SystemTime.monotonic() - waiting.readAt) / 1_000_000
        let spilled = waiting.spill.bytes - waiting.spilledBefore
        tell(
            "\(path): what waited took \(seconds) s, and in \(waiting.spill.folder) \(waiting.lineBytes >> 20) MiB of lines "
                + "and \(spilled >> 20) MiB of outputs"
        )
        waiting.lineBytes = 0
    }

    private func tell(_ text: String) { telemetry.log.write("", TALLY_LOG_INFO, text) }
}
