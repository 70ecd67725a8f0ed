/// A media type for which no decoder is installed.
package struct MissingDecoder: Sendable, Equatable {
    /// The media type, such as `video/x-vp9`.
    package var mediaType: String
    /// The name for people.
    package var name: String
}
