internal import PlaybackEngine
internal import Tally

extension PlayerErrorDetails {
    /// What the engine says of an error.
    init(_ error: EngineError, fatal: Bool) {
        self.init(message: error.summary, fatal: fatal)
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
