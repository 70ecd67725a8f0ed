internal import BuildCommit
internal import PluginABI

/// Descriptors as C reads them; they live as long as the process, as the ABI wants it.
@safe enum DescriptorStorage {
    /// A terminated copy of a text.
    static func text(_ text: String) -> UnsafePointer<CChar> {
        unsafe .lasting(Array(text.utf8CString))
    }

    /// A terminated list of texts, nil when there are none.
    static func list(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
        unsafe texts.isEmpty ? nil : .lasting(texts.map { unsafe text($0) } + [nil])
    }
}

/// Which build of a version a plugin is: what stands behind `MAJOR.MINOR.MICRO` in the version in full.
public struct PluginBuild: Sendable, Equatable {
    /// Rises with each fix that changes nothing else; 0 when the version is new.
    public let patch: Int
    /// The first seven hexadecimal digits of the commit that the plugin was built from.
    public let commit: String

    /// Names a build; zeros stand for a commit that is not known.
    public init(patch: Int = 0, commit: String = "0000000") {
        self.patch = patch
        self.commit = commit
    }

    /// The build of a plugin that is a part of Tally itself.
    package static func tally(patch: Int = 0) -> PluginBuild {
        PluginBuild(patch: patch, commit: unsafe String(cString: tally_build_commit()))
    }

    /// As the descriptor has it: `PATCH-COMMIT`.
    var text: String { "\(patch)-\(commit)" }
}
