package import Streaming
package import XML

/// A break as the schedule has it.
package struct ScheduledBreak: Sendable, Equatable {
    /// The identifier, when it has one.
    package var id: String?
    /// Where it lies.
    package var offset: AdBreakOffset
    /// Where its ads come from.
    package var source: AdSource
    /// Whether it has room for one ad only.
    package var isSingle = false
    /// Whether its documents may lead to others.
    package var followsRedirects = true
    /// After how much of the main content it comes again, and then again; nil when it comes once.
    package var repeatAfterMs: Int64?
    /// Addresses for `breakStart`, `breakEnd` and `error`.
    package var tracking: [String: [String]] = [:]

    /// What the stream wants of it; nil for a break that is none of the stream's own.
    package var interstitial: Interstitial?

    /// `pre`, `mid` or `post`; what was to come first and is known too late lies at the first picture and stays `pre`.
    package var type: String {
        switch offset {
        case .start, .time(0): "pre"
        case .end: "post"
        case .time, .part: "mid"
        }
    }

    /// Where in the main content it lies; what is behind it, at its end, or as far as it was played.
    package func startMs(ofDuration durationMs: Int64?, playheadMs: Int64) -> Int64 {
        switch offset {
        case .end: durationMs ?? playheadMs
        case .start, .time, .part: offset.milliseconds(ofDuration: durationMs) ?? playheadMs
        }
    }

    /// Makes a break without an identifier that nobody wants to hear of.
    package init(offset: AdBreakOffset, source: AdSource) {
        self.offset = offset
        self.source = source
    }
}

/// Where a break lies in the main content (VMAP 1.0, `timeOffset`).
package enum AdBreakOffset: Sendable, Equatable {
    case start
    case end
    case time(Int64)
    /// A part of its duration, in thousandths.
    case part(Int64)

    init?(_ text: String) {
        switch text {
        case "start": self = .start
        case "end": self = .end
        default:
            guard let offset = AdOffset(text) else { return nil }
            switch offset {
            case .time(let milliseconds): self = milliseconds == 0 ? .start : .time(milliseconds)
            case .part(let thousandths):
                self = thousandths == 0 ? .start : thousandths == 1000 ? .end : .part(thousandths)
            }
        }
    }

    /// The place in milliseconds of the main content; nil when it is behind it or its duration is needed and unknown.
    package func milliseconds(ofDuration durationMs: Int64?) -> Int64? {
        switch self {
        case .start: 0
        case .end: nil
        case .time(let milliseconds): milliseconds
        case .part(let thousandths): AdOffset.part(thousandths).milliseconds(ofDuration: durationMs)
        }
    }
}

/// Where the ads of a break come from.
package enum AdSource: Sendable, Equatable {
    /// A document at an address, whose macros are filled in when it is asked for.
    case tag(String)
    /// A VAST document that was part of another, with the address of that one.
    case document(XMLElement, base: String)
    /// A creative at an address, with its announced duration.
    case asset(String, durationMs: Int64?)
    /// A list of creatives at an address (HLS, `X-ASSET-LIST`).
    case assetList(String)
}

/// How a document is had.
package typealias DocumentFetch = @Sendable (_ location: String) throws(FetchFailure) -> [UInt8]
