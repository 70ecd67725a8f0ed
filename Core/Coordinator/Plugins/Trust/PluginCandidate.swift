internal import CLinux
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
        let bytes = try PluginFile.read(path, trust: trust, within: directory)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        descriptor = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe tally_sealed_copy(String(name.prefix(60)), unsafe start, bytes.count)
        }
        guard descriptor >= 0 else {
            throw PluginError.unreadable(path: path, reason: "no memory for a copy: \(SystemError.text(errno))")
        }
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
