/// What is done with a source whose server does not answer.
struct RetryOptions: Sendable, Equatable {
    /// How often it is opened again.
    var limit = 0
    /// How long the player waits before it does, ms.
    var delayMs: Int64 = 1000
}
