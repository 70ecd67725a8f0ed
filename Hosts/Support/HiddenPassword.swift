internal import TextEncoding

/// Hides the passwords of addresses, which may stand in a configuration and are nothing to be shown.
enum HiddenPassword {
    /// The value with stars for the password of each text that is an address, as in `http://user:***@proxy:3128`.
    static func hidden(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(hidden(text))
        case .array(let elements): .array(elements.map(hidden))
        case .object(let members):
            .object(
                members.reduce(into: JSONObject()) { hiding, member in hiding[member.key] = hidden(member.value) }
            )
        default: value
        }
    }

    /// A sentence with stars for the password of each address among its words.
    static func hidden(words text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { hidden(String($0)) }.joined(separator: " ")
    }

    /// A text that may be an address, or end in one, with stars for its password.
    static func hidden(_ text: String) -> String {
        let scheme = text.firstRange(of: "://")
        let address = text[(scheme?.upperBound ?? text.startIndex)...]
        guard let colon = address.firstIndex(of: ":") else { return text }
        let behind = address[address.index(after: colon)...]
        let authority = behind.prefix { !"/?#".contains($0) }
        // What is no port before a slash is a password that has one in it.
        let isPort = authority.allSatisfy(\.isNumber)
        guard let end = authority.lastIndex(of: "@") ?? (isPort ? nil : behind.lastIndex(of: "@")) else { return text }
        // Before the password is the user and nothing else; a colon in brackets is that of an IPv6 host.
        guard !address[..<colon].contains(where: { "/[".contains($0) }) else { return text }
        return text[...colon] + "***" + text[end...]
    }
}
