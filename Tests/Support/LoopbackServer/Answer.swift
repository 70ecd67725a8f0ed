/// What was answered to a request.
package struct Answer: Sendable, Equatable {
    /// The request.
    package let request: RecordedRequest
    /// The status; 0 when the connection was refused.
    package let status: Int
    /// The bytes of the body that were sent.
    package let bytesSent: Int
    /// The bytes of the body that the head promised.
    package let bytesPromised: Int
    /// Seconds from the request's arrival to the end of the answer.
    package let seconds: Double
}
