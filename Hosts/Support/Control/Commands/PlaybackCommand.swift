package import Tally

/// What a player is told to do, whoever tells it: a script, the control socket, or a program that talks to it.
package enum PlaybackCommand: Equatable, Sendable {
    /// Halts playback; with a time, for so long.
    case pause(milliseconds: Int64?)
    /// Goes on.
    case play
    /// Lets a replay that is paused go on by so many events.
    case step(Int)
    /// Moves the playhead.
    case seek(milliseconds: Int64)
    /// Plays faster or slower.
    case rate(Double)
    /// Switches the sound off or on.
    case mute(Bool)
    /// Sets the volume.
    case volume(Double)
    /// Allows only renditions up to a bitrate; nil allows all.
    case pin(bitrate: Int64?)
    /// Plays the sound of a language, or that of a number from 1 on.
    case audio(String)
    /// Switches on the subtitles of a language, or those of a number from 1 on, or switches them `off`.
    case subtitles(String)
    /// Reports that something interrupts playback.
    case interrupt(String)
    /// Reports that the interruption is over.
    case interruptEnd
    /// Reports an event of the application's own.
    case custom(String, [Attribute])
    /// Reports the viewer's consent, for all trackers or for one.
    case consent(ConsentState, tracker: String?)
    /// Lets the player seem to cover the screen, or no longer.
    case fullscreen(Bool)
    /// Lets the player seem to have a size on screen, in logical pixels.
    case size(width: Int32, height: Int32)
    /// Lets the viewer seem to be connected in another way, such as `wifi` or `cellular`.
    case connection(String)
    /// Lets the session seem to have no pictures, or to have them; nil leaves it to the media.
    case audioOnly(Bool?)
    /// Plays a source instead of what is played.
    case load(String)
    /// Plays the next source.
    case next
    /// Skips the ad that is shown, when it may be skipped.
    case skipAd
    /// Clicks on the ad that is shown.
    case clickAd
    /// Ends the run gracefully.
    case stop

    /// An attribute of a custom event.
    package struct Attribute: Equatable, Sendable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: PlainValue

        /// Names a value.
        package init(name: String, value: PlainValue) {
            self.name = name
            self.value = value
        }
    }
}
