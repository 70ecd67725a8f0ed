import System

/// Keeps the requests of an item's demuxer within bounds.
///
/// GStreamer 1.22 asks again at once for what a server refuses, and for the same segments again and again where a
/// playlist says that they are shorter than they are: hundreds of requests a second.
final class RequestPacing: Sendable {
    /// The most requests in any second.
    static let perSecond = 20
    /// The wait behind the first failure of an address; it doubles with each that follows.
    private static let firstWaitNs: Int64 = 250_000_000
    private static let longestWaitNs: Int64 = 8_000_000_000
    private static let secondNs: Int64 = 1_000_000_000

    private struct State {
        /// When the last requests began, ns; the first one was for the manifest that the demuxer was made for.
        var starts = [MonotonicClock.nowNs()]
        /// How often addresses failed in a row, and when they did last.
        var failures: [String: (count: Int, timeNs: Int64)] = [:]
        /// Whoever waits goes on when it changes.
        var hurries = 0
    }

    private let state = Condition(State())

    /// Waits until a request may begin, or ``hurry()``; on the thread that makes the item's requests.
    func awaitTurn(of url: String) {
        let hurries = state.with { $0.hurries }
        let dueNs = state.with { state in
            let nowNs = MonotonicClock.nowNs()
            guard state.starts.count >= Self.perSecond else { return Self.due(state.failures[url], nowNs) }
            return max(Self.due(state.failures[url], nowNs), state.starts[0] + Self.secondNs)
        }
        _ = state.wait(until: dueNs / 1000) { $0.hurries == hurries ? nil : true }
        state.with { state in
            state.starts.append(MonotonicClock.nowNs())
            if state.starts.count > Self.perSecond { state.starts.removeFirst() }
        }
    }

    /// When an address may be asked for again: a fifth earlier or later, so that players do not come back together.
    private static func due(_ failure: (count: Int, timeNs: Int64)?, _ nowNs: Int64) -> Int64 {
        guard let failure else { return nowNs }
        let waitNs = min(firstWaitNs << min(failure.count - 1, 8), longestWaitNs)
        return failure.timeNs + waitNs * Int64.random(in: 80...120) / 100
    }

    /// Remembers what became of a request.
    func finished(_ url: String, succeeded: Bool) {
        state.with { state in
            if succeeded {
                state.failures[url] = nil
            } else {
                state.failures[url] = ((state.failures[url]?.count ?? 0) + 1, MonotonicClock.nowNs())
            }
        }
    }

    /// Lets the request that waits begin: something else than its answer is awaited now.
    func hurry() { state.change { $0.hurries += 1 } }
}
