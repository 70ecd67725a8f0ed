internal import Glibc

/// Whether whoever connected may give commands: the same user, or root.
package enum PeerCheck {
    /// Whether a user may give commands to a program of another.
    package static func allows(peer: UInt32, owner: UInt32) -> Bool {
        peer == owner || peer == 0
    }

    /// Whether the peer of a connected socket may; what the system does not tell is refused.
    static func allows(descriptor: Int32) -> Bool {
        // Linux: struct ucred is the numbers of process, user and group (unix(7), SO_PEERCRED).
        var credentials: [UInt32] = [0, .max, .max]
        var size = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        return allows(peer: credentials[1], owner: geteuid())
    }
}
