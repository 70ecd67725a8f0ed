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
    /// Whether a run whose end is not in the archive is ended where it was last seen, with the reason `crash`.
    ///
    /// Otherwise it stays open: its trackers see no end of their session.
    public var endsOpenRuns = false
    /// How many lines of a run may come before one that they follow, and are put right; 0 takes lines as they come.
    ///
    /// With ``strict`` lines are taken as they come.
    public var reorderWindow = 0
    /// Says of each player run, by its id, whether it is replayed; nil replays all.
    ///
    /// It is asked on the replay's thread, at each header.
    public var selects: (@Sendable (String) -> Bool)?

    /// As fast as it can, with the trackers as configured, skipping damaged lines.
    public init() {}
}
