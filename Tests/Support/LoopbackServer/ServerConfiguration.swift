/// What a loopback server serves and how it misbehaves.
package struct ServerConfiguration: Sendable {
    /// The folder whose files GET and HEAD answer with; without one they answer 404.
    package var root: String?
    /// The port on 127.0.0.1; 0 takes a free one.
    package var port: UInt16 = 0
    /// The bandwidth of the one link that all connections share; nil does not slow anything.
    package var throttle: ThrottleSchedule?
    /// When the schedule's clock starts.
    package var throttleStart: ThrottleStart = .firstRequest(PathPattern("*"))
    /// Faults by path; every rule that matches applies, a later one wins where two set the same fault.
    package var faults: [FaultRule] = []
    /// Chooses faults of one request, which win over those of the rules; on the connection's thread.
    package var chooses: (@Sendable (RecordedRequest) -> Faults)?
    /// Answers POST as a service would, on the connection's thread; without one each POST is taken with an empty 200.
    package var onPost: (@Sendable (RecordedRequest) -> PostAnswer)?
    /// Called on the connection's thread after each answer.
    package var onAnswer: (@Sendable (Answer) -> Void)?

    /// Serves a folder, or nothing but answers to POST.
    package init(root: String? = nil) {
        self.root = root
    }
}
