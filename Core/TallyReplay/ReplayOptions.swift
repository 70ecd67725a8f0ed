package import Coordinator

/// How archives are replayed.
public struct ReplayOptions: Sendable {
    /// How fast the replay goes; nil goes as fast as it can.
    ///
    /// It is held to from the replay's start on: what comes late is caught up with. The runs of several archives follow
    /// each other without a break.
    public var pace: ReplayPace?
    /// Whether the trackers are those of the recorded run and change as they did in it, instead of those that are
    /// configured.
    ///
    /// A plugin is found by the hash of its file, otherwise by its version, which is noted in the log.
    public var asRecorded = false
    /// Plugins to use as recorded ones, by recorded instance name or plugin id.
    public var substitutes: [String: String] = [:]
    /// Whether the first line that cannot be used ends the replay.
    public var strict = false
    /// How many places may be damaged before the next one ends the replay; nil for any number.
    package var damagedLimit: Int?
    /// Whether a run whose end is not in the archive is ended where it was last seen, with the reason `crash`.
    ///
    /// Otherwise it stays open: its trackers see no end of their session.
    public var endsOpenRuns = false
    /// How many lines of a run may come before one that they follow, and are put right; 0 takes lines as they come.
    ///
    /// With ``strict`` lines are taken as they come.
    public var reorderWindow = 0
    /// Whether a line that comes again, known by its run and number, is counted and left out, a header among them.
    ///
    /// Otherwise a run is replayed as often as its header comes, and a line that comes again in it is out of order.
    package var leavesOutRepeated = false
    /// How many runs of an archive file may be open at once; the lines of further ones wait in a file until the archive
    /// was read, and outputs come in the order of the lines all the same.
    ///
    /// Not where a replay has a pace or takes commands, nor with ``strict``. Meanwhile no checkpoint is kept.
    ///
    /// Of a pipe, or an archive that is still written, the run that was heard of least recently is closed before one
    /// more begins; with several coordinators those of a pipe wait too.
    public var openRuns = 512
    /// How long nothing may come of a run before it is closed, us of the machine's clock; nil for any time.
    ///
    /// Where an archive is still written, or comes through a pipe; not with several coordinators.
    package var runIdleLimit: Int64?
    /// Says of each player run, by its id, whether it is replayed; nil replays all.
    ///
    /// It is asked on the replay's thread, at each header.
    public var selects: (@Sendable (String) -> Bool)?

    /// Says of each session, by its run's id and its number, whether it is replayed; nil replays runs whole.
    ///
    /// Each session is then replayed as a run of its own, whose id is the run's with `#` and the number: its trackers
    /// know nothing of what was before it, so ids and counters may differ from those of the whole run.
    public var cuts: (@Sendable (_ run: String, _ session: UInt32) -> Bool)?

    /// How many coordinators replay at once, each on a thread of its own.
    package var jobs = 1
    /// Whether several coordinators' outputs come to the reporters in the order of the input.
    package var ordered = true
    /// Makes what takes the outputs of each of several coordinators, on its own thread, in place of the reporters.
    package var makesConsumers: (@Sendable () -> [any OutputConsumer])?
    /// Says in which file a line of an archive that is several files lies, and its number there.
    package var locates: (@Sendable (_ path: String, _ line: Int) -> (path: String, line: Int))?
    /// Told how far one coordinator has come, often and on its thread.
    package var onProgress: (@Sendable (ReplayProgress) -> Void)?
    /// Keeps checkpoints; nil keeps none.
    package var checkpoint: CheckpointKeeper?
    /// Where an earlier process left off.
    package var resumed: ReplayCheckpoint?
    /// The archive whose run is recovered: a plugin file that went on in it stands for those before it without a
    /// warning, as they are mostly gone.
    package var recoveredArchive: String?

    /// As fast as it can, with the trackers as configured, skipping damaged lines.
    public init() {}
}

/// How far a replay has come.
package struct ReplayProgress: Sendable, Equatable {
    /// Player runs that began.
    package var runs = 0
    /// Events that were replayed.
    package var events: UInt64 = 0

    static func + (left: ReplayProgress, right: ReplayProgress) -> ReplayProgress {
        ReplayProgress(runs: left.runs + right.runs, events: left.events + right.events)
    }
}
