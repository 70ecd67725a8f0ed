/// The address of an end-point as the guides let it be given: a host, perhaps with a protocol before it.
package enum HostName {
    /// The text without a protocol and without slashes at its end.
    package static func withoutProtocol(_ text: String) -> String {
        var rest = text[...]
        for prefix in ["http://", "https://", "//"] where rest.lowercased().hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        while rest.last == "/" { rest = rest.dropLast() }
        return String(rest)
    }

    /// Whether the text can stand in an address: a host, perhaps with a port and a path.
    package static func isUsable(_ text: String) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let hostAndPort = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard hostAndPort.count <= 2, let host = hostAndPort.first, !host.isEmpty, host.allSatisfy(isHostCharacter),
            host.first != ".", host.first != "-", !host.contains("..")
        else { return false }
        if hostAndPort.count == 2 {
            guard let port = UInt32(hostAndPort[1]), (1...65_535).contains(port) else { return false }
        }
        return parts.count < 2 || parts[1].utf8.allSatisfy(isPathByte)
    }

    private static func isHostCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || "._-".contains(character)
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
    }
}
