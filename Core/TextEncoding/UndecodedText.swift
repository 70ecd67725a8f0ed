/// Names of files as text, also those that are no UTF-8.
///
/// A name is any bytes, and a text is not. Each byte that is not part of a character in UTF-8 stands in the text as one
/// of the last characters for private use, so that the name can be opened by its text.
package enum UndecodedText {
    /// The characters that stand for bytes from 0x80 on.
    private static let first: UInt32 = 0x10FF80

    /// The text of a name.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !mayStandForBytes(text) { return text }
        var scalars = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while true {
            let length: Int
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return String(scalars)
            case .valid(let encoded):
                length = encoded.count
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(scalar) == nil {
                    scalars.append(scalar)
                } else {
                    scalars.append(contentsOf: bytes[place..<place + length].compactMap(character))
                }
            case .error(let count):
                length = count
                scalars.append(contentsOf: bytes[place..<place + length].compactMap(character))
            }
            place += length
        }
    }

    /// The path that a text stands for, as the system takes it.
    package static func path(_ text: String) -> [CChar] { bytes(text).map { CChar(bitPattern: $0) } + [0] }

    /// The name that a text stands for.
    package static func bytes(_ text: String) -> [UInt8] {
        if !mayStandForBytes(text) { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in byte(scalar).map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// The byte that a character stands for; nil for all others.
    static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        scalar.value < first ? nil : UInt8(scalar.value - first + 0x80)
    }

    private static func character(_ byte: UInt8) -> Unicode.Scalar? { Unicode.Scalar(first + UInt32(byte) - 0x80) }

    /// Whether there is a character of the last plane.
    private static func mayStandForBytes(_ text: String) -> Bool { text.utf8.contains(0xF4) }
}
