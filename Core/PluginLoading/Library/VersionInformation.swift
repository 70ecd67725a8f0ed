/// A version in full and its parts, as the Video Heartbeat guides define it for a library and its plug-ins.
///
/// When each part rises is said in `docs/versioning.md`.
public struct VersionInformation: Sendable, Equatable {
    /// What it runs on.
    public let platform = "linux"
    /// `MAJOR.MINOR.MICRO`.
    public let version: String
    /// The first part.
    public let major: Int
    /// The second part.
    public let minor: Int
    /// The third part.
    public let micro: Int
    /// The fourth part.
    public let patch: Int
    /// The first seven hexadecimal digits of the commit that it was built from; zeros when it is not known.
    public let build: String

    /// The build of what does not say which one it is.
    package static let unknownBuild = "0-0000000"

    /// Reads `MAJOR.MINOR.MICRO` and `PATCH-COMMIT`; nil when one of them has another form.
    public init?(version: String, build: String) {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
        let last = build.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let micro = parts[2], last.count == 2,
            let patch = Self.number(last[0]), last[1].utf8.count == 7, last[1].utf8.allSatisfy(Self.isHexDigit)
        else { return nil }
        self.version = version
        self.major = major
        self.minor = minor
        self.micro = micro
        self.patch = patch
        self.build = String(last[1])
    }

    /// The version in full: `linux-<major>.<minor>.<micro>.<patch>-<build>`.
    public var text: String { "\(platform)-\(version).\(patch)-\(build)" }

    private static func number(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
