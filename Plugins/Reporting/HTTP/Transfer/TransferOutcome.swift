/// What became of one attempt.
enum TransferOutcome: Equatable, Sendable {
    /// The server took it.
    case delivered
    /// The server answered with a status that is no success; `retryAfter` in ms when it said so.
    case status(Int, retryAfter: Int64?)
    /// No server was reached: no network, no such name, refused.
    case unreachable(String)
    /// The server was reached and gave no answer: cut, hung, unreadable.
    case failed(String)
    /// The server's certificate cannot be verified, so nothing was sent.
    case untrusted(String)
    /// It cannot be sent at all: the address is none.
    case malformed(String)
}
