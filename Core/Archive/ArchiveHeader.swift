public import TextEncoding

/// The first line of a player run in an archive: what decides how it is replayed.
public struct ArchiveHeader: Sendable, Equatable {
    /// A tracker of the recorded run.
    ///
    /// Reporters are never recorded.
    public struct Tracker: Sendable, Equatable {
        /// Configured name.
        public var name: String
        /// Plugin id.
        public var plugin: String
        /// Plugin version.
        public var version: String
        /// SHA-256 of its file, lower-case hex.
        public var sha256: String
        /// Whether it was enabled when the run began.
        public var enabled: Bool
        /// Its configuration.
        public var configuration: JSONValue

        /// Persistent values as they were when the run began, by key.
        public var stored: [String: String]

        /// Describes a tracker.
        public init(
            name: String,
            plugin: String,
            version: String,
            sha256: String,
            enabled: Bool,
            configuration: JSONValue,
            stored: [String: String] = [:]
        ) {
            self.name = name
            self.plugin = plugin
            self.version = version
            self.sha256 = sha256
            self.enabled = enabled
            self.configuration = configuration
            self.stored = stored
        }
    }

    /// The run's id.
    public var run: String
    /// Format version of the lines that follow.
    public var format: Int64 = ArchiveFormat.version
    /// The rules of time, order, values, state and snapshot.
    public var semantics: Int64
    /// Version of the core that wrote it.
    public var core: String
    /// Wall clock at time 0, us since 1970.
    public var epoch: Int64
    /// How long none of its lines may come, us, until an open session is ended; nil where the header does not say.
    public var longestSilence: Int64?
    /// The trackers in the order of the configuration.
    public var trackers: [Tracker]
    /// Whether the run was erased: nothing of it is left but this line.
    public var isErased = false
    /// Numbers of sessions that were erased, rising.
    public var erasedSessions: [UInt32] = []

    /// Describes a run.
    public init(run: String, semantics: Int64, core: String, epoch: Int64, trackers: [Tracker]) {
        self.run = run
        self.semantics = semantics
        self.core = core
        self.epoch = epoch
        self.trackers = trackers
    }
}

/// The numbers of the archive format; docs/archive-format.md describes it.
public enum ArchiveFormat {
    /// The version that this core writes.
    ///
    /// A reader takes this one and every older one.
    public static let version: Int64 = 1
    /// The longest line that a reader takes, bytes.
    public static let longestLine = 1024 * 1024
    /// How long after the last whole state a sample carries the whole state, us.
    ///
    /// Ten seconds and a sample: a player whose quality samples, which carry it too, come every 10 s does not pay
    /// twice.
    public static let fullStateInterval: Int64 = 10_250_000
    /// How long after the last write a sample is written at once, us of run time.
    ///
    /// At the usual pace each one is.
    public static let writeInterval: Int64 = 100_000
}
