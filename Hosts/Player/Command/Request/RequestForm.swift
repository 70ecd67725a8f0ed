internal import HostSupport
internal import PlaybackEngine
internal import TextEncoding

/// What may stand for a header, a cookie or a name of the player, and what is shown of it.
enum RequestForm {
    static let userAgent = ValueForm<String>("TEXT") { text throws(UnfitValue) in
        guard !text.isEmpty, RequestHeader.isText(text) else {
            throw UnfitValue(expected: "a text without line breaks or other control characters")
        }
        return text
    }

    static let header = ValueForm<RequestHeader>("HEADER") { text throws(UnfitValue) in
        do throws(RequestHeader.Problem) {
            return try RequestHeader(text)
        } catch {
            throw UnfitValue(expected: error.expected)
        }
    }

    static let cookie = ValueForm<String>("COOKIE") { text throws(UnfitValue) in
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard RequestHeader.isText(text), parts.allSatisfy({ !name(of: $0).isEmpty }) else {
            throw UnfitValue(expected: "a cookie as 'name=value', or several with semicolons between them")
        }
        return text
    }

    /// The name alone, as the value may be a secret.
    static let hiddenHeader: @Sendable (String) -> String = { text in
        guard let colon = text.firstIndex(of: ":") else { return "***" }
        return text[...colon] + " ***"
    }

    static let hiddenCookie: @Sendable (String) -> String = { text in
        text.split(separator: ";").map { name(of: $0).isEmpty ? "***" : name(of: $0) + "=***" }.joined(separator: "; ")
    }

    /// The name of a cookie; empty when it has no value.
    private static func name(of cookie: Substring) -> String {
        guard let sign = cookie.firstIndex(of: "=") else { return "" }
        return String(cookie[..<sign].drop { $0 == " " })
    }
}

/// A file of certificates, as it has to be before anything is played.
enum CertificateFile {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Makes sure that it can be read and has certificates in PEM (RFC 7468).
    static func check(_ path: String) throws(InputError) {
        let text = try InputError.text(of: path) { "the certificates '\(path)' cannot be read: \($0)" }
        let parts = text.ranges(of: begin).map { text[$0.upperBound...] }
        guard !parts.isEmpty else {
            throw InputError(
                message: "the certificates '\(path)' cannot be used: there are none in PEM, which begin with \(begin)"
            )
        }
        for (index, part) in parts.enumerated() {
            let bytes = part.firstRange(of: end).flatMap {
                Base64.decode(part[..<$0.lowerBound].filter { !$0.isWhitespace })
            }
            // What DER begins with that a certificate is: a sequence.
            guard bytes?.first == 0x30 else {
                throw InputError(
                    message: "the certificates '\(path)' cannot be used: number \(index + 1) of them is damaged"
                )
            }
        }
    }
}
