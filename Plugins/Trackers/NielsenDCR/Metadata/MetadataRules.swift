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
        for key in contentKeys {
            _ = try value(key, in: metadata.members)
        }
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
        guard assetID.utf8.allSatisfy(isPlain) else {
            throw MetadataProblem(
                "assetid",
                "\"assetid\" is \"\(assetID)\"; only letters, digits, _ and - can be in it"
            )
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
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
