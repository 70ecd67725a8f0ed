/// Why a beacon was not delivered; each is counted by itself.
enum DropReason: String, Sendable, CaseIterable {
    /// It became older than it may.
    case expired
    /// It was tried as often as is allowed.
    case attempts
    /// The server refuses it: a status that a second try would not change.
    case refused
    /// There was no network, and it is not worth keeping.
    case offline
    /// One try was all that it wanted.
    case noRetry = "no_retry"
    /// The spool was larger than it may be, and this was the oldest.
    case evicted
    /// The address, the method or a header cannot be sent.
    case malformed
    /// The spool was damaged there.
    case damaged
    /// The queue in front of the reporter was full.
    case queueFull = "queue_full"
    /// The spool could not be written for longer than is allowed.
    case unwritable
    /// Its run or session was erased on request.
    case erased
}
