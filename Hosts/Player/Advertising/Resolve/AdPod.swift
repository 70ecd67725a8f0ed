/// The ads of a break in their order, and what came in between.
package struct AdPod: Sendable, Equatable {
    /// What can be played.
    package var ads: [LinearAd] = []
    /// What cannot.
    package var failures: [AdFailure] = []
    /// The addresses of all documents that were read.
    package var documents: [String] = []

    /// There is nothing yet.
    package init() {}

    /// Gives the ads of a stream's own break the break's name and rules.
    package mutating func apply(_ scheduled: ScheduledBreak) {
        guard let rules = scheduled.rules else { return }
        for index in ads.indices {
            ads[index].id = scheduled.id
            ads[index].skipOffset = rules.isSkippable ? .time(0) : nil
        }
    }
}
