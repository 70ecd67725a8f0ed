internal import CCurl

/// Why a request had no answer.
package enum TransferFailure: String, CaseIterable, Sendable {
    /// No server was reached, so nothing was sent.
    case unreachable
    /// Who the server is cannot be verified, so nothing was sent.
    case untrusted
    /// The time was over before there was a connection, so nothing was sent.
    case late
    /// The address is none: the only failure that another try does not change.
    case malformed
    /// All else: cut, hung, an answer that is no HTTP, no memory.
    case failed

    /// What a code of libcurl means.
    ///
    /// A code that nobody has thought of costs no beacon. `CURLE_UNSUPPORTED_PROTOCOL` is what libcurl says of an
    /// answer that is no HTTP; an address of another scheme never comes to it.
    package init(code: UInt32, wasSent: Bool = true) {
        switch CURLcode(rawValue: code) {
        case CURLE_OPERATION_TIMEDOUT where !wasSent: self = .late
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
            CURLE_NO_CONNECTION_AVAILABLE, CURLE_QUIC_CONNECT_ERROR, CURLE_PROXY:
            self = .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            self = .untrusted
        case CURLE_URL_MALFORMAT: self = .malformed
        default: self = .failed
        }
    }
}
