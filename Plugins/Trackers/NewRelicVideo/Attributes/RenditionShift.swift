internal import PluginKit

/// Whether a rendition is better than the one before.
package enum RenditionShift: Sendable {
    /// Better.
    case up
    /// Worse.
    case down

    /// Reads the player's word, nil for one that says neither.
    init?(_ word: UTF8Text) {
        if word == "up" {
            self = .up
        } else if word == "down" {
            self = .down
        } else {
            return nil
        }
    }

    /// The value of `shift`.
    package var text: StaticString {
        switch self {
        case .up: "up"
        case .down: "down"
        }
    }
}
