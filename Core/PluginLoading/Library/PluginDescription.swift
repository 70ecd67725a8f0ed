/// What a plugin says of itself, copied out of its library.
public struct PluginDescription: Sendable, Equatable {
    /// Lasting id, reverse-DNS.
    public let id: String
    /// Name for people.
    public let name: String
    /// Who made it.
    public let vendor: String
    /// MAJOR.MINOR.MICRO.
    public let version: String
    /// The version in full, with its parts.
    public let fullVersion: VersionInformation
    /// Tracker or reporter.
    public let kind: PluginKind
    /// JSON Schema text of its configuration; nil when it takes any.
    public let configurationSchema: String?
    /// The file that it was loaded from.
    public let path: String
    let digest: FileDigest
    /// Whether it reacts to consent events itself.
    public let handlesConsent: Bool
    /// Whether a full queue waits for it because it keeps what it took on disk.
    public let spills: Bool
    /// What its configuration gets from elsewhere: names of shared blocks, and of files by their paths below the folder of
    /// a host's configuration, which end in `.json`.
    public let sharedConfiguration: [String]
    /// Keys of the persistent values that it reads and writes.
    public let storeKeys: [String]
    /// The events that it is to be called with.
    package let wantedEvents: WantedEvents

    /// SHA-256 of its file, lower-case hex; made when it is first asked for.
    public var sha256: String {
        digest.text
    }
}
