internal import CCurl
package import XML

/// Gets small resources of the web whole: over TLS, through the proxies of the environment, along redirects.
package enum HTTPFetch {
    private final class Body {
        let limit: Int
        var bytes: [UInt8] = []
        var isTooLarge = false

        init(limit: Int) {
            self.limit = limit
        }
    }

    private typealias WriteCallback =
        @convention(c) (UnsafePointer<UInt8>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    private static let onBytes: WriteCallback = { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let body = unsafe Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
        let part = unsafe UnsafeBufferPointer(start: bytes, count: size * count)
        guard body.bytes.count + part.count <= body.limit else {
            body.isTooLarge = true
            return 0
        }
        unsafe body.bytes.append(contentsOf: part)
        return part.count
    }

    private static let isUsable: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    private static let redirectLimit = 20

    /// The body of a resource, of `limit` bytes at most; waits until it has come whole or the time is over.
    package static func get(_ url: String, timeoutMs: Int64, limit: Int) throws(FetchFailure) -> [UInt8] {
        guard isUsable, let handle = unsafe curl_easy_init() else {
            throw FetchFailure(reason: "libcurl cannot be used")
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let body = Body(limit: limit)
        let options: [(CURLoption, Int)] = [
            (CURLOPT_TIMEOUT_MS, Int(max(1, timeoutMs))), (CURLOPT_FOLLOWLOCATION, 1),
            (CURLOPT_MAXREDIRS, redirectLimit), (CURLOPT_NOSIGNAL, 1),
        ]
        for (option, value) in options { _ = unsafe tally_curl_set_long(handle, option, value) }
        for (option, text) in [
            (CURLOPT_URL, url), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
            (CURLOPT_USERAGENT, "tally-player"),
        ] {
            _ = unsafe text.withCString { unsafe tally_curl_set_pointer(handle, option, $0) }
        }
        _ = unsafe tally_curl_set_pointer(
            handle,
            CURLOPT_WRITEFUNCTION,
            unsafeBitCast(onBytes, to: UnsafeRawPointer.self)
        )
        let context = unsafe Unmanaged.passUnretained(body).toOpaque()
        _ = unsafe tally_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        let result = withExtendedLifetime(body) { unsafe curl_easy_perform(handle) }
        guard !body.isTooLarge else { throw FetchFailure(reason: "the answer is larger than \(limit) bytes") }
        guard result == CURLE_OK else {
            let isLate = result == CURLE_OPERATION_TIMEDOUT
            let words = unsafe String(cString: curl_easy_strerror(result))
            throw FetchFailure(reason: isLate ? "no answer within \(timeoutMs) ms" : words)
        }
        var status = 0
        _ = unsafe tally_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        guard (200..<300).contains(status) else {
            throw FetchFailure(status: status, reason: "the server answered with status \(status)")
        }
        return body.bytes
    }
}
