internal import Glibc
internal import System
package import XML

/// Plays one item with GStreamer and without a screen, on a thread of its own.
package final class PlaybackEngine: MediaEngine {
    private let mailbox: Mailbox

    /// Creates an engine, as ``MediaPlatform/makeEngine(_:onTick:handler:)`` says.
    package init(
        configuration: EngineConfiguration = EngineConfiguration(),
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)? = nil,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        let mailbox = Mailbox()
        self.mailbox = mailbox
        _ = Thread(name: "tally-media") {
            EngineLoop(configuration: configuration, mailbox: mailbox, onTick: onTick, handler: handler).run()
            mailbox.finish()
        }
    }

    deinit { mailbox.post(.command(.stop)) }

    package var positionMs: Int64? { mailbox.positionMs }
    package func send(_ command: EngineCommand) { mailbox.post(.command(command)) }
    package func waitUntilStopped() { mailbox.waitUntilFinished() }
}

/// The machine with its GStreamer, its clock and its network.
package struct Machine: MediaPlatform {
    /// There is one.
    package init() {}

    package var nowNs: Int64 { MonotonicClock.nowNs() }
    package func sleep(milliseconds: Int64) { usleep(UInt32(milliseconds * 1000)) }
    package func startThread(_ body: @escaping @Sendable () -> Void) { _ = Thread(name: "tally-media", body) }

    package func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine {
        PlaybackEngine(configuration: configuration, onTick: onTick, handler: handler)
    }

    package func document(_ url: String, timeoutMs: Int64, limit: Int) throws(FetchFailure) -> [UInt8] {
        try HTTPFetch.get(url, timeoutMs: timeoutMs, limit: limit)
    }
}
