/// What a process may use of the machine that runs a plugin's code for the player.
package struct ProcessAllowance: Sendable, Equatable {
    /// Bytes of its address space.
    package var memoryBytes: Int
    /// Files and folders that it may read, beside those of libraries.
    package var readable: [String] = []
    /// Files that it may write, and folders in which it may write, make and remove files.
    package var writable: [String] = []
    /// Whether it may connect to other machines, and read what the system says of names and certificates.
    package var connects = false
    /// Whether it may wait for connections of others.
    package var listens = false
    /// Whether it may have more than one thread.
    package var hasThreads = false
    /// Whether its standard output and error are the player's.
    package var hasStreams = false

    /// Whether it does input and output at all, be it on what is open when it begins.
    package var doesIO = false

    /// Memory and processor time alone.
    package init(memoryBytes: Int) { self.memoryBytes = memoryBytes }

    /// Whether it opens files when its code is there.
    package var opensFiles: Bool { doesIO && (!readable.isEmpty || !writable.isEmpty || usesNetwork) }
    /// Whether it has sockets.
    package var usesNetwork: Bool { connects || listens }
}
