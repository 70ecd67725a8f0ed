/// Plays one item and reports all that happens, in order.
///
/// ``PlaybackEngine`` does it with GStreamer; tests have one that does it on a virtual clock. Commands can be given
/// from any thread and return at once.
package protocol MediaEngine: AnyObject, Sendable {
    /// The playhead as it was at most one poll interval ago, nil before the item is loaded.
    var positionMs: Int64? { get }

    /// Carries out a command as soon as it can; a `load` is the first one, and `stopped` the last report after `stop`.
    func send(_ command: EngineCommand)

    /// Waits until `stopped` was delivered; returns at once when called from the handler.
    func waitUntilStopped()
}

/// What players stand on: engines, time, threads, and documents of the web.
package protocol MediaPlatform: Sendable {
    /// The clock of the engines' reports, ns.
    var nowNs: Int64 { get }

    /// Lets time pass on this thread.
    func sleep(milliseconds: Int64)

    /// Runs a body on a thread that nobody joins.
    func startThread(_ body: @escaping @Sendable () -> Void)

    /// Makes an engine; nothing is opened before its `load`.
    ///
    /// - Parameters:
    ///   - configuration: its limits and intervals.
    ///   - onTick: called after each look at the position, from the load to the end, with the time; in order with the
    ///     reports and on their thread.
    ///   - handler: takes the reports; one that takes long delays the reports after it, not the playback.
    /// - Returns: the engine.
    func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine

    /// The body of a document at an address of the web, of so many bytes at most; waits for it.
    func document(_ url: String, timeoutMs: Int64, limit: Int) throws(HTTPFetch.Failure) -> [UInt8]
}
