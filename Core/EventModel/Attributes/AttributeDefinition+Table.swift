extension AttributeDefinition {
    /// Every well-known attribute in the order of its number.
    public static let all: [AttributeDefinition] =
        video + adBreak + ad + chapter + rendition + playback + network + errors + surroundings + core
}
