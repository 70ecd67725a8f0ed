internal import CCurl
internal import PluginKit
internal import Spooling

/// Requests under way, in one thread: libcurl's multi interface with connections that are kept.
@safe final class TransferPool: @unchecked Sendable {
    /// A request under way, with the memory that libcurl reads meanwhile.
    @safe private final class Transfer {
        let beacon: StoredBeacon
        let handle: EasyHandle
        var headers: UnsafeMutablePointer<curl_slist>?
        private let body: [UInt8]

        init(_ beacon: StoredBeacon, _ handle: EasyHandle, body: [UInt8]) {
            self.beacon = beacon
            self.handle = handle
            // Without an address libcurl would ask for the body.
            self.body = body.isEmpty ? [0] : body
        }

        deinit { unsafe curl_slist_free_all(headers) }

        /// The body's bytes, which stay where they are: an array that is kept and never written to is not moved.
        var lentBody: UnsafePointer<UInt8>? {
            unsafe body.withUnsafeBufferPointer { $0.baseAddress }
        }
    }

    /// Bodies for whose leave no version of libcurl asks are smaller, bytes.
    private static let smallestExpected = 1_024

    private let multi: UnsafeMutableRawPointer
    /// How requests are sent from now on; used by the thread that sends.
    var options: TransferOptions {
        didSet {
            for handle in idle + transfers.values.map(\.handle) { handle.shape = nil }
        }
    }
    /// How much of an answer is kept.
    private let answerBytes: Int
    private var transfers: [Int: Transfer] = [:]
    private var idle: [EasyHandle] = []

    /// Initialises libcurl for the whole process, once.
    private static let isUsable: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init?(_ options: TransferOptions, answerBytes: Int) {
        guard Self.isUsable, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        self.options = options
        self.answerBytes = answerBytes
        _ = unsafe tally_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
    }

    deinit {
        for transfer in transfers.values { unsafe curl_multi_remove_handle(multi, transfer.handle.pointer) }
        transfers = [:]
        idle = []
        unsafe curl_multi_cleanup(multi)
    }

    /// The beacons under way.
    var underway: [StoredBeacon] { transfers.values.map(\.beacon) }

    /// How many requests are under way.
    var count: Int { transfers.count }

    /// Begins a request; false when libcurl cannot.
    func start(_ request: Request, of beacon: StoredBeacon) -> Bool {
        guard let handle = idle.popLast() ?? EasyHandle(answerBytes: answerBytes) else { return false }
        let transfer = Transfer(beacon, handle, body: request.body)
        set(request, on: handle, transfer)
        guard unsafe curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else { return false }
        transfers[handle.number] = transfer
        return true
    }

    /// Lets requests go on, and hands on each that ended.
    func perform(_ ended: (StoredBeacon, TransferOutcome) -> Void) {
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe tally_curl_message_handle(message),
                let transfer = transfers.removeValue(forKey: Int(bitPattern: easy))
            else { continue }
            let outcome = unsafe outcome(of: transfer, tally_curl_message_result(message), easy)
            unsafe curl_multi_remove_handle(multi, easy)
            idle.append(transfer.handle)
            ended(transfer.beacon, outcome)
        }
    }

    /// Waits until something can go on, ``wake()`` is called, or the time is over, ms.
    func wait(milliseconds: Int64) {
        unsafe curl_multi_poll(multi, nil, 0, Int32(clamping: milliseconds), nil)
    }

    /// Ends a wait; from any thread.
    func wake() { unsafe curl_multi_wakeup(multi) }

    // MARK: - Parts

    private func set(_ request: Request, on handle: EasyHandle, _ transfer: Transfer) {
        if handle.shape != request.shape { handle.prepare(request.shape, options) }
        handle.set(CURLOPT_URL, request.url)
        handle.set(method: request.method)
        if request.shape == .body {
            _ = unsafe tally_curl_set_size(
                handle.pointer,
                CURLOPT_POSTFIELDSIZE_LARGE,
                curl_off_t(request.body.count)
            )
            _ = unsafe tally_curl_set_pointer(handle.pointer, CURLOPT_POSTFIELDS, transfer.lentBody)
        }
        var headers: UnsafeMutablePointer<curl_slist>?
        // libcurl would wait a second for the server's leave to send a larger body.
        if request.body.count >= Self.smallestExpected { unsafe headers = unsafe curl_slist_append(nil, "Expect:") }
        for header in request.headers {
            unsafe headers = unsafe curl_slist_append(headers, header) ?? headers
        }
        unsafe transfer.headers = unsafe headers
        _ = unsafe tally_curl_set_pointer(handle.pointer, CURLOPT_HTTPHEADER, headers)
        handle.startOver()
    }

    private func outcome(
        of transfer: Transfer,
        _ result: CURLcode,
        _ easy: UnsafeMutableRawPointer
    ) -> TransferOutcome {
        var status = 0
        _ = unsafe tally_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        // A server may answer before it has read the body, and then reset the stream; the answer holds (RFC 9113, 8.1).
        let isAnswered = result == CURLE_OK || result == CURLE_HTTP2_STREAM && status >= 200
        guard isAnswered else {
            let said = unsafe String(cString: transfer.handle.message)
            let text = unsafe said.isEmpty ? String(cString: curl_easy_strerror(result)) : said
            var sent = 0
            _ = unsafe tally_curl_get_long(easy, CURLINFO_REQUEST_SIZE, &sent)
            return .failure(TransferFailure(code: result.rawValue, wasSent: sent > 0), text)
        }
        var after: curl_off_t = 0
        _ = unsafe tally_curl_get_size(easy, CURLINFO_RETRY_AFTER, &after)
        if (200..<300).contains(status) { return .delivered(answerBytes > 0 ? transfer.handle.answered : []) }
        return .status(status, retryAfter: after > 0 ? Int64(min(after, 86_400)) * 1000 : nil)
    }
}

/// What became of one attempt.
enum TransferOutcome: Equatable, Sendable {
    /// The server took it, and answered with a body that begins so.
    case delivered([UInt8])
    /// The server answered with a status that is no success; `retryAfter` in ms when it said so.
    case status(Int, retryAfter: Int64?)
    /// There was no answer, for a reason in libcurl's words.
    case failure(TransferFailure, String)

    /// Whether a server may have seen the request.
    var wasSent: Bool {
        switch self {
        case .failure(.unreachable, _), .failure(.untrusted, _), .failure(.late, _): false
        case .delivered, .status, .failure: true
        }
    }
}
