internal import Tally
package import TextEncoding

/// What a host does itself of the commands; everything else is the same in all hosts.
package protocol CommandedHost: Sendable {
    /// Which host it is, for the commands that it has.
    var section: HostSection { get }

    /// Carries out a command for playback, and may wait for it.
    func perform(_ command: PlaybackCommand) -> ControlReply

    /// Deletes what was recorded.
    func erase() -> ControlReply

    /// What the host adds to the reply to `stats`.
    var statistics: JSONObject { get }

    /// Does something that changes plugins where this host can take changes, and waits for it.
    func whereChangesAreTaken(_ body: @escaping @Sendable () -> ControlReply) -> ControlReply
}

extension CommandedHost {
    package func whereChangesAreTaken(_ body: @escaping @Sendable () -> ControlReply) -> ControlReply {
        body()
    }
}
