internal import BuildCommit
internal import PluginABI
public import PluginLoading

/// The version of Tally.
public enum TallyVersion {
    /// MAJOR.MINOR.MICRO of the core.
    public static let core = "0.1.0"
    /// Rises with each fix that changes nothing else.
    public static let patch = 0
    /// The number of the track API, the delegate and the plugin ABI together; it rises when integrators have to act.
    public static let apiLevel = 1
    /// The first seven hexadecimal digits of the commit that it was built from; zeros when it is not known.
    public static let build = unsafe String(cString: tally_build_commit())

    /// The version in full, with its parts.
    public static var full: VersionInformation {
        guard let version = VersionInformation(version: core, build: "\(patch)-\(build)") else {
            preconditionFailure("the version \(core) has another form")
        }
        return version
    }
}
