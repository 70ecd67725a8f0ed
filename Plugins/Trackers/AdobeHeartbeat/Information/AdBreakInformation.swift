internal import AdobeShared
internal import PluginKit

/// The guides' AdBreakInfo.
struct AdBreakInformation: Equatable {
    /// Mandatory: the player that shows the break.
    var playerName: String
    /// Optional.
    var name: String
    /// Mandatory: index in the main content, from 1 in 1.4 and from 0 in 1.3.1.
    var position: Int64
    /// Optional: offset in the main content, s; nil stands for the playhead at the ad's start.
    var startTime: Int64?

    private static let keys: [AttributeKey] = [
        .adBreakPlayerName, .adBreakPosition, .adBreakName, .adBreakID, .adBreakStartMs, .adBreakType,
    ]

    /// Reads what the delegate said; checks playerName, then position.
    static func read(_ attributes: AttributeList, _ compatibility: Compatibility) -> Reading<AdBreakInformation> {
        guard keys.contains(where: { attributes[$0] != nil }) else { return .nothing }
        let values = MandatoryValues(object: "AdBreakInfo", attributes: attributes)
        do throws(InvalidInformation) {
            return .known(
                AdBreakInformation(
                    playerName: try values.text(.adBreakPlayerName, "playerName"),
                    name: values.optionalText(.adBreakName),
                    position: try values.number(.adBreakPosition, "position") + compatibility.breakPositionShift,
                    startTime: attributes[.adBreakStartMs]?.wholeNumber.map(WholeSeconds.of)
                )
            )
        } catch {
            return .invalid(error)
        }
    }
}
