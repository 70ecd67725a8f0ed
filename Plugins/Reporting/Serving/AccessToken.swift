package import PluginKit

/// What lets a browser in: known to whoever started the program, and to nobody else.
package struct AccessToken: Sendable {
    /// How short one may be, bytes.
    private static let shortest = 16

    /// The token as it is in an address.
    package let text: String
    /// What a browser that has shown it keeps instead.
    package let cookie: String

    private let digest: [UInt8]
    private let cookieDigest: [UInt8]
    private let comparison: HMAC

    /// Reads it where it is, or makes a random one.
    ///
    /// - Parameters:
    ///   - place: where it is; nil makes a random one.
    ///   - server: what messages call that which it lets in to.
    /// - Throws: why it cannot be had; never the token.
    package init(at place: SecretPlace?, of server: String = "dashboard") throws(ReporterFault) {
        guard let place else {
            self.init(Self.random())
            return
        }
        do throws(SecretPlace.Failure) {
            let bytes = try place.read()
            guard bytes.count >= Self.shortest, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw SecretPlace.Failure(
                    description: "it is shorter than \(Self.shortest) characters, or has others than visible ASCII; "
                        + "openssl rand -hex 16 makes one"
                )
            }
            self.init(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ReporterFault("the token of the \(server): \(error.description)")
        }
    }

    private init(_ text: String) {
        self.text = text
        // The token itself is in no cookie: who reads a browser's files does not get in from elsewhere.
        cookie = Hex.text(HMAC(key: Array(text.utf8)).digest(of: Array("tally dashboard".utf8)))
        comparison = HMAC(key: Self.randomBytes())
        digest = comparison.digest(of: Array(text.utf8))
        cookieDigest = comparison.digest(of: Array(cookie.utf8))
    }

    /// Whether a text is the token; how long that takes says nothing of it.
    func isToken(_ text: String) -> Bool { isEqual(text, digest) }

    /// Whether a text is the cookie.
    func isCookie(_ text: String) -> Bool { isEqual(text, cookieDigest) }

    private func isEqual(_ text: String, _ expected: [UInt8]) -> Bool {
        let given = comparison.digest(of: Array(text.utf8))
        return zip(given, expected).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }

    private static func random() -> String { Hex.text(Array(randomBytes().prefix(16))) }

    private static func randomBytes() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
