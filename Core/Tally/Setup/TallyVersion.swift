/// The version of Tally.
public enum TallyVersion {
    /// MAJOR.MINOR.MICRO of the core.
    public static let core = "0.1.0"
    /// The number of the track API, the delegate and the plugin ABI together; it rises when integrators have to act.
    public static let apiLevel = 1
}
