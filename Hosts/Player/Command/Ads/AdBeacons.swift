internal import Advertising
internal import PlaybackEngine
internal import System

/// Requests the addresses that want to hear of ads, one after another and apart from playback.
final class AdBeacons: Sendable {
    private struct Queue: Sendable {
        var waiting: [String] = []
        var isRunning = false
    }

    /// The most addresses that wait; an ad server that lists more, or answers none, loses the rest.
    private static let limit = 1000

    private let queue = Lock(Queue())
    private let isEnabled: Bool
    private let timeoutMs: Int64

    init(isEnabled: Bool, timeoutMs: Int64) {
        self.isEnabled = isEnabled
        self.timeoutMs = timeoutMs
    }

    /// Requests addresses with the values of their macros.
    func send(_ urls: [String], _ macros: [String: String]) {
        guard isEnabled else { return }
        let addresses = urls.map { AdMacros.replaced(in: $0, macros) }.filter(AdLocation.isWeb)
        guard !addresses.isEmpty else { return }
        let starts = queue.with { queue in
            guard queue.waiting.count < Self.limit else { return false }
            queue.waiting += addresses
            defer { queue.isRunning = true }
            return !queue.isRunning
        }
        if starts { EngineThread.start { [self] in drain() } }
    }

    /// Whether all addresses were requested.
    var isIdle: Bool { queue.with { !$0.isRunning } }

    private func drain() {
        while let address = next() {
            // What the server says to it does not matter.
            _ = try? HTTPFetch.get(address, timeoutMs: timeoutMs, limit: 1_048_576)
        }
    }

    private func next() -> String? {
        queue.with { queue in
            guard !queue.waiting.isEmpty else {
                queue.isRunning = false
                return nil
            }
            return queue.waiting.removeFirst()
        }
    }
}
