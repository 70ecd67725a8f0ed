package import PluginKit

extension AttributeView {
    /// The whole number at or below a value that is a number; nil for a text, for NaN and for what fits no integer.
    package var wholeNumber: Int64? {
        switch value {
        case .int(let number): return number
        case .double(let number):
            guard number.magnitude < 0x1p53 else { return nil }
            let whole = Int64(number)
            return Double(whole) > number ? whole - 1 : whole
        default: return nil
        }
    }
}

/// Times as the vendor's protocols have them.
package enum WholeSeconds {
    /// Whole seconds of milliseconds, rounded down.
    package static func of(milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000
        return milliseconds % 1000 < 0 ? seconds - 1 : seconds
    }
}

/// Names of parts of a video: the digest of its id, and a position.
package enum PartIdentifier {
    /// `<MD5 of the video's id>_<position>`, for a pod of ads and for a chapter.
    package static func text(videoDigest: String, position: Int64) -> String { "\(videoDigest)_\(position)" }
}
