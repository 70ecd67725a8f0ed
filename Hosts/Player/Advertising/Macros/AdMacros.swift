internal import TextEncoding

/// Replaces the macros in addresses of ad documents (VAST 4.3, 6).
package enum AdMacros {
    /// The address with the values for its macros.
    ///
    /// What is no macro of the standard stays as it is: the standard wants -1 for its own macros only. Each value is
    /// percent-encoded, and the commas between several are not.
    package static func replaced(in address: String, at moment: AdMoment) -> String {
        guard address.utf8.contains(UInt8(ascii: "[")) else { return address }
        var result = ""
        var rest = address[...]
        while let open = rest.firstIndex(of: "[") {
            result += rest[..<open]
            rest = rest[rest.index(after: open)...]
            let name = rest.prefix { $0 != "]" && $0 != "[" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == "]", let macro = byName[String(name)] else {
                result += "["
                continue
            }
            result += text(macro, at: moment)
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }

    private static func text(_ macro: AdMacro, at moment: AdMoment) -> String {
        guard macro.place.has(moment.use) else { return "-1" }
        switch macro.value(moment) {
        case .list(let values): return values.map(PercentEncoding.encode).joined(separator: ",")
        case .unknown: return "-1"
        case .withheld: return "-2"
        }
    }

    private static let byName = Dictionary(AdMacro.all.map { ($0.name, $0) }) { first, _ in first }
}

/// A macro of the standard, and what this player makes of it.
package struct AdMacro: Sendable {
    /// Where a macro has a meaning; elsewhere it becomes -1.
    package enum Place: String, Sendable {
        case everywhere = "all"
        case requests, tracking, clicks, errors, verification

        func has(_ use: AdMoment.Use) -> Bool {
            switch (self, use) {
            case (.everywhere, _), (.requests, .request), (.clicks, .click), (.errors, .error): true
            case (.verification, .notVerified): true
            case (.tracking, _): use != .request
            default: false
            }
        }
    }

    /// What a macro becomes.
    enum Value: Equatable {
        case list([String])
        /// It is not known: -1.
        case unknown
        /// It is known, and nobody gets to know it: -2.
        case withheld
    }

    /// The name, without brackets.
    package let name: String
    /// Where it has a meaning.
    package let place: Place
    /// What it becomes, for readers of docs/player.md; nil for -1.
    package let meaning: String?
    let value: @Sendable (AdMoment) -> Value

    init(_ name: String, _ place: Place, _ meaning: String, _ value: @escaping @Sendable (AdMoment) -> Value) {
        self.name = name
        self.place = place
        self.meaning = meaning
        self.value = value
    }

    /// A macro whose value this player never knows.
    init(unknown name: String) {
        self.name = name
        place = .everywhere
        meaning = nil
        value = { _ in .unknown }
    }
}

extension AdMacro.Value {
    /// One value; nil when it is not known.
    static func known<Value: CustomStringConvertible>(_ value: Value?) -> Self {
        value.map { .list([$0.description]) } ?? .unknown
    }

    /// An address of the web; a file's name is nobody's business.
    static func location(_ location: String?) -> Self {
        guard let location else { return .unknown }
        return AdLocation.isWeb(location) ? .list([location]) : .withheld
    }
}
