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
}
