/// What can be chosen of the calls that reports in CMCD make.
package struct CMCDOptions: Equatable, Sendable {
    /// How long reports are waited for.
    package var patience = ReportPatience()
    /// Whether times are corrected when a device's clock is more than 5 s wrong, and when it is set.
    ///
    /// Not for reports that were kept for long before they came: when they came says nothing of that clock.
    package var correctsClock = true
    /// Whether playhead samples are made every 250 ms between two reports that agree.
    ///
    /// Only between reports that are both there when the first is played: of a live run these are few, of one that is
    /// put into order at its end all.
    package var estimatesPlayhead = false
    /// Whether another content id is another programme of the same session, as of a channel, and no new session.
    package var contentIsProgramme = false
    /// Whether another host or delivery network makes a `metadata_change`.
    package var tellsHosts = false
    /// Whether "larger" and "smaller" say that the player covers the screen.
    package var enlargedIsFullscreen = false
    /// Whether all keys become attributes, those that add up to much as well.
    package var keepsAllKeys = false

    package init() {}
}
