internal import Archive
internal import Coordinator
internal import EventModel
internal import Glibc
internal import PlayerReports
internal import PluginLoading
internal import Setup
internal import System
internal import TextEncoding

/// What the runs of one worker share: memory that one of them uses at a time, and what new ones begin with.
///
/// On the worker's thread.
final class RunWorkshop {
    /// The plugins.
    let telemetry: Telemetry
    /// How long runs are waited for.
    let patience: ReportPatience
    /// Lines that go to the file of the run that is at work.
    let buffer = ByteBuffer(capacity: 64 * 1024)
    /// Reads lines of players.
    let decoder = ArchiveLineDecoder(knowingRun: true)
    /// Where calls are written.
    let block = BlockBuffer()
    /// Calls of the run that is at work.
    var calls: [TrackedCall] = []
    /// What was done.
    var counted = WorkerCounts()
    /// How many changes of plugins were made in all runs so far.
    var changeCount = 0

    /// Whether a run of which nothing came for long may end behind this line: no other is on its way to it.
    let closes: (_ run: RunKey, _ last: UInt64) -> Bool

    private let options: RunOptions
    private let lent = LentMemory()

    init(_ telemetry: Telemetry, _ options: RunOptions, closes: @escaping (RunKey, UInt64) -> Bool) {
        self.closes = closes
        self.telemetry = telemetry
        self.options = options
        patience = options.patience
    }

    /// How long no line may come until an open session is ended, us.
    var longestSilence: Int64 { telemetry.options.longestSilence }

    /// What follows the reports of a run; nil for Tally's own form.
    func interpretation(of key: RunKey) -> (any ReportInterpretation)? { options.interpretation(key) }

    /// The trackers of a run that begins now.
    func setups(of key: RunKey) -> [TrackerSetup] {
        let setups = telemetry.currentSetups()
        guard let chosen = options.plugins[key.tenant] else { return setups }
        return setups.filter { chosen.contains($0.name) }
    }

    /// Where the outputs of a tenant's runs go.
    private func consumers(of key: RunKey) -> [any OutputConsumer] {
        telemetry.consumers(named: options.plugins[key.tenant])
    }

    /// The coordinator of a run; nil when its trackers cannot be made, which is told.
    func coordinator(
        _ header: ArchiveHeader,
        _ setups: [TrackerSetup],
        _ recorder: OpenRunRecorder,
        _ key: RunKey,
        isHeard: Bool
    ) -> Coordinator? {
        var run = RunDescription(id: header.run, epoch: header.epoch, semantics: UInt32(header.semantics))
        run.longestSilence = header.longestSilence ?? longestSilence
        do throws(PluginError) {
            let made = try make(run, setups, recorder, isHeard ? consumers(of: key) : [])
            if let store = telemetry.store {
                made.onStore = { store.put($0, $1, $2) }
            }
            let log = telemetry.log
            made.onFault = { instance, code, message, details in
                log.write(instance, 2, "\(code): \(message)\(details.isEmpty ? "" : " (\(details))")")
            }
            return made
        } catch {
            report("the trackers of a run could not be made: \(error.reason)")
            return try? make(run, [], recorder, isHeard ? consumers(of: key) : [])
        }
    }

    private func make(
        _ run: RunDescription,
        _ setups: [TrackerSetup],
        _ recorder: OpenRunRecorder,
        _ consumers: [any OutputConsumer]
    ) throws(PluginError) -> Coordinator {
        try Coordinator(
            run: run,
            trackers: setups,
            consumers: consumers,
            recorder: recorder,
            log: telemetry.log,
            lending: lent
        )
    }

    /// Has a run's outputs heard from now on.
    func hear(_ coordinator: Coordinator, _ key: RunKey) {
        coordinator.deliver(to: consumers(of: key), from: coordinator.time)
    }

    /// Appends what is in the buffer to a run's file, however long it takes until that can be done: what waits behind
    /// it is safe in the journal, and players are told to wait.
    ///
    /// - Returns: how many bytes the file has.
    func append(to path: String, at count: Int) -> Int {
        var wasTold = false
        while true {
            do throws(SystemFailure) {
                let appended: Result<Void, SystemFailure> = unsafe buffer.withBytes { bytes in
                    Result { () throws(SystemFailure) in unsafe try OpenRunFile.append(bytes, to: path, at: count) }
                }
                try appended.get()
                if wasTold { report("\(path): written; all goes on") }
                return count + buffer.count
            } catch {
                counted.failedWrites += 1
                if !wasTold { report("\(path): cannot be written: \(error). It is tried again until it can.") }
                wasTold = true
                guard !options.isClosing() else { return count }
                usleep(200_000)
            }
        }
    }

    /// Tells of something that went wrong.
    func report(_ text: String) { telemetry.log.write("", 2, text) }
}

/// What a worker did.
package struct WorkerCounts: Sendable {
    /// Entries of the journal that were done.
    package var entries: UInt64 = 0
    /// Track calls that were made.
    package var events: UInt64 = 0
    /// Runs that began.
    package var begun: UInt64 = 0
    /// Runs that ended.
    package var ended: UInt64 = 0
    /// Runs of an earlier process that went on.
    package var restored: UInt64 = 0
    /// Reports that were not used, by reason.
    package var refused: [String: UInt64] = [:]
    /// Attempts to write a run's file that failed.
    package var failedWrites: UInt64 = 0

    package init() {}

    /// Adds what another worker did.
    package mutating func add(_ other: WorkerCounts) {
        entries += other.entries
        events += other.events
        begun += other.begun
        ended += other.ended
        restored += other.restored
        refused.merge(other.refused) { $0 + $1 }
        failedWrites += other.failedWrites
    }
}
