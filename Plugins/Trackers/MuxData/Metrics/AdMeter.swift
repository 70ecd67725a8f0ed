internal import PluginKit

/// Counts ads, and measures how long ads before the content take, ms.
struct AdMeter {
    private var requests: Int64 = 0
    /// Time from requests to answers.
    private var requestTime: Int64?
    /// Ads that began.
    var played: Int64 = 0
    /// Ads that were clicked on.
    var clicked: Int64 = 0
    /// Ads that were skipped.
    var skipped: Int64 = 0
    /// Requests before the content.
    private var prerollRequests: Int64 = 0
    /// Time from those requests to their answers.
    private var prerollRequestTime: Int64?
    /// Time from the break's begin, or from the last answer in it, to the first ad before the content.
    private var prerollLoadTime: Int64?
    private var isPrerollPlayed = false
    private var open: [OpenRequest] = []
    private var loadsSince: Int64?

    /// A request that has no answer yet.
    private struct OpenRequest {
        var id: String?
        var since: Int64
    }

    /// Requests that may be open at a time; of more the oldest is forgotten.
    private static let mostOpen = 16

    /// An ad was requested; the identifier pairs requests that are open at a time with their answers.
    mutating func requested(_ id: String?, at time: Int64, isPreroll: Bool) {
        requests += 1
        if isPreroll { prerollRequests += 1 }
        if open.count == Self.mostOpen { open.removeFirst() }
        open.append(OpenRequest(id: id, since: time))
    }

    mutating func answered(_ id: String?, at time: Int64, isPreroll: Bool) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        let since = open.remove(at: index).since
        requestTime = (requestTime ?? 0) + time - since
        if isPreroll { prerollRequestTime = (prerollRequestTime ?? 0) + time - since }
        loadsSince = time
    }

    mutating func breakStarted(at time: Int64) { loadsSince = max(loadsSince ?? time, time) }

    /// An ad before the content is on screen.
    mutating func prerollShown(at time: Int64) {
        isPrerollPlayed = true
        guard prerollLoadTime == nil, let since = loadsSince else { return }
        prerollLoadTime = time - since
    }

    /// Puts the figures into the fields of the view.
    func write(to fields: inout FieldValues) {
        guard requests + played > 0 else { return }
        fields.set(.viewAdPlayedCount, played)
        if requests > 0 { fields.set(.viewAdRequestCount, requests) }
        fields.set(.viewAdRequestTime, ifKnown: requestTime)
        if clicked > 0 { fields.set(.viewAdClickedCount, clicked) }
        if skipped > 0 { fields.set(.viewAdSkippedCount, skipped) }
        if prerollRequests > 0 {
            fields.set(.viewPrerollRequested, true)
            fields.set(.viewPrerollRequestCount, prerollRequests)
        }
        fields.set(.viewPrerollRequestTime, ifKnown: prerollRequestTime)
        fields.set(.viewStartupPrerollRequestTime, ifKnown: prerollRequestTime)
        if isPrerollPlayed { fields.set(.viewPrerollPlayed, true) }
        fields.set(.viewPrerollLoadTime, ifKnown: prerollLoadTime)
        fields.set(.viewStartupPrerollLoadTime, ifKnown: prerollLoadTime)
    }
}
