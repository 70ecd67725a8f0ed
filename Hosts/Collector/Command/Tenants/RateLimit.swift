internal import System
internal import TextEncoding

/// How often somebody comes: what is over the limit is refused until they have come less.
///
/// Any thread. An address is known by a keyed digest that changes with every start, never as it is.
final class RateLimit: Sendable {
    private struct Window {
        var start: Int64 = 0
        var counts: [String: Int] = [:]
    }

    /// Over how long requests are counted, us.
    private static let span: Int64 = 10_000_000
    /// Whose counts are kept; beyond, all begin anew.
    private static let kept = 200_000

    private let window = Lock(Window())
    private let salt = String(UInt64.random(in: 0 ... .max), radix: 36)

    /// Counts a request of somebody; false when they have come more often than `limit` a second.
    func admit(_ who: String, limit: Double, now: Int64) -> Bool {
        guard limit > 0 else { return true }
        return window.with { window in
            if now - window.start >= Self.span || window.counts.count >= Self.kept {
                window = Window(start: now)
            }
            let count = (window.counts[who] ?? 0) + 1
            window.counts[who] = count
            return Double(count) <= limit * Double(Self.span / 1_000_000)
        }
    }

    /// What an address is known by.
    func digest(of address: [UInt8]) -> String {
        String(SHA256.hex(of: salt + Hex.text(address)).prefix(16))
    }
}
