/// Reads the head of a request.
enum RequestHead {
    /// Returns the request without its body; nil when the text is no HTTP/1 head.
    static func parse(_ bytes: ArraySlice<UInt8>) -> RecordedRequest? {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }[...]
        let words = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", words[1].hasPrefix("/") else {
            return nil
        }
        var headers: [RecordedRequest.Header] = []
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                return nil
            }
            let value = trimmed(line[line.index(after: colon)...])
            headers.append(RecordedRequest.Header(name: String(line[..<colon]), value: value))
        }
        return RecordedRequest(
            method: String(words[0]),
            target: String(words[1]),
            path: decodedPath(words[1]) ?? "",
            headers: headers,
            isVersion11: words[2] == "HTTP/1.1"
        )
    }

    /// Returns the path without query and escapes; nil when an escape is broken.
    static func decodedPath(_ target: Substring) -> String? {
        var rest = target.prefix { $0 != "?" && $0 != "#" }.utf8[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let text = String(digits), let value = UInt8(text, radix: 16), value != 0,
                !text.hasPrefix("+")
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" {
            text.removeFirst()
        }
        while text.last == " " || text.last == "\t" {
            text.removeLast()
        }
        return String(text)
    }
}
