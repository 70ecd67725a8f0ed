/// Plays one item without a screen and reports all that happens, in order, on a thread of its own.
///
/// Commands can be given from any thread and return at once. Reports are delivered on the engine's thread; a handler
/// that takes long delays the reports after it, not the playback.
package final class PlaybackEngine: Sendable {
    private let mailbox: Mailbox

    /// Creates an engine; nothing is opened before `load`.
    ///
    /// - Parameters:
    ///   - configuration: its limits and intervals.
    ///   - onTick: called after each look at the position, from the load to the end, with the time in nanoseconds of
    ///     `CLOCK_BOOTTIME`; in order with the reports and on their thread.
    ///   - handler: takes the reports.
    package init(
        configuration: EngineConfiguration = EngineConfiguration(),
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)? = nil,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        let mailbox = Mailbox()
        self.mailbox = mailbox
        EngineThread.start {
            EngineLoop(configuration: configuration, mailbox: mailbox, onTick: onTick, handler: handler).run()
            mailbox.finish()
        }
    }

    deinit {
        mailbox.post(.command(.stop))
    }

    /// The playhead as it was at most one poll interval ago, nil before the item is loaded.
    package var positionMs: Int64? { mailbox.positionMs }

    /// Opens a file path or an http, https or file address and decodes its first frame; does not play yet.
    ///
    /// Playlists and manifests are opened over http and https only.
    package func load(_ location: String) {
        mailbox.post(.command(.load(location)))
    }

    /// Plays, at once or as soon as the item is loaded.
    package func play() {
        mailbox.post(.command(.play))
    }

    /// Halts playback.
    package func pause() {
        mailbox.post(.command(.pause))
    }

    /// Moves the playhead; before the load, or during another seek, as soon as that is done.
    package func seek(toMs targetMs: Int64) {
        mailbox.post(.command(.seek(toMs: targetMs)))
    }

    /// Plays faster or slower, above 0 and up to 16.
    package func setRate(_ rate: Double) {
        mailbox.post(.command(.setRate(rate)))
    }

    /// Sets the volume, 0 to 1.
    package func setVolume(_ volume: Double) {
        mailbox.post(.command(.setVolume(volume)))
    }

    /// Switches the sound off or on.
    package func setMuted(_ muted: Bool) {
        mailbox.post(.command(.setMuted(muted)))
    }

    /// Allows only renditions up to a bitrate from the next segment on; nil allows all.
    package func pinRendition(maxBitrate: Int64?) {
        mailbox.post(.command(.pinRendition(maxBitrate: maxBitrate)))
    }

    /// Releases everything; `stopped` is the last report.
    package func stop() {
        mailbox.post(.command(.stop))
    }

    /// Waits until `stopped` was delivered; returns at once when called from the handler.
    package func waitUntilStopped() {
        mailbox.waitUntilFinished()
    }
}
