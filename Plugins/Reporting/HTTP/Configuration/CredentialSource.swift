internal import PluginKit

/// Where a secret comes from, and how it is added to a request.
///
/// The secret itself is read when the reporter is enabled; it is in no configuration, log line or answer.
struct CredentialSource: Sendable, Equatable {
    /// What carries the secret.
    enum Carrier: Sendable, Equatable {
        case header(String)
        case query(String)
    }

    let name: String
    let place: SecretPlace
    let carrier: Carrier
    let prefix: String

    init(_ json: JSONValue, name: String) throws(ConfigurationError) {
        let key = "credentials.\(name)"
        self.name = name
        prefix = try json.text("prefix", default: "")
        switch (try json.text("environment", default: ""), try json.text("file", default: "")) {
        case (let variable, "") where !variable.isEmpty: place = .environment(variable)
        case ("", let path) where !path.isEmpty: place = .file(path)
        default: throw .missing(key: key, expected: "either \"environment\" or \"file\"")
        }
        switch (try json.text("header", default: ""), try json.text("query", default: "")) {
        case (let header, "") where !header.isEmpty: carrier = .header(header)
        case ("", let parameter) where !parameter.isEmpty: carrier = .query(parameter)
        default: throw .missing(key: key, expected: "either \"header\" or \"query\"")
        }
    }

    /// Reads the secret; a line break at its end does not belong to it.
    func secret() throws(CredentialError) -> String {
        let bytes: [UInt8]
        do throws(SecretPlace.Failure) {
            bytes = try place.read()
        } catch {
            throw CredentialError(name: name, reason: error.description)
        }
        guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw CredentialError(
                name: name,
                reason: "it is empty or holds control characters; give it one line of text"
            )
        }
        return prefix + String(decoding: bytes, as: UTF8.self)
    }
}

/// Says which secret cannot be had, and why; never the secret.
struct CredentialError: Error, Equatable, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "the credential \"\(name)\": \(reason)" }
}
