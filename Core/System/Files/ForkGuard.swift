internal import CLinux

/// Keeps copies of this process that a plugin's `fork` makes from writing into this one's files.
///
/// A copy has the descriptors of the process and one of its threads. It may do what it wants that concerns nobody else,
/// and ends where it would return into the core. Thread-safe.
package enum ForkGuard {
    /// Whether this process is such a copy.
    @inline(__always)
    package static var isCopy: Bool { tally_is_forked() }

    /// Takes this copy for a process of its own: nothing of another one is in it.
    package static func acceptCopy() { tally_accept_fork() }

    /// Has a descriptor closed in each copy; to be taken back by ``release(_:)`` before it is closed here.
    package static func guardDescriptor(_ descriptor: Int32) { tally_close_in_forks(descriptor) }

    /// Forgets a descriptor.
    package static func release(_ descriptor: Int32) { tally_keep_in_forks(descriptor) }
}
