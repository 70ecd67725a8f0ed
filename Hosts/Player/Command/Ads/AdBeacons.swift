internal import Advertising
internal import Glibc
internal import PlaybackEngine
internal import System
internal import TextEncoding

/// Requests the addresses that want to hear of ads, one after another and apart from playback.
struct AdBeacons: Sendable {
    private struct Queue: Sendable {
        var waiting: [String] = []
        var isRunning = false
    }

    /// The most addresses that wait; an ad server that lists more, or answers none, loses the rest.
    private static let limit = 1000

    private let queue = Lock(Queue())
    let isEnabled: Bool
    let timeoutMs: Int64
    let platform: any MediaPlatform
    /// What requests carry.
    let settings: RequestSettings

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
        if starts { platform.startThread { request() } }
    }

    /// Whether all addresses were requested.
    var isIdle: Bool { queue.with { !$0.isRunning } }

    private func request() {
        while let address = next() {
            // What the server says to it does not matter.
            _ = try? platform.document(address, as: settings, timeoutMs: timeoutMs, limit: 1_048_576)
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

/// Times as the macros of ad documents want them (VAST 4.2, 6).
enum AdClockText {
    /// A place in media, such as `00:01:02.345`.
    static func text(milliseconds: Int64) -> String {
        let whole = max(0, milliseconds)
        let (hours, minutes, seconds) = (whole / 3_600_000, whole / 60_000 % 60, whole / 1000 % 60)
        return digits(hours, 2) + ":" + digits(minutes, 2) + ":" + digits(seconds, 2) + "." + digits(whole % 1000, 3)
    }

    /// The present time in UTC, such as `2026-01-17T08:15:07.000Z`.
    static func now() -> String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let date = CivilDate(microsecondsSinceEpoch: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
        let buffer = ByteBuffer(capacity: 32)
        date.appendISO8601(to: buffer, fractionDigits: 3)
        return buffer.string
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
