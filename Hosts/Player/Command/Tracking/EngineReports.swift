package import HostSupport
package import PlaybackEngine

extension EngineCommand {
    /// What the user is told of a command that the engine did not carry out.
    func refusalText(_ reason: String) -> String {
        let words: String? =
            switch self {
            // The reason names what was chosen and what there is; nobody may have given a command.
            case .selectAudio, .selectSubtitles, .begin: nil
            case .seek(let targetMs): "seek \(Self.text(Double(targetMs) / 1000))"
            case .setRate(let rate): "rate \(Self.text(rate))"
            case .setVolume(let volume): "volume \(volume)"
            case .setMuted(let isMuted): "mute \(isMuted ? "on" : "off")"
            case .pinRendition(let bitrate): "pin \(bitrate.map(String.init) ?? "auto")"
            case .load(let source): "load \(source)"
            case .play, .pause, .stop: "\(self)"
            }
        return words.map { "the command '\($0)' was refused: \(reason)" } ?? reason
    }

    /// A number as people write it in a command.
    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

extension EngineError.Code {
    /// How the program ends because of it; the documentation's table is checked against this.
    package var exitCode: ExitCode {
        switch self {
        case .notFound, .forbidden, .keyUnavailable, .notReadable, .unsupportedScheme: .noInput
        case .notMedia, .invalidManifest, .missingCodec, .encrypted, .corrupt, .truncated, .segmentMissing:
            .badData
        case .httpError, .connectionRefused, .hostNotFound, .tlsFailed, .connectionLost, .stalled, .loadTimeout,
            .engineMissing:
            .unavailable
        case .engineFailure, .engineCrashed: .internalError
        }
    }
}
