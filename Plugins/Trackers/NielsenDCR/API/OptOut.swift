/// Whether the user is opted out, and by what (DCR Sweden Video iOS SDK, "Privacy and Opt-Out").
///
/// The system's setting and the user's choice are independent: either opts out.
package struct OptOut: Sendable, Equatable {
    /// What opted the user out, as records and answers say it.
    package enum Source: String, Sendable {
        /// The application is for children: nothing opts in.
        case kids
        /// The system's setting: tracking limited or refused.
        case system
        /// The user's own choice.
        case user
    }

    /// The address that the vendor's page ends on when the user opts out.
    package static let outURL = "nielsenappsdk://1"
    /// The address that the vendor's page ends on when the user opts in.
    package static let inURL = "nielsenappsdk://0"
    /// Key of the persistent value: `1` opted out, `0` opted in.
    package static let storeKey = "userOptOut"

    /// Whether the application is for children.
    package let isForKids: Bool
    /// Whether the system's setting opts out.
    package var bySystem: Bool
    /// Whether the user opted out.
    package internal(set) var byUser: Bool

    /// Begins with what the configuration and an earlier run say.
    package init(isForKids: Bool, bySystem: Bool, stored: String?) {
        self.isForKids = isForKids
        self.bySystem = bySystem
        byUser = isForKids || stored == "1"
    }

    /// What opts out now, nil when the user is opted in.
    package var source: Source? {
        if isForKids { return .kids }
        if bySystem { return .system }
        return byUser ? .user : nil
    }

    /// The value of `optOutStatus`.
    package var isOptedOut: Bool { source != nil }

    /// Applies a choice; false when the text is neither of the two addresses.
    package mutating func choose(_ url: String) -> Bool {
        switch url {
        case Self.outURL: byUser = true
        case Self.inURL: byUser = false
        default: return false
        }
        return true
    }
}
