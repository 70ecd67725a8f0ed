/// The viewer's consent.
public enum ConsentState: String, Sendable {
    /// Given.
    case given = "in"
    /// Refused.
    case refused = "out"
    /// Not decided yet.
    case pending
}

// What happens around the player.
extension PlayerRun {
    /// An event of the application's own.
    @discardableResult
    public func trackCustomEvent(
        _ name: String,
        _ attributes: (borrowing AttributeEncoder) -> Void = { _ in }
    ) -> TrackResult {
        track(.custom) { event in
            event.set(.customName, name)
            event.fill(attributes)
        }
    }

    /// The application was launched.
    @discardableResult
    public func trackApplicationLaunched() -> TrackResult { track(.applicationLaunched) }

    /// The application is about to end after it ran for `runningTime`, seconds.
    @discardableResult
    public func trackApplicationTerminated(runningTime: Double? = nil) -> TrackResult {
        track(.applicationTerminated) { $0.setOptional(.runningTimeMs, runningTime) }
    }

    /// The application came to the foreground.
    @discardableResult
    public func trackApplicationForeground() -> TrackResult { track(.applicationForeground) }

    /// The application went to the background.
    @discardableResult
    public func trackApplicationBackground() -> TrackResult { track(.applicationBackground) }

    /// Something outside the player interrupts playback: `network`, `call`, `alarm`, `lock`, `background`,
    /// `channel_change`, `headphones` or another word.
    @discardableResult
    public func trackInterruptionStart(_ reason: String) -> TrackResult {
        track(.interruptionStart) { $0.set(.interruptionReason, reason) }
    }

    /// The interruption is over.
    @discardableResult
    public func trackInterruptionEnd() -> TrackResult { track(.interruptionEnd) }

    /// The viewer's consent for all trackers, or for the one that is configured as `tracker`, is now this.
    @discardableResult
    public func trackConsent(_ state: ConsentState, tracker: String? = nil) -> TrackResult {
        track(.consent) { event in
            event.set(.consentScope, tracker ?? "all")
            event.set(.consentState, state.rawValue)
        }
    }
}
