internal import Advertising
internal import PlaybackEngine
internal import Tally
internal import XML

/// Requests the addresses that want to hear of ads, one after another and apart from playback.
struct AdBeacons: Sendable {
    private struct Queue: Sendable {
        var waiting: [String] = []
        var isRunning = false
        var isFull = false
    }

    /// The most addresses that wait; an ad server that lists more, or answers none, loses the rest.
    private static let limit = 1000

    private let queue = Lock(Queue())
    let isEnabled: Bool
    let timeoutMs: Int64
    let platform: any MediaPlatform
    let notes: ProgressNotes
    /// What requests carry.
    let settings: RequestSettings

    /// Requests addresses with the values of their macros.
    func send(_ urls: [String], _ moment: AdMoment) {
        guard isEnabled else { return }
        var addresses: [String] = []
        for url in urls {
            guard AdLocation.isWeb(url) else {
                notes.warn("'\(url)' is not requested for the ad: it is no address of the web")
                continue
            }
            addresses.append(AdMacros.replaced(in: url, at: moment))
        }
        guard !addresses.isEmpty else { return }
        let (starts, isNewlyFull) = queue.with { queue in
            guard queue.waiting.count < Self.limit else {
                defer { queue.isFull = true }
                return (false, !queue.isFull)
            }
            queue.waiting += addresses
            defer { queue.isRunning = true }
            return (!queue.isRunning, false)
        }
        if isNewlyFull { notes.warn("\(Self.limit) addresses wait to be requested for ads; others are left out") }
        if starts { platform.startThread { request() } }
    }

    /// Whether all addresses were requested.
    var isIdle: Bool { queue.with { !$0.isRunning } }

    private func request() {
        while let address = next() {
            do throws(FetchFailure) {
                _ = try platform.document(address, as: settings, timeoutMs: timeoutMs, limit: 1_048_576)
            } catch {
                // What the server says to it does not matter.
                if error.status == nil { notes.warn("'\(address)' could not be requested for the ad: \(error.reason)") }
            }
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
