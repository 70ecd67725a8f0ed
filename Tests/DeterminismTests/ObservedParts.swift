import TallyTesting

/// What the player said of the parts of its sessions: each ad or chapter that began, and whether it was shown to its end.
///
/// A part that is skipped, that a seek leads out of, or that another part or the end of the content takes over from, was
/// left.
struct ObservedParts {
    /// An ad or a chapter that began.
    struct Part {
        /// When its session was loaded, us.
        let session: Int64
        /// When it began, us.
        let begin: Int64
        /// When it was shown to its end, us; nil when it was left.
        var completion: Int64?
    }

    private(set) var all: [Part] = []
    /// The one that is shown.
    private var current: Int?
    /// The one from which a seek began, which may lead back into it.
    private var seekOrigin: Int?
    private var session: Int64?
    private var isSeeking = false

    /// What happens to the parts.
    enum Step { case begin, complete, leave, load, unload, seekStart, seekComplete }

    mutating func follow(_ step: Step, at time: Int64) {
        if step == .load {
            self = ObservedParts(all: all, session: time)
        } else if session != nil {
            followInSession(step, at: time)
        }
    }

    init() {}

    private init(all: [Part], session: Int64) {
        self.all = all
        self.session = session
    }

    private mutating func followInSession(_ step: Step, at time: Int64) {
        switch step {
        case .load: break
        case .begin:
            all.append(Part(session: session ?? 0, begin: time))
            current = all.count - 1
            seekOrigin = nil
        case .complete:
            if let current { all[current].completion = time }
            leave()
        case .leave: leave()
        case .unload:
            leave()
            session = nil
        case .seekStart where !isSeeking:
            isSeeking = true
            seekOrigin = current
            current = nil
        case .seekComplete where isSeeking:
            isSeeking = false
            current = current ?? seekOrigin
            seekOrigin = nil
        case .seekStart, .seekComplete: break
        }
    }

    private mutating func leave() {
        current = nil
        seekOrigin = nil
    }
}

extension ObservedParts.Step {
    /// What an action means to the ads; nil for nothing.
    init?(ofAds action: PlayerAction) {
        switch action {
        case .adStart: self = .begin
        case .adComplete, .adBreakComplete: self = .complete
        case .adSkip: self = .leave
        default: self.init(ofAll: action)
        }
    }

    /// What an action means to the chapters; nil for nothing.
    init?(ofChapters action: PlayerAction) {
        switch action {
        case .chapterStart: self = .begin
        case .chapterComplete: self = .complete
        case .chapterSkip: self = .leave
        default: self.init(ofAll: action)
        }
    }

    /// Behind the end of the content there is nothing but the unload.
    private init?(ofAll action: PlayerAction) {
        switch action {
        case .load: self = .load
        case .unload, .complete: self = .unload
        case .seekStart: self = .seekStart
        case .seekComplete: self = .seekComplete
        default: return nil
        }
    }
}
