/// Why an ad is not shown, or not to its end.
package struct AdFailure: Error, Sendable, Equatable {
    /// The kind of the failure; the raw value is a stable name for reports.
    package enum Code: String, Sendable, CaseIterable {
        case malformed = "ad_malformed"
        case invalid = "ad_invalid"
        case unsupportedVersion = "ad_unsupported_version"
        case notLinear = "ad_not_linear"
        case wrapper = "ad_wrapper"
        case unreachable = "ad_unreachable"
        case wrapperLimit = "ad_wrapper_limit"
        case empty = "ad_empty"
        case noMediaFile = "ad_no_media_file"
        case mediaNotFound = "ad_media_not_found"
        case mediaTimeout = "ad_media_timeout"
        case unplayable = "ad_unplayable"
        case blockedCategory = "ad_blocked_category"
        case companionRequired = "ad_companion_required"

        /// The number that the standard has for it (VAST 4.2, 2.3.6.3).
        package var vast: Int { row.vast }

        /// The number that VMAP has for a break without ads for this reason (VMAP 1.0.1, 2.5).
        package var vmap: Int {
            switch self {
            case .malformed, .invalid, .unsupportedVersion: 1007
            case .unreachable: 1009
            default: 1005
            }
        }

        fileprivate var row: (vast: Int, what: String) {
            switch self {
            case .malformed: (100, "the ad document cannot be read")
            case .invalid: (101, "the ad document cannot be used")
            case .unsupportedVersion: (102, "the ad document has an unknown version")
            case .blockedCategory: (205, "the ad is of a category that a wrapper does not allow")
            case .notLinear: (201, "the ad is not linear")
            case .wrapper: (300, "an ad wrapper cannot be followed")
            case .unreachable: (301, "an ad document cannot be had")
            case .wrapperLimit: (302, "ad wrappers lead nowhere")
            case .empty: (303, "there is no ad")
            case .noMediaFile: (403, "no media file of the ad can be played")
            case .mediaNotFound: (401, "the ad's media file does not exist")
            case .mediaTimeout: (402, "the ad's media file did not come in time")
            case .unplayable: (405, "the ad's media file cannot be played")
            case .companionRequired: (602, "the ad must not be shown without its companions")
            }
        }
    }

    /// The kind of the failure.
    package var code: Code
    /// What is special to this case.
    package var detail: String
    /// Addresses that want to hear of it.
    package var errorURLs: [String]

    /// Makes a failure.
    package init(_ code: Code, _ detail: String, errorURLs: [String] = []) {
        self.code = code
        self.detail = detail
        self.errorURLs = errorURLs
    }

    /// What happened, in a sentence without its full stop.
    package var message: String { "\(code.row.what): \(detail)" }
}
