/// Why a document could not be had.
package struct AdFetchFailure: Error, Sendable, Equatable {
    /// The HTTP status, when a server answered.
    package var status: Int?
    /// The reason in words.
    package var reason: String

    /// Makes a failure.
    package init(status: Int? = nil, reason: String) {
        self.status = status
        self.reason = reason
    }
}
