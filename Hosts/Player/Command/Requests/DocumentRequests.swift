internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import PlayerSignals
internal import Tally
internal import XML

/// Gets documents and playlists, and keeps what came of each request until it is told.
struct DocumentRequests: Sendable {
    struct Outcome: Sendable {
        let request: NetworkRequest
        /// Why nothing came; nil when the document did.
        let failure: FetchFailure?
    }

    /// The type of the vocabulary.
    let type: String
    let timeoutMs: Int64
    /// The largest answer in bytes.
    let limit: Int
    let platform: any MediaPlatform
    /// What requests carry.
    let settings: RequestSettings
    private let outcomes = Lock<[Outcome]>([])

    func removeOutcomes() -> [Outcome] { outcomes.with { $0.drain() } }

    /// A document at an address or in a file; waits for it.
    func document(_ location: String) throws(FetchFailure) -> [UInt8] {
        guard AdLocation.isWeb(location) else { return try file(location) }
        var request = NetworkRequest(location, type: type)
        let startNs = platform.nowNs
        do throws(FetchFailure) {
            let bytes = try platform.document(location, as: settings, timeoutMs: timeoutMs, limit: limit)
            request.status = 200
            request.bytes = Int64(bytes.count)
            keep(request, since: startNs, failure: nil)
            return bytes
        } catch {
            request.status = error.status.map(Int64.init)
            keep(request, since: startNs, failure: error)
            throw error
        }
    }

    private func keep(_ request: NetworkRequest, since startNs: Int64, failure: FetchFailure?) {
        var request = request
        request.duration = Double(platform.nowNs - startNs) / 1_000_000_000
        outcomes.with { $0.append(Outcome(request: request, failure: failure)) }
    }

    private func file(_ path: String) throws(FetchFailure) -> [UInt8] {
        do throws(TextFile.Failure) {
            return try TextFile.read(path, limit: limit)
        } catch {
            throw FetchFailure(reason: error.reason)
        }
    }
}

extension PlaybackTracking {
    /// Tells what came of requests since the last time.
    func track(_ requests: DocumentRequests) {
        for outcome in requests.removeOutcomes() {
            guard let failure = outcome.failure else {
                track(run.trackRequestCompleted(outcome.request))
                continue
            }
            let details = PlayerErrorDetails(
                message: failure.reason,
                domain: failure.status == nil ? nil : "http",
                code: failure.status.map(Int64.init)
            )
            track(run.trackRequestFailed(outcome.request, details))
        }
    }
}

/// What a thread of its own works out.
final class PendingResult<Value: Sendable>: Sendable {
    private let result = Lock<Value?>(nil)

    init(on platform: any MediaPlatform, _ work: @escaping @Sendable () -> Value) {
        platform.startThread { [result] in
            let value = work()
            result.with { $0 = value }
        }
    }

    var value: Value? { result.with { $0 } }
}

/// What names one playback to the servers that it asks (RFC 9562, version 4).
enum SessionID {
    /// A new one, in small letters.
    static func random() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return parts.map { digits[$0].joined() }.joined(separator: "-")
    }
}
