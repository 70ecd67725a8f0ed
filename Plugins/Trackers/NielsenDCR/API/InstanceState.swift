/// The four states of an instance (DCR Sweden Video iOS SDK, "Life cycle of SDK instance").
package enum InstanceState: String, Sendable, CaseIterable {
    /// Not initialised: every call is ignored, without an error. Once left, it is never entered again.
    case initial
    /// Initialised: listens for `play`, measures nothing.
    case idle
    /// `play` and `loadMetadata` were called: playheads are processed, pings are built.
    case processing
    /// Initialisation failed, or `appDisableApi` is set: calls are not processed.
    case disabled
}
