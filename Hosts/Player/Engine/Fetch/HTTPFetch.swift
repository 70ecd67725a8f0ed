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
            unsafe body.bytes.append(contentsOf: part.prefix(body.limit - body.bytes.count))
            body.isTooLarge = true
            return 0
        }
        unsafe body.bytes.append(contentsOf: part)
        return part.count
    }

    private static let isUsable: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    private static let redirectLimit = 20
    private static let lookLimitMs: Int64 = 5000
    private static let failuresOfTLS = [
        CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
    ]

    /// The body of a resource, of `limit` bytes at most; waits until it has come whole or the time is over.
    ///
    /// With `isBeginning` what is longer is no failure: its first bytes are the answer.
    package static func get(
        _ url: String,
        as settings: RequestSettings = RequestSettings(),
        timeoutMs: Int64,
        limit: Int,
        isBeginning: Bool = false
    ) throws(FetchFailure) -> [UInt8] {
        guard isUsable, let handle = unsafe curl_easy_init() else {
            throw FetchFailure(reason: "libcurl cannot be used")
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let body = Body(limit: limit)
        let options: [(CURLoption, Int)] = [
            (CURLOPT_TIMEOUT_MS, Int(max(1, timeoutMs))), (CURLOPT_FOLLOWLOCATION, 1),
            (CURLOPT_MAXREDIRS, redirectLimit), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_SSL_VERIFYPEER, settings.isInsecure ? 0 : 1),
            (CURLOPT_SSL_VERIFYHOST, settings.isInsecure ? 0 : 2),
        ]
        for (option, value) in options { _ = unsafe tally_curl_set_long(handle, option, value) }
        for (option, text) in [
            (CURLOPT_URL, settings.address(of: url)), (CURLOPT_PROTOCOLS_STR, "http,https"),
            (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
            (CURLOPT_USERAGENT, "tally-player"), (CURLOPT_CAINFO, settings.certificatesPath ?? ""),
        ] where !text.isEmpty {
            _ = unsafe text.withCString { unsafe tally_curl_set_pointer(handle, option, $0) }
        }
        // libcurl itself keeps Authorization and Cookie from other servers that it is redirected to.
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in settings.allHeaders(for: url) { unsafe headers = unsafe curl_slist_append(headers, header.line) }
        defer { unsafe curl_slist_free_all(headers) }
        _ = unsafe tally_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        _ = unsafe tally_curl_set_pointer(
            handle,
            CURLOPT_WRITEFUNCTION,
            unsafeBitCast(onBytes, to: UnsafeRawPointer.self)
        )
        let context = unsafe Unmanaged.passUnretained(body).toOpaque()
        _ = unsafe tally_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        defer { unsafe problem.deallocate() }
        unsafe problem.pointee = 0
        _ = unsafe tally_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, problem)
        let result = withExtendedLifetime(body) { unsafe curl_easy_perform(handle) }
        guard !body.isTooLarge || isBeginning else {
            throw FetchFailure(reason: "the answer is larger than \(limit) bytes")
        }
        guard result == CURLE_OK || body.isTooLarge else {
            if result == CURLE_OPERATION_TIMEDOUT { throw FetchFailure(reason: "no answer within \(timeoutMs) ms") }
            let isOfTLS = failuresOfTLS.contains(result)
            let words = unsafe String(cString: curl_easy_strerror(result))
            // What libcurl says of a certificate is more than the name of the failure.
            let detail = unsafe String(cString: problem)
            throw FetchFailure(reason: isOfTLS && !detail.isEmpty ? detail : words, isOfTLS: isOfTLS)
        }
        var status = 0
        _ = unsafe tally_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        guard (200..<300).contains(status) else {
            throw FetchFailure(status: status, reason: "the server answered with status \(status)")
        }
        return body.bytes
    }

    /// Why no secure connection can be made to an address; nil when one can, or that cannot be said within 5 s.
    static func tlsProblem(of url: String, as settings: RequestSettings) -> String? {
        guard url.lowercased().hasPrefix("https://") else { return nil }
        var settings = settings
        settings.cmcd.form = .off
        do throws(FetchFailure) {
            _ = try get(url, as: settings, timeoutMs: lookLimitMs, limit: 0)
            return nil
        } catch {
            return error.isOfTLS ? error.reason : nil
        }
    }
}
