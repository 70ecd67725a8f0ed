internal import EventModel
internal import TextEncoding

/// A beacon's body that is an object or an array, for lines that are to have it as JSON and not as text.
struct JSONBody {
    private var bytes: [UInt8]

    /// Reads a body; nil when it is anything else: also a number or a quoted text may be meant as it stands.
    init?(_ beacon: BeaconView) {
        bytes = unsafe Array(beacon.body.bytes)
        let first = bytes.first { !Self.isSpace($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        writePatches(beacon.patches.filter { $0.part == .body })
        guard (try? JSONParser().parse(bytes)) != nil else { return nil }
    }

    /// Appends it without the space between its parts: a line has no end in it.
    func append(to writer: inout JSONWriter) {
        writer.raw("")
        var place = Place()
        for byte in bytes {
            if place.isInText || !Self.isSpace(byte) { writer.buffer.append(byte) }
            place.pass(byte)
        }
    }

    /// A number that is filled in when the beacon is sent is 0 until then, not a row of zeros, which no JSON has.
    private mutating func writePatches(_ patches: [BeaconView.Patch]) {
        guard !patches.isEmpty else { return }
        var place = Place()
        for index in bytes.indices {
            if !place.isInText, let patch = patches.first(where: { $0.offset == index }) {
                for rest in bytes.indices.dropFirst(index + 1).prefix(patch.patch.width - 1) {
                    bytes[rest] = UInt8(ascii: " ")
                }
            }
            place.pass(bytes[index])
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D
    }

    /// Where in JSON text a byte stands.
    private struct Place {
        private(set) var isInText = false
        private var isEscaped = false

        mutating func pass(_ byte: UInt8) {
            if isEscaped {
                isEscaped = false
            } else if isInText, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            }
        }
    }
}
