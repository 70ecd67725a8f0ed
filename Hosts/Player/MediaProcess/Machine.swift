internal import Glibc
package import PlaybackEngine
internal import System
package import XML

/// The machine with its GStreamer, its clock and its network; each engine has a process of its own.
package struct Machine: MediaPlatform {
    /// There is one.
    package init() {}

    package var nowNs: Int64 { SystemTime.monotonic() * 1000 }
    package func sleep(milliseconds: Int64) { usleep(UInt32(milliseconds * 1000)) }
    package func startThread(_ body: @escaping @Sendable () -> Void) { _ = Thread(name: "tally-media", body) }

    package func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine {
        RemoteEngine(configuration: configuration, onTick: onTick, handler: handler)
    }

    package func document(_ url: String, timeoutMs: Int64, limit: Int) throws(FetchFailure) -> [UInt8] {
        try HTTPFetch.get(url, timeoutMs: timeoutMs, limit: limit)
    }
}
