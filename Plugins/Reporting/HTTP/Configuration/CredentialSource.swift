internal import Glibc
internal import PluginKit

/// Where a secret comes from, and how it is added to a request.
///
/// The secret itself is read when the reporter is enabled; it is in no configuration, log line or answer.
struct CredentialSource: Sendable, Equatable {
    /// Where the secret is.
    enum Place: Sendable, Equatable {
        case environment(String)
        case file(String)
    }

    /// What carries the secret.
    enum Carrier: Sendable, Equatable {
        case header(String)
        case query(String)
    }

    let name: String
    let place: Place
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
        switch place {
        case .environment(let variable):
            guard let value = unsafe getenv(variable) else {
                throw CredentialError(name: name, reason: "the environment variable \(variable) is not set; set it")
            }
            return unsafe try checked(String(cString: value))
        case .file(let path): return try checked(read(path))
        }
    }

    private func checked(_ text: String) throws(CredentialError) -> String {
        let secret = String(text.reversed().drop { $0.isNewline || $0 == " " }.reversed())
        guard !secret.isEmpty, !secret.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw CredentialError(
                name: name,
                reason: "it is empty or holds control characters; give it one line of text"
            )
        }
        return prefix + secret
    }

    private func read(_ path: String) throws(CredentialError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CredentialError(
                name: name,
                reason: "cannot open '\(path)': \(unsafe String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & 0o077 == 0 else {
            throw CredentialError(name: name, reason: "'\(path)' can be read by others; run: chmod 600 '\(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0, count < bytes.count else {
            throw CredentialError(name: name, reason: "'\(path)' is empty or longer than 8 KiB")
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// Says which secret cannot be had, and why; never the secret.
struct CredentialError: Error, Equatable, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "the credential \"\(name)\": \(reason)" }
}
