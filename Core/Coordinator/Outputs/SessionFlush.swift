/// A request to deliver what a reporter has taken of a session, in its place between the outputs.
package struct SessionFlush: Sendable {
    /// Names the request towards the plugin.
    package let token: UInt64
    /// The player run.
    package let runID: String
    /// The session, 0 for the whole run.
    package let session: UInt32
    /// How long it may take, ms.
    package let budget: Int64

    /// Makes a request.
    package init(token: UInt64, runID: String, session: UInt32, budget: Int64) {
        self.token = token
        self.runID = runID
        self.session = session
        self.budget = budget
    }
}
