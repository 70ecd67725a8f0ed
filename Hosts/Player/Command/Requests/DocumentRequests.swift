internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Gets documents and playlists, and keeps what came of each request until it is told.
final class DocumentRequests: Sendable {
    struct Outcome: Sendable {
        let request: NetworkRequest
        /// Why nothing came; nil when the document did.
        let failure: AdFetchFailure?
    }

    private let type: String
    private let timeoutMs: Int64
    private let limit: Int
    private let platform: any MediaPlatform
    private let outcomes = Lock<[Outcome]>([])

    /// Makes requests of a type of the vocabulary, each with a time limit and for so many bytes at most.
    init(type: String, timeoutMs: Int64, limit: Int, platform: any MediaPlatform) {
        self.type = type
        self.timeoutMs = timeoutMs
        self.limit = limit
        self.platform = platform
    }

    func takeOutcomes() -> [Outcome] {
        outcomes.with { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    /// A document at an address or in a file; waits for it.
    func document(_ location: String) throws(AdFetchFailure) -> [UInt8] {
        guard AdLocation.isWeb(location) else { return try file(location) }
        var request = NetworkRequest(location, type: type)
        let startNs = platform.nowNs
        do throws(HTTPFetch.Failure) {
            let bytes = try platform.document(location, timeoutMs: timeoutMs, limit: limit)
            request.status = 200
            request.bytes = Int64(bytes.count)
            keep(request, since: startNs, failure: nil)
            return bytes
        } catch {
            let failure = AdFetchFailure(status: error.status, reason: error.reason)
            request.status = error.status.map(Int64.init)
            keep(request, since: startNs, failure: failure)
            throw failure
        }
    }

    private func keep(_ request: NetworkRequest, since startNs: Int64, failure: AdFetchFailure?) {
        var request = request
        request.duration = Double(platform.nowNs - startNs) / 1_000_000_000
        outcomes.with { $0.append(Outcome(request: request, failure: failure)) }
    }

    private func file(_ path: String) throws(AdFetchFailure) -> [UInt8] {
        do throws(TextFile.Failure) {
            return try TextFile.read(path, limit: limit)
        } catch {
            throw AdFetchFailure(reason: error.reason)
        }
    }
}

extension PlaybackTracking {
    /// Tells what came of requests since the last time.
    func track(_ requests: DocumentRequests) {
        for outcome in requests.takeOutcomes() {
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
