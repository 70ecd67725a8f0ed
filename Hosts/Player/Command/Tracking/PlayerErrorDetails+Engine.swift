internal import PlaybackEngine
internal import Tally

extension PlayerErrorDetails {
    /// What the engine says of an error that ends playback.
    init(_ error: EngineError) {
        self.init(message: error.summary, fatal: true)
        if let status = error.httpStatus {
            domain = "http"
            code = Int64(status)
        } else if !error.engineDomain.isEmpty {
            domain = error.engineDomain
            code = Int64(error.engineCode)
        }
        if !error.detail.isEmpty {
            context = error.detail
        }
    }
}
