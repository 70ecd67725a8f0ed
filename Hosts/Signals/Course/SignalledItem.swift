internal import Chapters
internal import EventModel
internal import MediaRules
internal import Tally

/// What is known of one item, from its opening to its end: another one begins with nothing.
struct SignalledItem: Sendable {
    let url: String
    let openedNs: Int64
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
    /// Where the seek goes to that goes on, or where playback is to begin.
    var targetMs: Int64?
    /// What came while the load was held.
    var held = Held()
    /// The rate that a seek brings.
    var rateToCome: Double?
    /// Whether more is known of it than was told.
    var isDescriptionNew = false
    /// How full the buffers are, in percent of what is needed.
    var level = 100
    /// When they became full again last.
    var filledNs: Int64?
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

    init(url: String, openedNs: Int64, wantsPlaying: Bool) {
        self.url = url
        self.openedNs = openedNs
        (movedNs, readNs) = (openedNs, openedNs)
        // As all measure it: from the wish to play this item, which is not older than the item.
        startup.load(atNs: openedNs)
        startup.want(wantsPlaying, atNs: openedNs)
    }

    /// What is told of a session, and came before it was told to begin.
    struct Held: Sendable {
        var requests: [EngineRequest] = []
        var variant: Int64?
    }

    /// An address without the name and the password of who fetches it.
    static func withoutPassword(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound]) + url[url.index(after: at)...]
    }

    /// What people call an item, as long as nothing better is known: the last part of its address.
    static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map(String.init) ?? url
    }
}
