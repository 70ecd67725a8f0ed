/// Stops sending to a destination that fails again and again, and tries it with one request from time to time.
struct CircuitBreaker: Equatable, Sendable {
    /// Failures in a row that open it.
    static let tolerated: Int64 = 5

    /// Failures since the last success.
    private(set) var failures: Int64 = 0
    /// Nothing is sent before this, ms since 1970.
    private(set) var closedUntil: Int64 = 0
    /// Whether the one request that tries is under way.
    private var isTrying = false

    /// Whether a request may begin now.
    func allows(at now: Int64) -> Bool {
        now >= closedUntil && !(isOpen && isTrying)
    }

    /// Whether the destination is held to be dead.
    var isOpen: Bool { failures >= Self.tolerated }

    /// Notes that a request begins.
    mutating func begin() {
        if isOpen { isTrying = true }
    }

    /// Notes that the destination answered as it should, even if not with success.
    mutating func succeed() {
        self = CircuitBreaker()
    }

    /// Notes a failure; `delay` says how long to wait after so many.
    mutating func fail(at now: Int64, retryAfter: Int64?, delay: (Int64) -> Int64) {
        failures += 1
        isTrying = false
        if let retryAfter {
            closedUntil = max(closedUntil, now + retryAfter)
        } else if isOpen {
            closedUntil = now + delay(failures - Self.tolerated + 1)
        }
    }
}
