package import HostSupport
package import PlaybackEngine

extension EngineError.Code {
    /// How the program ends because of it; the documentation's table is checked against this.
    package var exitCode: ExitCode {
        switch self {
        case .notFound, .forbidden, .notReadable, .unsupportedScheme: .noInput
        case .notMedia, .invalidManifest, .missingCodec, .encrypted, .corrupt, .truncated: .badData
        case .httpError, .connectionRefused, .hostNotFound, .connectionLost, .stalled, .loadTimeout, .engineMissing:
            .unavailable
        case .engineFailure: .internalError
        }
    }
}
