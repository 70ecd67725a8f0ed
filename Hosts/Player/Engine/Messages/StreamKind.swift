/// The streams of an item.
package enum StreamKind: Sendable {
    /// The picture.
    case video
    /// The sound.
    case audio
}
