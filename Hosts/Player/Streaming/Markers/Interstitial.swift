/// Other media that a stream wants shown at a place (HLS interstitials, RFC 8216bis, appendix D).
package struct Interstitial: Sendable, Equatable {
    /// The class of the date ranges that are such.
    package static let className = "com.apple.hls.interstitial"

    /// Where what is shown comes from.
    package enum Asset: Sendable, Equatable {
        case uri(String)
        case list(String)
    }

    /// Where it lies among the main content.
    package enum Cue: Sendable, Equatable {
        case pre
        case post
        case date
    }

    /// The identifier of its date range.
    package var id: String
    /// What is shown.
    package var asset: Asset
    /// Where it lies.
    package var cue: Cue
    /// When it begins, in microseconds since 1970.
    package var startUs: Int64
    /// Where the main content goes on, in microseconds from its start; nil says: as much later as was shown.
    package var resumeOffsetUs: Int64?
    /// The longest time that is shown of it, in microseconds.
    package var playoutLimitUs: Int64?
    /// Its announced duration, in microseconds.
    package var durationUs: Int64?
    /// Whether its start moves to a segment's.
    package var snapsOut: Bool
    /// Whether the main content goes on with a segment's start.
    package var snapsIn: Bool
    /// Whether it can be skipped.
    package var isSkippable: Bool

    /// Reads a date range; nil when it is none of this kind, or names no asset.
    package init?(_ range: DateRange) {
        guard range.className == Self.className else { return nil }
        let attributes = range.attributes
        if let uri = attributes["X-ASSET-URI"], !uri.isEmpty {
            asset = .uri(uri)
        } else if let list = attributes["X-ASSET-LIST"], !list.isEmpty {
            asset = .list(list)
        } else {
            return nil
        }
        id = range.id
        startUs = range.startUs
        let cues = Self.words(attributes["CUE"])
        cue = cues.contains("PRE") ? .pre : cues.contains("POST") ? .post : .date
        resumeOffsetUs = attributes.microseconds("X-RESUME-OFFSET")
        playoutLimitUs = attributes.microseconds("X-PLAYOUT-LIMIT").flatMap { $0 > 0 ? $0 : nil }
        durationUs = attributes.microseconds("DURATION") ?? attributes.microseconds("PLANNED-DURATION")
        let snap = Self.words(attributes["X-SNAP"])
        snapsOut = snap.contains("OUT")
        snapsIn = snap.contains("IN")
        isSkippable = !Self.words(attributes["X-RESTRICT"]).contains("SKIP")
    }

    private static func words(_ list: String?) -> [Substring] {
        (list ?? "").split(separator: ",").map { word in word.drop { $0 == " " } }
    }
}
