extension LineCursor {
    /// What may be wrong with a line; made into text only when a line is refused.
    enum Problem {
        case text(StaticString)
        case expected(UInt8)

        var text: String {
            switch self {
            case .text(let text): "\(text)"
            case .expected(let byte): "expected '\(Character(UnicodeScalar(byte)))'"
            }
        }
    }
}
