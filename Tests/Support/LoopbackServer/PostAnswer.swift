/// What a service that a test plays answers to a POST.
package struct PostAnswer: Sendable, Equatable {
    /// The status.
    package let status: Int
    /// The body.
    package let body: String
    /// The body's media type.
    package let contentType: String

    /// Makes an answer, by default in JSON.
    package init(status: Int, body: String = "", contentType: String = "application/json") {
        self.status = status
        self.body = body
        self.contentType = contentType
    }
}
