/// A network request as far as the engine tells of it: of manifests and progressive files, not of segments.
package struct EngineRequest: Sendable, Equatable {
    /// What was asked for.
    package var url: String
    /// The HTTP status, nil when no server answered.
    package var status: Int?
    /// The size of the answer by its header.
    package var contentLength: Int64?
    /// The type of the answer by its header.
    package var contentType: String?

    /// Creates a request; without a status nobody answered.
    package init(url: String, status: Int? = nil) {
        self.url = url
        self.status = status
    }

    /// Whether the server answered with success.
    package var succeeded: Bool {
        guard let status else { return false }
        return (200..<400).contains(status)
    }
}
