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

/// Event codes of the vendor's API (event code reference for iOS, domain `AppApi`).
package enum EventCode: Int64, Sendable, CaseIterable {
    /// The API has started, after a valid configuration.
    case startup = 2001
    /// The API has ended.
    case shutdown = 2002

    /// The vendor's name.
    package var name: StaticString {
        switch self {
        case .startup: "AppApiStartup"
        case .shutdown: "AppApiShutdown"
        }
    }
}

/// Error codes of the vendor's API (event code reference for iOS).
///
/// 1008 and 1009 exist; what they mean is not published. Which situation raises which code is known for few of them:
/// those that this tracker raises are marked *raised*, the others concern what a reporter does here.
package enum ErrorCode: Int64, Sendable, CaseIterable {
    /// Domain `AppApiErrorCode`.
    case networkConnectionFailure = 1001
    /// Domain `AppApiErrorCode`.
    case fileWriteFailure = 1002
    /// Domain `AppApiErrorCode`.
    case fileReadFailure = 1003
    /// Domain `AppApiErrorCode`.
    case emptyValue = 1004
    /// Raised when `appname` is given and empty.
    case emptyAppName = 1005
    /// Raised when `appversion` is given and empty.
    case emptyAppVersion = 1006
    /// Raised when `appid` is absent or empty: initialisation fails.
    case emptyAppId = 1007
    /// Raised when `appid` is no GUID (inferred from the name): initialisation fails.
    case failedParseStartInfo = 1
    /// Raised for arguments of `play` and `loadMetadata` that cannot be used (inferred from the name).
    case failedParseMetadata = 2
    /// Domain `LogCode`.
    case failedProcessID3 = 3
    /// Domain `LogCode`.
    case failedReceiveConfig = 4
    /// Domain `LogCode`.
    case failedParseConfig = 5
    /// Domain `LogCode`.
    case failedStartProcessor = 6
    /// Domain `LogCode`.
    case failedCreateURL = 7
    /// Domain `LogCode`.
    case failedCreateRequest = 8
    /// Domain `LogCode`.
    case failedSendHTTPRequest = 9
    /// Domain `LogCode`.
    case failedSendPing = 10
    /// Domain `LogCode`.
    case failedSendTSV = 11
    /// Domain `LogCode`.
    case failedSendStationRequest = 12
    /// Domain `LogCode`.
    case failedAccessDatabase = 13
    /// Domain `LogCode`.
    case exception = 14
    /// Raised for a playhead that is negative or repeats the one before (inferred from the name).
    case invalidPlayheadPosition = 15

    /// The vendor's name.
    package var name: StaticString {
        switch self {
        case .networkConnectionFailure: "NetworkConnectionFailure"
        case .fileWriteFailure: "FileWriteFailure"
        case .fileReadFailure: "FileReadFailure"
        case .emptyValue: "EmptyValue"
        case .emptyAppName: "EmptyAppName"
        case .emptyAppVersion: "EmptyAppVersion"
        case .emptyAppId: "EmptyAppId"
        case .failedParseStartInfo: "FailedParseStartInfo"
        case .failedParseMetadata: "FailedParseMetadata"
        case .failedProcessID3: "FailedProcessID3"
        case .failedReceiveConfig: "FailedReceiveConfig"
        case .failedParseConfig: "FailedParseConfig"
        case .failedStartProcessor: "FailedStartProcessor"
        case .failedCreateURL: "FailedCreateUrl"
        case .failedCreateRequest: "FailedCreateRequest"
        case .failedSendHTTPRequest: "FailedSendHttpRequest"
        case .failedSendPing: "FailedSendPing"
        case .failedSendTSV: "FailedSendTSV"
        case .failedSendStationRequest: "FailedSendStationRequest"
        case .failedAccessDatabase: "FailedAccessDatabase"
        case .exception: "Exception"
        case .invalidPlayheadPosition: "InvalidPlayheadPosition"
        }
    }
}
