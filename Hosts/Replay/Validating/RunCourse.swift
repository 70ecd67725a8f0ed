internal import EventModel
internal import TextEncoding

/// Follows the events of one run, and finds what they should not have.
///
/// It judges what the player said and nothing else: what the core inserts is no call of the player's.
struct RunCourse {
    /// What was found and not fetched yet, in the order of finding.
    var findings: [CourseFinding] = []
    /// The session that goes on; nil outside one.
    var session: CourseSession?

    private let begin: LinePlace
    private var last: LinePlace
    private var time: Int64 = 0
    /// Whether it was said already that there is no session.
    private var isLostTold = false
    private(set) var isInBackground = false
    /// What means nothing and was said already.
    private var unknownTold: Set<String> = []
    /// Of so many words of a run it is said.
    private static let unknownTold = 100

    /// A run whose header stands there.
    init(at place: LinePlace) {
        begin = place
        last = place
    }

    /// Adds a finding about the line at `place`.
    mutating func find(_ rule: CourseRule, _ place: LinePlace, at time: Int64, _ text: String) {
        findings.append(CourseFinding(rule: rule, place: place, time: time, text: text))
    }

    /// Meets a member of a line that means nothing.
    mutating func meet(member: String, at place: LinePlace, time: Int64) {
        meet(.unknownMember, member, "a member \(PrintableText.escaped(member, longest: 100))", place, time)
    }

    private mutating func meet(_ rule: CourseRule, _ word: String, _ text: String, _ place: LinePlace, _ time: Int64) {
        guard unknownTold.count < Self.unknownTold, unknownTold.insert(rule.rawValue + word).inserted else { return }
        find(rule, place, at: time, text + " means nothing")
    }

    private mutating func meet(_ event: EventView, at place: LinePlace) {
        let word = event.typeName.string
        let nearest = NearestName.among(EventType.wellKnown.map { "\($0.name)" }, to: word)
        let hint = nearest.map { ", close to \($0)," } ?? ""
        meet(.unknownEvent, word, "an event \(PrintableText.escaped(word, longest: 100))\(hint)", place, event.time)
    }

    /// Looks at an event.
    mutating func follow(_ event: EventView, at place: LinePlace) {
        last = place
        time = max(time, event.time)
        if EventTypeNames.name(of: event.type) == nil { meet(event, at: place) }
        let isImplicit = event.attributes[.implicit]?.bool == true
        switch event.type {
        case .applicationBackground, .interruptionStart: isInBackground = true
        case .applicationForeground, .interruptionEnd: isInBackground = false
        case .systemSuspended: session?.forgetSamples()
        case .videoLoad: load(event, place)
        case .videoUnload:
            if !isImplicit { lookForSilence(event, place) }
            if let open = session, isImplicit { findOpen(open, ", and the core closed it at \(place.text)") }
            session = nil
        default:
            guard event.type.isFromPlayer else { return }
            guard session != nil else { return findLost(event, place) }
            followPlayback(event, place, isImplicit: isImplicit)
        }
    }

    /// Looks at the run's end; nil when it has none.
    mutating func end(at place: LinePlace?) {
        if let session { findOpen(session, ", and the run is over") }
        session = nil
        guard place == nil else { return }
        find(.runWithoutEnd, last, at: time, "the run that begins at \(begin.text) has no end behind this line")
    }

    private mutating func load(_ event: EventView, _ place: LinePlace) {
        if let session { findOpen(session, ", and the next one is loaded at \(place.text)") }
        isLostTold = false
        session = CourseSession(loaded: place, at: event.time)
        let id = event.attributes.first { $0.key == .videoID }?.string?.string ?? ""
        if id.isEmpty { find(.loadWithoutVideoID, place, at: event.time, "video_load has no video_id") }
    }

    private mutating func findOpen(_ open: CourseSession, _ ending: String) {
        find(.sessionWithoutUnload, open.loaded, at: open.loadedAt, "the session is never unloaded\(ending)")
    }

    private mutating func findLost(_ event: EventView, _ place: LinePlace) {
        switch event.type {
        case .play, .firstFrame, .pause, .complete, .seekStart, .bufferStart, .adBreakStart, .adStart, .playheadSample:
            guard !isLostTold else { return }
            isLostTold = true
            find(.playWithoutLoad, place, at: event.time, "\(event.typeName.string) comes while nothing is loaded")
        default: break
        }
    }
}
