internal import CCurl

/// A libcurl handle: used again for one request after another, it keeps what was learnt of the server.
@safe final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// What went wrong, in libcurl's words.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The kind of request that it is set up for; nil for a new one.
    var shape: Request.Shape?
    /// The first bytes of the answer's body; without room where nobody reads it.
    private let answer = UnsafeMutablePointer<tally_answer>.allocate(capacity: 1)
    /// The method that it is set up for; empty for a new one.
    private var method = ""

    /// Makes a handle that keeps so many bytes of an answer; nil when there is no memory for it.
    init?(answerBytes: Int) {
        unsafe answer.initialize(
            to: tally_answer(room: answerBytes, count: 0, bytes: .allocate(capacity: max(answerBytes, 1)))
        )
        guard let pointer = unsafe curl_easy_init() else {
            unsafe answer.pointee.bytes.deallocate()
            unsafe answer.deallocate()
            unsafe message.deallocate()
            return nil
        }
        unsafe self.pointer = unsafe pointer
        unsafe message.pointee = 0
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe message.deallocate()
        unsafe answer.pointee.bytes.deallocate()
        unsafe answer.deallocate()
    }

    /// What was kept of the answer's body.
    var answered: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: answer.pointee.bytes, count: answer.pointee.count))
    }

    /// Forgets what is kept of another request.
    func startOver() {
        unsafe message.pointee = 0
        unsafe answer.pointee.count = 0
    }

    /// Tells handles apart.
    var number: Int { unsafe Int(bitPattern: pointer) }

    // MARK: - Options

    func set(_ option: CURLoption, _ value: Int) {
        _ = unsafe tally_curl_set_long(pointer, option, value)
    }

    /// Sets an option to text, which libcurl copies.
    func set(_ option: CURLoption, _ text: [UInt8]) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { bytes in
            _ = unsafe bytes.initialize(from: text)
            unsafe bytes[text.count] = 0
            _ = unsafe tally_curl_set_pointer(pointer, option, bytes.baseAddress)
        }
    }

    /// Sets the method of the next request.
    func set(method: String) {
        guard method != self.method else { return }
        self.method = method
        set(CURLOPT_CUSTOMREQUEST, Array(method.utf8))
    }

    /// Forgets all options, and sets those that all requests of a kind have.
    func prepare(_ shape: Request.Shape, _ options: TransferOptions) {
        unsafe curl_easy_reset(pointer)
        self.shape = shape
        method = ""
        switch shape {
        case .body: set(CURLOPT_POST, 1)
        case .head: set(CURLOPT_NOBODY, 1)
        case .plain: break
        }
        set(CURLOPT_USERAGENT, Array(Request.agent.utf8))
        set(CURLOPT_PROTOCOLS_STR, Array("http,https".utf8))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT_MS, options.timeout)
        set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // With HTTP/2 all requests to a server share a connection: better to wait for that than to make another.
        set(CURLOPT_PIPEWAIT, 1)
        _ = unsafe tally_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message)
        if unsafe answer.pointee.room > 0 {
            _ = unsafe tally_curl_keep_answer(pointer, answer)
        } else {
            _ = unsafe tally_curl_discard_answer(pointer)
        }
        if !options.proxy.isEmpty {
            set(CURLOPT_PROXY, Array(options.proxy.utf8))
            // Otherwise the environment's exceptions would go round the proxy that is configured.
            set(CURLOPT_NOPROXY, [])
        }
        if !options.authority.isEmpty { set(CURLOPT_CAINFO, Array(options.authority.utf8)) }
    }
}
