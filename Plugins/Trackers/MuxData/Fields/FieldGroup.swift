/// The data object of Mux Data that a field belongs to (custom integration guide for Objective-C; the classes' headers).
package enum FieldGroup: String, CaseIterable, Sendable {
    /// Of the event itself.
    case event
    /// EnvironmentData.
    case environment
    /// ViewerData.
    case viewer
    /// PlayerData.
    case player
    /// VideoData.
    case videoSource
    /// CustomerPlayerData.
    case customerPlayer
    /// CustomerVideoData.
    case customerVideo
    /// CustomerViewData.
    case customerView
    /// CustomData.
    case custom
    /// ViewData.
    case view
    /// AdData.
    case ad
    /// BandwidthMetricData.
    case request
    /// What one kind of event alone has.
    case detail
}
