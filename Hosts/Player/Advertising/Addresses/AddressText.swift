internal import TextEncoding

/// Makes addresses of what ad servers write for them.
///
/// Documents have blanks, line breaks and macros of ad servers that nobody has filled in, such as `%%CACHEBUSTER%%`,
/// within addresses. What no address may have is percent-encoded (RFC 3986, 2.1), so that the server gets it as it was
/// written; macros in brackets stay to be filled in.
enum AddressText {
    /// The address that a text stands for; nil when it has no host that could be asked.
    static func address(_ text: String) -> String? {
        let bytes = withoutLineBreaks(Array(text.utf8))
        guard let mark = bytes.firstRange(of: Array("://".utf8)) else { return nil }
        let host = bytes[mark.upperBound...].prefix { !"/?#".utf8.contains($0) }
        // Names of hosts have an encoding of their own.
        guard let first = host.first, first != UInt8(ascii: ":"), !host.contains(where: { isUnsafe($0) && $0 < 0x80 })
        else { return nil }
        return String(decoding: bytes[..<host.endIndex], as: UTF8.self) + encoded(bytes[host.endIndex...])
    }

    /// The text without its line breaks, and without the blanks around these, which only lay out the document.
    private static func withoutLineBreaks(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let blank = bytes[position...].prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }
            guard !blank.isEmpty else {
                result.append(bytes[position])
                position += 1
                continue
            }
            if blank.allSatisfy({ $0 == 0x20 }) { result += blank }
            position = blank.endIndex
        }
        return result
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%"), let name = serverMacro(bytes[position...]) {
                result += Array("%25%25".utf8) + name + Array("%25%25".utf8)
                position += name.count + 4
                continue
            }
            let isEscape =
                byte == UInt8(ascii: "%") && position + 2 < bytes.endIndex && isHex(bytes[position + 1])
                && isHex(bytes[position + 2])
            if isEscape || (byte != UInt8(ascii: "%") && !isUnsafe(byte)) {
                result.append(byte)
            } else {
                result +=
                    Array("%".utf8) + [Hex.digit(byte >> 4, uppercase: true), Hex.digit(byte & 15, uppercase: true)]
            }
            position += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The name of a macro `%%NAME%%` at the beginning: it may begin with digits that look like an escape.
    private static func serverMacro(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: "%%".utf8) else { return nil }
        let name = bytes.dropFirst(2).prefix { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: ":") }
        guard !name.isEmpty, bytes[name.endIndex...].starts(with: "%%".utf8) else { return nil }
        return name
    }

    /// Whether an address has a byte only as an escape: blanks, control characters, what is beyond ASCII, and marks
    /// that RFC 3986 has no use for.
    private static func isUnsafe(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    private static func isHex(_ byte: UInt8) -> Bool { Hex.value(ofDigit: byte) != nil }
}
