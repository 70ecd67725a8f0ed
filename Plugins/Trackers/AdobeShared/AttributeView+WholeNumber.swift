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
