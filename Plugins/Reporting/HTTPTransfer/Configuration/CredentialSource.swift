internal import PluginKit

/// Where a secret comes from, and how it is added to a request.
///
/// The secret itself is read when the reporter is enabled; it is in no configuration, log line or answer.
struct CredentialSource: DeclaredConfiguration {
    /// What carries the secret.
    enum Carrier: Sendable {
        case header(String)
        case query(String)
    }

    var name = ""
    var prefix = ""
    private(set) var place = SecretPlace.file("")
    private(set) var carrier = Carrier.header("")
    private var header = ""
    private var query = ""
    private var environment = ""
    private var file = ""

    static let keys = [
        Key("header", \.header, .headerName.withoutShownDefault, "Header that carries it; either this or `query`."),
        Key("query", \.query, given, "Parameter of the address that carries it."),
        Key("prefix", \.prefix, .text, "Text before it, such as `Bearer ` for `Authorization`."),
        Key("environment", \.environment, given, "Environment variable that holds it; either this or `file`."),
        Key("file", \.file, given, "File that holds it, which nobody but its owner can read (mode 0600)."),
    ]

    private static let given = ConfigurationForm.text.checked(["minLength": 1]).withoutShownDefault

    mutating func validate(at path: String) throws(ConfigurationError) {
        place = try SecretPlace(environment: environment, file: file, at: path)
        switch (header, query) {
        case (let header, "") where !header.isEmpty: carrier = .header(header)
        case ("", let parameter) where !parameter.isEmpty: carrier = .query(parameter)
        default: throw .either("header", or: "query", areGiven: !query.isEmpty, at: path)
        }
    }

    /// Reads the secret; a line break at its end does not belong to it.
    ///
    /// - Throws: Which secret cannot be had, and why; never the secret.
    func secret() throws(ReporterFault) -> String {
        do throws(SecretPlace.Failure) {
            let bytes = try place.read()
            guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw SecretPlace.Failure(
                    description: "it is empty or holds control characters; give it one line of text"
                )
            }
            return prefix + String(decoding: bytes, as: UTF8.self)
        } catch {
            throw ReporterFault("the credential \"\(name)\": \(error.description)")
        }
    }
}

extension ConfigurationForm<String> {
    /// The name of a header: a token (RFC 9110, 5.6.2).
    static let headerName = ConfigurationForm.nonEmptyText("a header's name").checked {
        text,
        key throws(ConfigurationError) in
        let marks = "!#$%&'*+-.^_`|~"
        guard text.utf8.allSatisfy({ $0 < 0x80 }), text.allSatisfy({ $0.isLetter || $0.isNumber || marks.contains($0) })
        else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: "a header's name, such as Authorization")
        }
    }
}
