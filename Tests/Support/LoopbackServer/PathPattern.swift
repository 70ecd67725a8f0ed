import Glibc

/// A shell pattern over a whole request path, in which `*` also matches slashes.
package struct PathPattern: Sendable, Equatable {
    /// The pattern as it was written.
    package let text: String

    /// Takes a pattern such as `*.m4s` or `/hls/v0/*`.
    package init(_ text: String) {
        self.text = text
    }

    /// Returns whether the decoded path (with its leading slash) matches.
    package func matches(_ path: String) -> Bool {
        unsafe fnmatch(text, path, 0) == 0
    }
}
