/// The calls of the vendor's API (DCR Sweden Video iOS SDK, "Overview of SDK API Calls" and "Privacy and Opt-Out").
///
/// `loadMetadata` begins an asset: content, an ad, or static content. `stop` pauses measurement, `end` says that the
/// content is over.
package enum APICall: Int, Sendable, CaseIterable {
    case play, loadMetadata, playheadPosition, stop, end, userOptOut, appDisableAPI, initWithAppInfo

    /// The vendor's name, which is also the kind of the call's record.
    package var name: StaticString { Self.names[rawValue] }

    private static let names: [StaticString] = [
        "play", "loadMetadata", "playheadPosition", "stop", "end", "userOptOut", "appDisableApi", "initWithAppInfo",
    ]
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
