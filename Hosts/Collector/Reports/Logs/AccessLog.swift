internal import TextEncoding

/// Reads the lines of an access log, of one product, in their order.
package struct AccessLog {
    /// How the columns of a line are parted.
    package enum Layout: Equatable, Sendable {
        /// As nginx's `log_format` says: names behind `$`, and what stands between them.
        case template(String)
        /// By a tab or a space; the names are in a line `#Fields:`.
        case w3c
        /// By tabs; the names are the first line.
        case tabs
        /// An object of JSON a line.
        case json
    }

    /// What became of a line.
    package enum Line: Equatable, Sendable {
        /// It has a request.
        case request(LoggedRequest)
        /// It is a header, a comment or empty.
        case none
        /// It cannot be read, or has no time or target.
        case unreadable
    }

    private let layout: Layout
    private let moment: LoggedRequest.Moment
    private let columns: [String: LogColumn]
    private var names: [String] = []

    /// A log of this layout.
    ///
    /// - Parameters:
    ///   - layout: how a line is parted.
    ///   - columns: what the columns say, by name; others are not looked at.
    ///   - moment: what the log's time is, as the product's documents say.
    package init(_ layout: Layout, columns: [String: LogColumn], moment: LoggedRequest.Moment) {
        self.layout = layout
        self.columns = columns
        self.moment = moment
    }

    /// Reads a line.
    package mutating func read(_ line: String) -> Line {
        let text = line.utf8.last == UInt8(ascii: "\r") ? String(Substring(line.utf8.dropLast())) : line
        guard !text.isEmpty else { return .none }
        switch layout {
        case .template(let template): return request(Self.match(template, text))
        case .json: return request(Self.members(text))
        case .w3c:
            if text.hasPrefix("#") {
                let fields = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
                if fields.first == "#Fields:" { names = fields.dropFirst().map(String.init) }
                return .none
            }
            // CloudFront names its columns with spaces between them, and parts them by tabs.
            return request(values(text, text.utf8.contains(UInt8(ascii: "\t")) ? "\t" : " "))
        case .tabs:
            guard !names.isEmpty else {
                names = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                return .none
            }
            return request(values(text, "\t"))
        }
    }

    private func request(_ values: [(String, String)]?) -> Line {
        guard let values else { return .unreadable }
        var line = LogLine()
        for (name, value) in values {
            if let column = columns[name] { line.take(column, value) }
        }
        return line.request(moment).map(Line.request) ?? .unreadable
    }

    private func values(_ text: String, _ separator: Character) -> [(String, String)]? {
        let values = text.split(separator: separator, omittingEmptySubsequences: separator == " ")
        return values.count == names.count ? Array(zip(names, values.map(String.init))) : nil
    }

    private static func members(_ text: String) -> [(String, String)]? {
        guard let object = try? JSONParser().parse(text).object else { return nil }
        return object.compactMap { member in
            switch member.value {
            case .string(let text): (member.key, text)
            case .int(let number): (member.key, "\(number)")
            case .double(let number): (member.key, "\(number)")
            default: nil
            }
        }
    }

    /// The values of a line by the names of a template; nil when what stands between them is not there.
    private static func match(_ template: String, _ line: String) -> [(String, String)]? {
        let pattern = Array(template.utf8)
        let bytes = Array(line.utf8)
        var found: [(String, String)] = []
        var place = 0
        var at = 0
        while at < pattern.count {
            guard pattern[at] == UInt8(ascii: "$") else {
                guard place < bytes.count, bytes[place] == pattern[at] else { return nil }
                place += 1
                at += 1
                continue
            }
            let name = pattern[(at + 1)...].prefix {
                $0 == 0x5F || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
            }
            at += 1 + name.count
            let literal = pattern[at...].prefix { $0 != UInt8(ascii: "$") }
            let rest = bytes[place...]
            // At the template's end a value goes on to the line's.
            guard let end = literal.isEmpty ? rest.endIndex : rest.firstRange(of: literal)?.lowerBound else {
                return nil
            }
            found.append((String(decoding: name, as: UTF8.self), unescaped(rest[..<end])))
            place = end
        }
        return place == bytes.count ? found : nil
    }

    /// What nginx writes as `\x22` again as it was.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "\\"), place + 3 < bytes.endIndex, bytes[place + 1] == UInt8(ascii: "x"),
                let high = Hex.value(ofDigit: bytes[place + 2]), let low = Hex.value(ofDigit: bytes[place + 3])
            {
                result.append(high << 4 | low)
                place += 4
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
