internal import Chapters
internal import EventModel
internal import MediaRules
internal import Tally

/// What is known of one item, from its opening to its end: another one begins with nothing.
struct SignalledItem: Sendable {
    let url: String
    let openedNs: Int64
    /// What was known as it was opened, which its load says.
    let knownAtOpening: SignalledCall.Known
    /// Whether its session has begun.
    var isLoaded = false
    /// Whether the player has opened it.
    var isOpened = false
    /// Whether its playback was told to begin.
    var hasBegun = false
    var hasPicture = false
    /// Whether the first frame was told.
    var hasStarted = false
    var isSeeking = false
    /// The rate that a seek brings.
    var rateToCome: Double?
    /// Whether more is known of it than was told.
    var isDescriptionNew = false
    /// How full the buffers are, in percent of what is needed.
    var level = 100
    var waits = BufferingState()
    /// When a halt becomes a pause, unless the player goes on before.
    var pauseNs: Int64?
    /// When the playhead was looked at last.
    var readNs: Int64 = 0
    /// When the playhead moved last.
    var movedNs: Int64 = 0
    var isFrozen = false
    var nextQualityNs: Int64 = 0
    var startup = StartupTime()
    var renditions = RenditionTracker()
    var reporting = RenditionReporting()
    var chapters = ChapterCourse(ChapterList([]))
    var requests: [EngineRequest] = []
    var missingDecoders: [MissingDecoder] = []

    init(url: String, openedNs: Int64, wantsPlaying: Bool, knowing known: SignalledCall.Known) {
        self.url = url
        self.openedNs = openedNs
        knownAtOpening = known
        (movedNs, readNs) = (openedNs, openedNs)
        // As all measure it: from the wish to play this item, which is not older than the item.
        startup.load(atNs: openedNs)
        startup.want(wantsPlaying, atNs: openedNs)
    }

    /// What people call an item, as long as nothing better is known: the last part of its address.
    static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init) ?? url
    }
}
