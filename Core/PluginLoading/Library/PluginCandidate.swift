internal import Glibc

/// A plugin's file that was opened once and copied: what is checked, hashed, probed and loaded is this copy.
package struct PluginCandidate: Sendable {
    /// The file.
    package let path: String
    /// The sealed copy in memory, open for as long as the process lives once it was loaded.
    let descriptor: Int32
    let digest: FileDigest

    /// SHA-256 of the copy, lower-case hex.
    package var sha256: String {
        digest.text
    }

    /// Opens, checks and copies a file.
    package init(path: String, trust: PluginTrust, within directory: String? = nil) throws(PluginError) {
        descriptor = try PluginFile.copy(path, trust: trust, within: directory)
        self.path = path
        digest = FileDigest(descriptor: descriptor)
    }

    /// Takes over a copy that another process made: for the probe.
    package init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        digest = FileDigest(descriptor: descriptor)
    }

    /// Gives the copy back; only while nothing was loaded from it.
    package func discard() {
        close(descriptor)
    }
}
