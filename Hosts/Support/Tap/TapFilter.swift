package import TextEncoding

/// Which outputs a tap shows.
package struct TapFilter: Equatable, Sendable {
    /// Kinds of outputs.
    package enum Kind: String, CaseIterable, Sendable {
        /// Player events.
        case events
        /// Records of trackers.
        case records
        /// Beacons of trackers.
        case beacons
    }

    /// The kinds that are shown.
    package var kinds = Set(Kind.allCases)
    /// Name of the instance, or id of the plugin; player events come from none, and only `*` shows them.
    package var plugin = Glob("*")
    /// Name of the event, kind of the record, destination of the beacon.
    package var name = Glob("*")
    /// Number of the session.
    package var session = Glob("*")
    /// How many are shown in a second at most; nil shows all.
    package var limit: Int?

    /// Shows everything.
    package init() {}

    private static let keys = ["plugin", "name", "session", "limit"]

    /// Reads `records,beacons plugin=new-relic* name=CONTENT_* session=1 limit=10`.
    init(_ arguments: ControlArguments) throws(ControlProblem) {
        for (index, word) in arguments.words.enumerated() {
            guard let equals = word.firstIndex(of: "=") else {
                guard index == 0 else { throw Self.wrong(arguments, word) }
                kinds = try Self.kinds(arguments, word)
                continue
            }
            let value = String(word[word.index(after: equals)...])
            guard value.utf8.count <= 255 else { throw arguments.wrong("patterns of at most 255 bytes") }
            switch word[..<equals] {
            case "plugin": plugin = Glob(value)
            case "name": name = Glob(value)
            case "session": session = Glob(value)
            case "limit":
                guard let number = Int(value), (1...1_000_000).contains(number) else {
                    throw arguments.wrong("a limit from 1 to 1000000 in a second")
                }
                limit = number
            default: throw Self.wrong(arguments, word)
            }
        }
    }

    private static func kinds(_ arguments: ControlArguments, _ word: String) throws(ControlProblem) -> Set<Kind> {
        var kinds: Set<Kind> = []
        for name in word.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = Kind(rawValue: String(name)) else { throw wrong(arguments, word) }
            kinds.insert(kind)
        }
        return kinds
    }

    private static func wrong(_ arguments: ControlArguments, _ word: String) -> ControlProblem {
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let keys = keys.map { $0 + "=" }.joined(separator: ", ")
        return arguments.wrong("kinds (\(kinds)) and then any of \(keys)")
    }
}
