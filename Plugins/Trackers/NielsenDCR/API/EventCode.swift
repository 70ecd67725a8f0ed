/// Event codes of the vendor's API (event code reference for iOS, domain `AppApi`).
package enum EventCode: Int64, Sendable, CaseIterable {
    /// The API has started, after a valid configuration.
    case startup = 2001
    /// The API has ended.
    case shutdown = 2002

    /// The vendor's name.
    package var name: StaticString {
        switch self {
        case .startup: "AppApiStartup"
        case .shutdown: "AppApiShutdown"
        }
    }
}
