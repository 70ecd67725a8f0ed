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

/// A code of the vendor's API (event code reference for iOS).
package struct VendorCode: Sendable {
    /// The number.
    package let code: Int64
    /// The vendor's name.
    package let name: StaticString

    private init(_ code: Int64, _ name: StaticString) { (self.code, self.name) = (code, name) }

    // MARK: - Events (domain `AppApi`)

    /// The API has started, after a valid configuration.
    static let startup = VendorCode(2001, "AppApiStartup")
    /// The API has ended.
    static let shutdown = VendorCode(2002, "AppApiShutdown")
    /// All codes of events.
    package static let events = [startup, shutdown]

    // MARK: - Errors that this tracker raises

    /// `appname` is given and empty.
    static let emptyAppName = VendorCode(1005, "EmptyAppName")
    /// `appversion` is given and empty.
    static let emptyAppVersion = VendorCode(1006, "EmptyAppVersion")
    /// `appid` is absent or empty: initialisation fails.
    static let emptyAppId = VendorCode(1007, "EmptyAppId")
    /// `appid` is no GUID (inferred from the name): initialisation fails.
    static let failedParseStartInfo = VendorCode(1, "FailedParseStartInfo")
    /// Arguments of `play` and `loadMetadata` that cannot be used (inferred from the name).
    static let failedParseMetadata = VendorCode(2, "FailedParseMetadata")
    /// A playhead that is negative or repeats the one before (inferred from the name).
    static let invalidPlayheadPosition = VendorCode(15, "InvalidPlayheadPosition")

    /// All codes of errors, domains `AppApiErrorCode` and `LogCode`; the others concern what a reporter does here.
    ///
    /// 1008 and 1009 exist; what they mean is not published.
    package static let errors = [
        VendorCode(1001, "NetworkConnectionFailure"), VendorCode(1002, "FileWriteFailure"),
        VendorCode(1003, "FileReadFailure"), VendorCode(1004, "EmptyValue"), emptyAppName, emptyAppVersion, emptyAppId,
        failedParseStartInfo, failedParseMetadata, VendorCode(3, "FailedProcessID3"),
        VendorCode(4, "FailedReceiveConfig"), VendorCode(5, "FailedParseConfig"),
        VendorCode(6, "FailedStartProcessor"), VendorCode(7, "FailedCreateUrl"), VendorCode(8, "FailedCreateRequest"),
        VendorCode(9, "FailedSendHttpRequest"), VendorCode(10, "FailedSendPing"), VendorCode(11, "FailedSendTSV"),
        VendorCode(12, "FailedSendStationRequest"), VendorCode(13, "FailedAccessDatabase"),
        VendorCode(14, "Exception"), invalidPlayheadPosition,
    ]
}
