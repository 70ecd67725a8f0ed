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
