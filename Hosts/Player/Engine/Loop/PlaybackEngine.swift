internal import Glibc
internal import System

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

    package var positionMs: Int64? { mailbox.progress.positionMs }
    package func send(_ command: EngineCommand) { mailbox.post(.command(command)) }
    package func waitUntilStopped() { mailbox.progress.waitUntilFinished() }
}
