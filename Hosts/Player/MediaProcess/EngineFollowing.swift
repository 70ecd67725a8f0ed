internal import PlaybackEngine
internal import System

/// Hands on what the process of an engine says, and says itself what that no longer can; on one thread.
struct EngineFollowing {
    /// How often the silence is looked at.
    private static let stepMs: Int64 = 100
    /// After so much silence the host has its ticks from here: it can still be told to end.
    private static let patienceMs: Int64 = 1000
    /// A stop waits for downloads and for GStreamer, for 10 s at most.
    private static let stopLimitMs: Int64 = 15_000

    private let link: EngineLink
    private let silenceLimitMs: Int64
    private let onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?
    private let handler: @Sendable (EngineReport) -> Void
    private var lastTimeNs: Int64 = 0
    private var silentMs: Int64 = 0
    private var isLocked = false
    /// Whether the process said that it would stop, and has not been seen stopped since.
    ///
    /// Whoever continued this process may have continued that one as well: then it never is.
    private var mayStop = false
    private var hasBegun = false
    /// Whether the item has failed or was played to its end.
    private var hasEnded = false

    init(
        _ link: EngineLink,
        silenceLimitMs: Int64,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        self.link = link
        self.silenceLimitMs = silenceLimitMs
        self.onTick = onTick
        self.handler = handler
    }

    /// Follows the process to its end, or to the end of the item.
    mutating func run() {
        link.progress.begin()
        var last: EngineReport?
        if let child = link.child {
            while last == nil, let news = next(of: child) {
                if case .report(let report) = news, report.event == .stopped {
                    last = report
                } else {
                    hear(news, child)
                }
            }
            let end = child.end()
            let reason = isLocked ? "it said nothing for \(silenceLimitMs) ms and was ended" : end
            if last == nil { tellFailure(reason) }
        } else {
            tellFailure("its process cannot be started: \(link.startFailure)")
        }
        if let last { report(last) } else { report(.stopped) }
        link.progress.finish()
    }

    /// What the process says next; nil at its end.
    private mutating func next(of child: EngineChild) -> EngineNews? {
        while true {
            if mayStop { mayStop = !child.goOnIfStopped() }
            let arrival = child.channel.receive(timeoutMs: Self.stepMs)
            guard case .silence = arrival else {
                silentMs = 0
                return arrival.value(EngineNews.self)
            }
            let state = link.current
            guard state.location != nil || state.isStopping else { continue }
            silentMs += Self.stepMs
            if silentMs >= (state.isStopping ? min(Self.stopLimitMs, silenceLimitMs) : silenceLimitMs) {
                isLocked = true
                child.kill()
            } else if silentMs >= Self.patienceMs, hasBegun, !hasEnded {
                onTick?(SystemTime.monotonic() * 1000, link.progress.positionMs)
            }
        }
    }

    private mutating func hear(_ news: EngineNews, _ child: EngineChild) {
        switch news {
        case .report(let news): report(news)
        case .tick(let timeNs, let positionMs):
            link.progress.positionMs = positionMs
            onTick?(timeNs, positionMs)
        case .complaint(let text): report(.complained(text))
        case .halting: mayStop = true
        }
    }

    private mutating func report(_ report: EngineReport) {
        lastTimeNs = max(lastTimeNs, report.timeNs)
        link.progress.positionMs = report.positionMs
        switch report.event {
        case .loadStarted: hasBegun = true
        case .failed, .endOfStream: hasEnded = true
        case .seekStarted: hasEnded = false
        default: break
        }
        handler(report)
    }

    private mutating func report(_ event: EngineEvent) {
        let timeNs = max(lastTimeNs, SystemTime.monotonic() * 1000)
        report(EngineReport(timeNs: timeNs, positionMs: link.progress.positionMs, event: event))
    }

    /// Says that the item failed, unless all was said of it, or nobody wants it any more.
    private mutating func tellFailure(_ detail: String) {
        link.waitForItem()
        let state = link.current
        guard let location = state.location, !state.isStopping, !hasEnded else { return }
        if !hasBegun { report(.loadStarted(location: location)) }
        report(.failed(EngineError(code: .engineCrashed, location: location, detail: detail)))
    }
}
