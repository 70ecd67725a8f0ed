internal import PluginKit

/// Counts ads, and measures how long ads before the content take, ms.
struct AdMeter {
    /// Requests for ads.
    private(set) var requests: Int64 = 0
    /// Time from requests to answers.
    private(set) var requestTime: Int64?
    /// Ads that began.
    var played: Int64 = 0
    /// Ads that were clicked on.
    var clicked: Int64 = 0
    /// Ads that were skipped.
    var skipped: Int64 = 0
    /// Requests before the content.
    private(set) var prerollRequests: Int64 = 0
    /// Time from those requests to their answers.
    private(set) var prerollRequestTime: Int64?
    /// Time from the break's begin, or from the last answer in it, to the first ad before the content.
    private(set) var prerollLoadTime: Int64?
    private var open: [OpenRequest] = []
    private var loadsSince: Int64?

    /// A request that has no answer yet.
    private struct OpenRequest: StateValue {
        static var blank: OpenRequest { OpenRequest(since: 0) }

        var id: String?
        var since: Int64

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&id)
            transfer.carry(&since)
        }
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

    /// An ad request was answered.
    mutating func answered(_ id: String?, at time: Int64, isPreroll: Bool) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        let since = open.remove(at: index).since
        requestTime = (requestTime ?? 0) + time - since
        if isPreroll { prerollRequestTime = (prerollRequestTime ?? 0) + time - since }
        loadsSince = time
    }

    /// A break began.
    mutating func breakStarted(at time: Int64) {
        loadsSince = max(loadsSince ?? time, time)
    }

    /// An ad before the content plays.
    mutating func prerollPlays(at time: Int64) {
        guard prerollLoadTime == nil, let since = loadsSince else { return }
        prerollLoadTime = time - since
    }
}

extension AdMeter: StateValue {
    static var blank: AdMeter { AdMeter() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&requests)
        transfer.carry(&requestTime)
        transfer.carry(&played)
        transfer.carry(&clicked)
        transfer.carry(&skipped)
        transfer.carry(&prerollRequests)
        transfer.carry(&prerollRequestTime)
        transfer.carry(&prerollLoadTime)
        transfer.carry(&open)
        transfer.carry(&loadsSince)
    }
}
