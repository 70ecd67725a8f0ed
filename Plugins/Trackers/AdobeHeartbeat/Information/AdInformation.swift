internal import AdobeShared
internal import PluginKit

/// The guides' AdInfo.
struct AdInformation: Equatable {
    /// Mandatory.
    let id: String
    /// Optional.
    let name: String
    /// Mandatory: length, s.
    let length: Int64
    /// Index in the break, from 1: mandatory in 1.4, in no table of 1.3.1.
    let position: Int64?
    /// Optional: price per thousand.
    let cpm: String

    private static let keys: [AttributeKey] = [
        .adID, .adDurationMs, .adPosition, .adName, .adCPM, .adURL, .adLanguage, .adCreativeID, .adUniversalID,
        .adPartner, .adTagURL, .adClickURL, .adSkipAfterMs,
    ]

    /// Reads what the delegate said; checks id, in 1.3.1 playhead, then position and length.
    static func read(
        _ attributes: AttributeList,
        _ compatibility: Compatibility,
        at moment: KeptMoment
    ) -> Reading<AdInformation> {
        Reading("AdInfo", attributes, keys) { values throws(InvalidInformation) in
            let id = try values.text(.adID, "id")
            if compatibility == .v131, moment.adPlayheadMilliseconds == nil {
                throw InvalidInformation.number("AdInfo", "playhead")
            }
            let needsPosition = compatibility == .v14 || attributes[.adPosition] != nil
            let position = needsPosition ? try values.number(.adPosition, "position") : nil
            let length = try values.seconds(.adDurationMs, "length")
            let (name, cpm) = (values.optionalText(.adName), values.optionalText(.adCPM))
            return AdInformation(id: id, name: name, length: length, position: position, cpm: cpm)
        }
    }
}

/// The guides' AdBreakInfo.
struct AdBreakInformation: Equatable {
    /// Mandatory: the player that shows the break.
    let playerName: String
    /// Optional.
    let name: String
    /// Mandatory: index in the main content, as the delegate counts.
    let position: Int64
    /// Optional: offset in the main content, s; nil stands for the playhead at the ad's start.
    let startTime: Int64?

    private static let keys: [AttributeKey] = [
        .adBreakPlayerName, .adBreakPosition, .adBreakName, .adBreakID, .adBreakStartMs, .adBreakType,
    ]

    /// Reads what the delegate said; checks playerName, then position.
    static func read(_ attributes: AttributeList) -> Reading<AdBreakInformation> {
        Reading("AdBreakInfo", attributes, keys) { values throws(InvalidInformation) in
            AdBreakInformation(
                playerName: try values.text(.adBreakPlayerName, "playerName"),
                name: values.optionalText(.adBreakName),
                position: try values.number(.adBreakPosition, "position"),
                startTime: attributes[.adBreakStartMs]?.wholeNumber.map(WholeSeconds.of)
            )
        }
    }
}
