/// The rules of "Create Content Metadata" and "Create Ad Metadata" in the DCR Sweden Video iOS SDK guide.
///
/// Which keys are required was lost in the guide's text; that all but `subbrand` are is inferred, since that one alone
/// is described as an override.
enum MetadataRules {
    /// The length of a stream that goes on round the clock, s.
    static let roundTheClock = "86400"

    private static let contentKeys = [
        "assetid", "program", "title", "length", "airdate", "isfullepisode", "adloadtype",
    ]

    /// The kind that `type` names, which has to go with what is shown.
    static func kind(
        of members: [AssetMetadata.Member],
        for place: AssetMetadata.Place?
    ) throws(MetadataProblem) -> AssetMetadata.Kind {
        let type = try value("type", in: members)
        let kinds = AssetMetadata.Kind.allCases.filter { kind in
            switch place {
            case nil: true
            case .content?: kind == .content
            case .ad?: kind.isAd
            }
        }
        guard let kind = kinds.first(where: { $0.rawValue == type }) else {
            let words = kinds.map(\.rawValue).joined(separator: ", ")
            throw MetadataProblem("type", "\"type\" is \"\(type)\"; here it is one of \(words)")
        }
        return kind
    }

    /// Checks what the kind asks for.
    static func check(_ metadata: AssetMetadata, isLinear: Bool) throws(MetadataProblem) {
        switch metadata.kind {
        case .content: try checkContent(metadata, isLinear: isLinear)
        case .staticContent:
            // Inferred: the guide names static content without its keys.
            _ = try value("section", in: metadata.members)
            if let id = metadata["assetid"] { try check(assetID: id) }
        default: try check(assetID: value("assetid", in: metadata.members))
        }
    }

    private static func checkContent(_ metadata: AssetMetadata, isLinear: Bool) throws(MetadataProblem) {
        for key in contentKeys { _ = try value(key, in: metadata.members) }
        try check(assetID: metadata.assetID)
        try check(length: metadata["length"] ?? "", isLinear: isLinear)
        guard AirDate.isValid(metadata["airdate"] ?? "") else {
            throw MetadataProblem(
                "airdate",
                "\"airdate\" is \"\(metadata["airdate"] ?? "")\"; its form is YYYYMMDD HH:MI:SS, "
                    + "\(AirDate.unknown) when it is not known"
            )
        }
        try check("isfullepisode", of: metadata, in: ["y", "n"])
        try check("adloadtype", of: metadata, in: ["1", "2"])
    }

    private static func check(assetID: String) throws(MetadataProblem) {
        if assetID.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" }) { return }
        throw MetadataProblem("assetid", "\"assetid\" is \"\(assetID)\"; only letters, digits, _ and - can be in it")
    }

    private static func check(length: String, isLinear: Bool) throws(MetadataProblem) {
        guard let seconds = Int64(length), seconds >= 0, length.utf8.first != UInt8(ascii: "+") else {
            throw MetadataProblem("length", "\"length\" is \"\(length)\"; it is a whole number of seconds, as text")
        }
        guard !isLinear || length == roundTheClock else {
            throw MetadataProblem(
                "length",
                "\"length\" is \"\(length)\"; a stream that goes on round the clock has \(roundTheClock)"
            )
        }
    }

    private static func check(_ key: String, of metadata: AssetMetadata, in words: [String]) throws(MetadataProblem) {
        let text = metadata[key] ?? ""
        guard words.contains(text) else {
            throw MetadataProblem(key, "\"\(key)\" is \"\(text)\"; it is one of \(words.joined(separator: ", "))")
        }
    }

    /// The value of a key that has to be there and not be empty.
    private static func value(_ key: String, in members: [AssetMetadata.Member]) throws(MetadataProblem) -> String {
        if let value = members.first(where: { $0.key == key })?.value {
            guard !value.isEmpty else { throw MetadataProblem(key, "\"\(key)\" is empty") }
            return value
        }
        if let similar = members.first(where: { $0.key.lowercased() == key })?.key {
            throw MetadataProblem(key, "\"\(key)\" is missing; \"\(similar)\" is another key: keys are case-sensitive")
        }
        throw MetadataProblem(key, "\"\(key)\" is missing")
    }
}

/// What is wrong with an argument of `loadMetadata` or `play`: which key, and why.
package struct MetadataProblem: Error, Equatable, Sendable {
    /// The key, or the name of the argument when it is wrong as a whole.
    package let key: String
    /// One line for people.
    package let message: String

    /// Names a key and what is wrong with it.
    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }
}

/// The form `YYYYMMDD HH:MI:SS` (DCR Sweden Video iOS SDK, "Create Content Metadata").
///
/// The text is the local time of the first release as it was given: it is checked and never converted.
package enum AirDate {
    /// What stands for a date that is not known.
    package static let unknown = "19700101 00:00:00"

    /// Whether a text has the form and names a day and time that exist.
    package static func isValid(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        guard characters.count == 17, characters[8] == UInt8(ascii: " "), characters[11] == UInt8(ascii: ":"),
            characters[14] == UInt8(ascii: ":"),
            let year = number(characters[0..<4]), let month = number(characters[4..<6]),
            let day = number(characters[6..<8]), let hour = number(characters[9..<11]),
            let minute = number(characters[12..<14]), let second = number(characters[15..<17])
        else { return false }
        return year > 0 && (1...12).contains(month) && day >= 1 && day <= days(in: month, of: year)
            && hour < 24 && minute < 60 && second < 60
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
