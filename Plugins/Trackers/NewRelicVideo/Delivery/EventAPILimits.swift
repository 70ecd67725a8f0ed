/// What New Relic's Event API takes; the plugin's page says where each number comes from.
package enum EventAPILimits {
    /// Bytes of a request's body before it is compressed.
    package static let requestBytes = 1_000_000
    /// Attributes of an event, with those that the service itself adds left free.
    package static let attributes = 254
    /// Characters of an attribute's name.
    package static let nameCharacters = 255
    /// Characters of a text.
    package static let valueCharacters = 4096
    /// How old an event may be, s.
    package static let ageSeconds: Int64 = 86_400
}
