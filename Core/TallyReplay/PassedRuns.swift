internal import Archive
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import Setup

/// A player run that is over: what tells its lines when they come again.
package struct PassedRun: Sendable, Equatable {
    /// Wall clock at the run's time 0, us since 1970: another run with the same id has another.
    package let epoch: Int64
    /// The number behind its last line.
    package let next: UInt64
    /// Lines before that which never came.
    package let missing: [Range<UInt64>]

    /// How many are known at once, of each coordinator.
    static let kept = 262_144

    /// A run by what a checkpoint says of it.
    package init(epoch: Int64, next: UInt64, missing: [Range<UInt64>]) {
        self.epoch = epoch
        self.next = next
        self.missing = missing
    }

    /// Whether a line of the run came already.
    func has(_ ordinal: UInt64) -> Bool { ordinal < next && !missing.contains { $0.contains(ordinal) } }

    /// What runs are known by, FNV-1a of their ids: the same in each process, and of one size however long an id is.
    static func key(_ id: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in id.indices {
            unsafe hash = (hash ^ UInt64(id[index])) &* 0x0000_0100_0000_01B3
        }
        return hash
    }

    static func key(_ id: String) -> UInt64 {
        var id = id
        return id.withUTF8 { unsafe key(UnsafeRawBufferPointer($0)) }
    }
}

// What comes a second time: lines by the numbers that their runs have come to, headers by their runs.
extension Replay {
    /// Whether a header came already, of a run that is open or over; its run goes on with the lines that did not.
    func isRepeated(_ header: ArchiveHeader) -> Bool {
        guard options.leavesOutRepeated else { return false }
        let epoch = runs[header.run]?.epoch ?? passedRuns[PassedRun.key(header.run)]?.epoch
        guard epoch == header.epoch else { return false }
        hasOtherLines = true
        summary.repeated += 1
        return true
    }

    /// Whether a line came already in a run that is over.
    func isRepeated(_ reader: ArchiveReader) -> Bool {
        guard !passedRuns.isEmpty,
            let passed = unsafe passedRuns[PassedRun.key(reader.decoder.run.bytes)],
            passed.has(reader.decoder.ordinal)
        else { return false }
        hasOtherLines = true
        summary.repeated += 1
        return true
    }

    /// Keeps of a run that is over what its lines are known by.
    func pass(_ run: ReplayedRun, id: String) {
        guard options.leavesOutRepeated else { return }
        guard passedRuns.count < PassedRun.kept else {
            let text =
                "more than \(PassedRun.kept) player runs are over: later ones are replayed again when they come again"
            if !hasForgottenRuns { telemetry.log.write("", TALLY_LOG_WARN, text) }
            hasForgottenRuns = true
            return
        }
        passedRuns[PassedRun.key(id)] = PassedRun(epoch: run.epoch, next: run.expected, missing: run.missing)
    }
}
