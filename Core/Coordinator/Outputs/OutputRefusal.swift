package import PluginABI

/// Why something that a tracker says or asks for is not taken.
package struct OutputRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the plugin called.
    package enum Call: String, Sendable {
        case record
        case beacon
        case playerError = "player error"
        case timer
        case store
    }

    /// What was wrong; of each rule and call the first breach of an instance is logged.
    package enum Rule: UInt8, Sendable {
        /// It may not say anything now.
        case state
        /// The block, or the structure, is not whole.
        case form
        case kind
        case attributeCount
        case attributeName
        case value
        case list
        case size
        case patch
        /// Bytes that would end the text where it goes.
        case forbiddenBytes
        case timerScope
        case timerCount
        case storeKey
        case callOutputs
        case callBytes
    }

    /// The rule.
    package let rule: Rule
    /// `TALLY_ERR_...`, what the plugin is told.
    package let status: tally_status
    /// What was wrong with it, without its subject: "has 201 attributes, at most 200 are taken".
    package let description: String

    /// It breaks a documented rule.
    static func invalid(_ rule: Rule, _ description: String) -> OutputRefusal {
        OutputRefusal(rule: rule, status: TALLY_ERR_INVALID, description: description)
    }

    /// It is beyond a limit.
    static func tooLarge(
        _ rule: Rule,
        _ what: String,
        _ found: some BinaryInteger,
        _ unit: String,
        limit: Int
    ) -> OutputRefusal {
        let text = "\(what) \(found) \(unit), at most \(limit) are taken"
        return OutputRefusal(rule: rule, status: TALLY_ERR_TOO_LARGE, description: text)
    }

    /// It is not the time for it.
    static let notEnabled = OutputRefusal(
        rule: .state,
        status: TALLY_ERR_STATE,
        description: "came while the tracker may say nothing: before enable, in or after disable, or in a query"
    )
}

/// What was refused of one tracker: of each rule the first breach is told.
struct RefusalLog {
    private var told: Set<UInt16> = []

    /// Whether this is the first of its kind.
    mutating func isFirst(_ call: OutputRefusal.Call, _ refusal: OutputRefusal) -> Bool {
        let place: UInt16 =
            switch call {
            case .record: 0
            case .beacon: 1
            case .playerError: 2
            case .timer: 3
            case .store: 4
            }
        let size: UInt16 = refusal.status == TALLY_ERR_TOO_LARGE ? 0x80 : 0
        return told.insert(place << 8 | size | UInt16(refusal.rule.rawValue)).inserted
    }
}
