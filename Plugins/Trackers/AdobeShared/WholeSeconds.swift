/// Times as the vendor's protocols have them.
package enum WholeSeconds {
    /// Whole seconds of milliseconds, rounded down.
    package static func of(milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000
        return milliseconds % 1000 < 0 ? seconds - 1 : seconds
    }
}
