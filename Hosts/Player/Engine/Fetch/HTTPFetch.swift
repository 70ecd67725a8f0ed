import CGStreamer

/// Gets small resources of the web whole, with the media engine's own HTTP client: its TLS, proxies and redirects.
package enum HTTPFetch {
    /// Why there is no answer that can be used.
    package struct Failure: Error, Sendable, Equatable {
        /// The HTTP status, when a server answered.
        package let status: Int?
        /// The reason in words.
        package let reason: String
    }

    /// The body of a resource; waits for it.
    ///
    /// The time limit is that from the request to the body's end, and the other one is the largest body in bytes.
    package static func get(_ url: String, timeoutMs: Int64, limit: Int) throws(Failure) -> [UInt8] {
        _ = GStreamerRuntime.version
        guard let request = HTTPRequest(url, limit: limit, timeoutMs: timeoutMs) else {
            throw Failure(status: nil, reason: "souphttpsrc of GStreamer is not installed")
        }
        let outcome = request.run(untilNs: MonotonicClock.nowNs() + timeoutMs * 1_000_000)
        request.close()
        switch outcome {
        case .ended: return request.body.bytes
        case .tooLarge: throw Failure(status: nil, reason: "the answer is larger than \(limit) bytes")
        case .timeout: throw Failure(status: nil, reason: "no answer within \(timeoutMs) ms")
        case .failed(let status, let message):
            guard let status, status >= 100 else { throw Failure(status: nil, reason: message) }
            throw Failure(status: status, reason: "the server answered with status \(status)")
        }
    }
}
