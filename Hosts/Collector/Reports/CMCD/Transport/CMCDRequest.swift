internal import TextEncoding

/// What a request for media says in CMCD: by its four headers, or in its URL.
package struct CMCDRequest: Equatable, Sendable {
    /// What was said; the syntax of it was right.
    package private(set) var dictionary: StructuredDictionary
    /// How many headers were left out because they are malformed.
    package private(set) var droppedHeaders = 0

    /// The names of the headers, in lower case.
    package static let headerNames = ["cmcd-object", "cmcd-request", "cmcd-session", "cmcd-status"]

    /// Reads what a request says; nil when there is no CMCD.
    ///
    /// Where there is any of the headers, the URL does not count.
    ///
    /// - Parameters:
    ///   - target: the request's target or URL, as it was sent.
    ///   - headers: its headers, of which those of CMCD are looked at; names in any case.
    /// - Throws: what is wrong with the argument of the URL.
    package init?(
        target: String,
        headers: [(name: String, value: String)] = []
    ) throws(StructuredParser.Fault) {
        dictionary = StructuredDictionary()
        let own = headers.filter { Self.headerNames.contains($0.name.lowercased()) }
        for header in own {
            // A header that is malformed costs its own keys alone.
            do throws(StructuredParser.Fault) {
                dictionary.merge(try StructuredParser.dictionary(header.value))
            } catch {
                droppedHeaders += 1
            }
        }
        guard own.isEmpty else { return }
        guard let payload = Self.payload(in: target) else { return nil }
        dictionary = try StructuredParser.dictionary(payload)
    }

    /// The value of the argument `CMCD` of a URL, decoded once by the rules of forms; nil without one.
    ///
    /// The name counts in capitals alone. It may be no UTF-8.
    package static func payload(in target: String) -> [UInt8]? {
        let bytes = Array(target.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = bytes[(mark + 1)...].prefix { $0 != UInt8(ascii: "#") }
        for argument in query.split(separator: UInt8(ascii: "&")) {
            let name = argument.prefix { $0 != UInt8(ascii: "=") }
            if decoded(name).elementsEqual("CMCD".utf8) { return decoded(argument.dropFirst(name.count + 1)) }
        }
        return nil
    }

    /// Decodes a part of a form: `+` is a space, and an escape that is none stands for itself.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            if byte == UInt8(ascii: "%"), place + 2 < text.endIndex,
                let high = Hex.value(ofDigit: text[place + 1]), let low = Hex.value(ofDigit: text[place + 2])
            {
                result.append(high << 4 | low)
                place += 3
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                place += 1
            }
        }
        return result
    }
}
