internal import Advertising
internal import PlaybackEngine
internal import Tally

extension AdFailure {
    /// What the engine says of a creative.
    init(_ error: EngineError, of ad: LinearAd) {
        let code: Code =
            switch error.code {
            case .notFound: .mediaNotFound
            case .loadTimeout, .stalled: .mediaTimeout
            default: .unplayable
            }
        self.init(code, error.summary, errorURLs: ad.tracking.errors)
    }
}

extension PlayerErrorDetails {
    /// What is known of an ad's failure; the code is that of the standard.
    init(_ failure: AdFailure) {
        self.init(message: failure.message, domain: "vast", code: Int64(failure.code.vast), fatal: false)
    }
}
