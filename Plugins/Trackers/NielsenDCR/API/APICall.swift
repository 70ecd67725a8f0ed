/// The calls of the vendor's API (DCR Sweden Video iOS SDK, "Overview of SDK API Calls" and "Privacy and Opt-Out").
package enum APICall: Sendable, CaseIterable {
    /// The video was started on a channel.
    case play
    /// An asset begins: content, an ad, or static content.
    case loadMetadata
    /// Where playback stands, once a second.
    case playheadPosition
    /// Measurement pauses: a pause, an ad's end, an interruption.
    case stop
    /// The content is over.
    case end
    /// The user's choice.
    case userOptOut
    /// The instance is switched off or on.
    case appDisableAPI
    /// The instance is made with the application's information.
    case initWithAppInfo

    /// The vendor's name, which is also the kind of the call's record.
    package var name: StaticString {
        switch self {
        case .play: "play"
        case .loadMetadata: "loadMetadata"
        case .playheadPosition: "playheadPosition"
        case .stop: "stop"
        case .end: "end"
        case .userOptOut: "userOptOut"
        case .appDisableAPI: "appDisableApi"
        case .initWithAppInfo: "initWithAppInfo"
        }
    }
}
