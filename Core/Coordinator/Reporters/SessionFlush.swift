/// A request to deliver what a reporter has taken of a session, in its place between the outputs.
struct SessionFlush: Sendable {
    /// Names the request towards the plugin.
    let token: UInt64
    /// The player run.
    let runID: String
    /// The session, 0 for the whole run.
    let session: UInt32
    /// How long it may take, ms.
    let budget: Int64
}
