internal import PluginKit

/// The guides' ChapterInfo.
struct ChapterInformation: Equatable {
    /// Optional.
    let name: String
    /// Mandatory: length, s.
    let length: Int64
    /// Mandatory: index in the main content, from 1.
    let position: Int64
    /// Mandatory: offset in the main content, s.
    let startTime: Int64

    private static let keys: [AttributeKey] = [.chapterPosition, .chapterStartMs, .chapterDurationMs, .chapterName]

    /// Reads what the delegate said; checks position, startTime, length.
    static func read(_ attributes: AttributeList) -> Reading<ChapterInformation> {
        Reading("ChapterInfo", attributes, keys) { values throws(InvalidInformation) in
            let position = try values.number(.chapterPosition, "position")
            let startTime = try values.seconds(.chapterStartMs, "startTime")
            let length = try values.seconds(.chapterDurationMs, "length")
            let name = values.optionalText(.chapterName)
            return ChapterInformation(name: name, length: length, position: position, startTime: startTime)
        }
    }
}
