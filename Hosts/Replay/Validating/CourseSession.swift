/// What goes on in a session, as its player has said.
struct CourseSession {
    /// Something that began and is open.
    struct Opening {
        let place: LinePlace
        let time: Int64
    }

    /// A place of playback that was reported.
    struct Sample {
        let time: Int64
        let playhead: Int64
    }

    /// Where it was loaded, and when, us.
    let loaded: LinePlace
    let loadedAt: Int64

    var firstFrame: LinePlace?
    /// Whether the player wants to play: between play and pause.
    var wantsPlay = false
    var pause: LinePlace?
    var buffer: Opening?
    var seek: Opening?
    var adBreak: Opening?
    var ad: Opening?
    var complete: Opening?
    var fatalError: Opening?
    var isLive = false
    var duration: Int64?
    var rateMilli: Int64 = 1000

    /// The last place, unless a jump was told since.
    var sample: Sample?
    /// When the last playhead sample came while it played, us, and how far samples were apart, us.
    var sampled: Int64?
    var interval: Int64?
    var samples = 0
    /// Where the stretch began in which nothing was told that stops or moves playback.
    var stretch: Sample?
    var isUnitTold = false
    var isDurationTold = false

    init(loaded: LinePlace, at time: Int64) {
        self.loaded = loaded
        loadedAt = time
    }

    /// Whether the playhead moves as far as the player said.
    var isMoving: Bool { firstFrame != nil && wantsPlay && buffer == nil && seek == nil && ad == nil && adBreak == nil }

    /// Expects nothing of where playback is next.
    mutating func forgetSamples() {
        sample = nil
        sampled = nil
        stretch = nil
    }
}
