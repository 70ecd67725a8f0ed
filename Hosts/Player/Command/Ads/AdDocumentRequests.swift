internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Gets the documents of ads, and keeps what came of each request until it is told.
final class AdDocumentRequests: Sendable {
    /// What came of a request.
    struct Outcome: Sendable {
        let request: NetworkRequest
        /// Why nothing came; nil when the document did.
        let failure: AdFetchFailure?
    }

    private let timeoutMs: Int64
    private let outcomes = Guarded<[Outcome]>([])

    init(timeoutMs: Int64) {
        self.timeoutMs = timeoutMs
    }

    /// What came of the requests since the last call.
    func takeOutcomes() -> [Outcome] {
        outcomes.with { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    /// A document at an address or in a file; waits for it.
    func document(_ location: String) throws(AdFetchFailure) -> [UInt8] {
        guard AdLocation.isWeb(location) else { return try Self.file(location) }
        var request = NetworkRequest()
        request.url = location
        request.host = location.firstRange(of: "://").map { scheme in
            String(location[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        request.type = "api"
        let startNs = Clock.bootNs()
        do throws(HTTPFetch.Failure) {
            let bytes = try HTTPFetch.get(location, timeoutMs: timeoutMs, limit: XMLReading.limit)
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
        request.duration = Double(Clock.bootNs() - startNs) / 1_000_000_000
        outcomes.with { $0.append(Outcome(request: request, failure: failure)) }
    }

    private static func file(_ path: String) throws(AdFetchFailure) -> [UInt8] {
        do throws(TextFile.Failure) {
            return try TextFile.read(path, limit: XMLReading.limit)
        } catch {
            throw AdFetchFailure(reason: error.reason)
        }
    }
}
