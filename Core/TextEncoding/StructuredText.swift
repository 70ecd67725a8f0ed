/// Values as structured fields of HTTP have them (RFC 8941), and rounded as Common Media Client Data asks for.
///
/// What the syntax has no room for is nil, and is left out.
package enum StructuredText {
    /// The first whole number that has more digits than the syntax allows (RFC 8941, 3.3.1).
    private static let tooLarge: Int64 = 1_000_000_000_000_000

    /// A whole number that is not below zero.
    package static func number(_ number: Int64) -> String? {
        (0..<tooLarge).contains(number) ? String(number) : nil
    }

    /// Thousandths as a number with three decimals at most, none of them needless.
    package static func decimal(thousandths: Int64) -> String? {
        guard (0..<1_000_000_000).contains(thousandths) else { return nil }
        var fraction = String(String(thousandths % 1000 + 1000).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        return String(thousandths / 1000) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// A text in quotes, of `longest` characters at most; nil when it is empty, or has what a string cannot have
    /// (RFC 8941, 3.3.3).
    package static func string(_ text: String, longest: Int) -> String? {
        guard !text.isEmpty, text.count <= longest, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return nil
        }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Bits as whole kilobits, halves up (CTA-5004-B: `br`, `tb`, `pb`).
    package static func kilobits(_ bits: Int64) -> Int64? {
        (0..<tooLarge).contains(bits) ? (bits + 500) / 1000 : nil
    }

    /// Bits as hundreds of kilobits, halves up, in kilobits (CTA-5004-B: `mtp`).
    ///
    /// Rounded once: of whole kilobits a half would go up twice.
    package static func hundredKilobits(_ bits: Int64) -> Int64? {
        (0..<tooLarge).contains(bits) ? (bits + 50_000) / 100_000 * 100 : nil
    }

    /// To the nearest hundred, halves up (CTA-5004-B: `bl`, `dl`, `tbl`).
    package static func hundreds(_ number: Int64) -> Int64? {
        (0..<tooLarge - 50).contains(number) ? (number + 50) / 100 * 100 : nil
    }
}
