internal import Streaming

/// The ads of a break in their order, and what came in between.
package struct AdPod: Sendable, Equatable {
    /// What can be played.
    package var ads: [LinearAd] = []
    /// What cannot.
    package var failures: [AdFailure] = []
    /// The addresses of all documents that were read.
    package var documents: [String] = []
    /// Addresses that the documents name and that cannot be used, in words.
    package var unusable: [String] = []

    /// The stand-alone ads of each response that nobody has chosen.
    private var standAlone: [Int: [LinearAd]] = [:]
    private var responses = 0

    /// No ad.
    init() {}

    /// Gives the ads of a stream's own break the break's name and rules.
    package mutating func apply(_ scheduled: ScheduledBreak) {
        guard let interstitial = scheduled.interstitial else { return }
        for index in ads.indices {
            ads[index].id = scheduled.id
            ads[index].skipOffset = interstitial.isSkippable ? .time(0) : nil
        }
    }

    /// Puts a stand-alone ad of the same response in the place of an ad that could not be played; false when there is
    /// none (VAST 4.2, 3.3.1).
    package mutating func replaceAd(at index: Int) -> Bool {
        for response in ads[index].substitutes.reversed() {
            guard let substitute = standAlone[response]?.first else { continue }
            standAlone[response]?.removeFirst()
            ads[index] = substitute
            return true
        }
        return false
    }

    /// A number for one more response.
    mutating func beginResponse() -> Int {
        responses += 1
        return responses
    }

    /// Keeps an ad of a response, which may take the place of another one.
    mutating func keep(_ ad: LinearAd, of response: Int) { standAlone[response, default: []].append(ad) }
}
