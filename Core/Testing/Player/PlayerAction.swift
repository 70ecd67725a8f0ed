public import Tally

/// Something that a player does: one track call with what it changes in the player.
public enum PlayerAction: Sendable, Equatable {
    /// Player ready.
    case playerReady
    /// Load.
    case load
    /// Unload.
    case unload
    /// Play.
    case play
    /// First frame.
    case firstFrame
    /// Pause.
    case pause
    /// Complete.
    case complete
    /// Seek start.
    case seekStart(to: Double)
    /// Seek complete.
    case seekComplete
    /// Buffer start.
    case bufferStart(BufferingCause)
    /// Buffer complete.
    case bufferComplete
    /// Where playback stands.
    case sample
    /// Quality figures.
    case quality
    /// Ad break start.
    case adBreakStart
    /// Ad break complete.
    case adBreakComplete
    /// Ad start.
    case adStart(Int64)
    /// Ad complete.
    case adComplete
    /// Ad skip.
    case adSkip
    /// Ad click.
    case adClick
    /// Ad quartile.
    case adQuartile(AdQuartile)
    /// Ad error.
    case adError(String)
    /// Chapter start.
    case chapterStart(Int64)
    /// Chapter complete.
    case chapterComplete
    /// Chapter skip.
    case chapterSkip
    /// The rendition changes.
    case rendition(bitrate: Int64, shift: Rendition.Shift, phase: Rendition.Phase)
    /// Request completed.
    case requestCompleted(bytes: Int64)
    /// Request failed.
    case requestFailed(status: Int64)
    /// Request cancelled.
    case requestCancelled
    /// Player error.
    case playerError(String)
    /// Application error.
    case applicationError(String)
    /// The title changes.
    case metadata(name: String)
    /// An event of the application's own.
    case custom(name: String, value: PlainValue)
    /// Application launched.
    case applicationLaunched
    /// Application terminated.
    case applicationTerminated(Double)
    /// Foreground.
    case foreground
    /// Background.
    case background
    /// Interruption start.
    case interruptionStart(String)
    /// Interruption end.
    case interruptionEnd
    /// The sound goes off or on; a sample tells it.
    case muted(Bool)
    /// The playback rate changes; a sample tells it.
    case rate(Double)
    /// The viewer's consent for all trackers.
    case consent(ConsentState)
    /// What the player shows changes, without a track call.
    case show(PlayerDetail)
    /// A tracker is enabled.
    case enable(String)
    /// A tracker is disabled.
    case disable(String)
    /// Anything else.
    case call(PlayerCall)
}

/// Something that a player does and no other ``PlayerAction`` stands for: a change of what it shows, a track call.
public struct PlayerCall: Sendable, Equatable {
    /// What it is, for messages; calls of one name are taken to be equal.
    public let name: String
    /// Does it.
    public let perform: @Sendable (SyntheticPlayer, PlayerRun) -> Void

    /// Describes a call.
    public init(_ name: String, _ perform: @escaping @Sendable (SyntheticPlayer, PlayerRun) -> Void) {
        self.name = name
        self.perform = perform
    }

    /// Whether both have the same name.
    public static func == (left: PlayerCall, right: PlayerCall) -> Bool { left.name == right.name }
}
