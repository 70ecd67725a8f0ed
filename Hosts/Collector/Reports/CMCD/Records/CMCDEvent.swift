/// Why a player made a report in event mode: the values of `e`.
package enum CMCDEvent: String, CaseIterable, Sendable {
    case adBreakStart = "abs"
    case adBreakEnd = "abe"
    case adStart = "as"
    case adEnd = "ae"
    case adSkipped = "sk"
    case background = "b"
    case bitrateChange = "bc"
    case content = "c"
    case custom = "ce"
    case error = "e"
    case host = "h"
    case muted = "m"
    case unmuted = "um"
    case enlarged = "pe"
    case reduced = "pc"
    case rate = "pr"
    case playState = "ps"
    case response = "rr"
    case interval = "t"

    /// The key without which such a report does not say what happened.
    var companion: CMCDKey? {
        switch self {
        case .custom: .cen
        case .error: .ec
        case .playState: .sta
        case .response: .url
        default: nil
        }
    }
}

/// What a viewer sees a player do: the values of `sta`.
package enum CMCDState: String, CaseIterable, Sendable {
    case preloading = "d"
    case starting = "s"
    case playing = "p"
    case seeking = "k"
    case rebuffering = "r"
    case paused = "a"
    case ended = "e"
    case failed = "f"
    case quit = "q"
    case waiting = "w"
}
