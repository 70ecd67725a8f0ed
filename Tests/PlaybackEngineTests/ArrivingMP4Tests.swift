import PlaybackEngine
import Testing

/// What a file says of itself while it arrives, from bytes alone.
struct ArrivingMP4Tests {
    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(8 + body.count, 4) + Array(type.utf8) + body
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// An index with a time scale of 600 and durations in its units.
    private static func index(_ units: Int, version: UInt8 = 0, fragments: Int? = nil) -> [UInt8] {
        let times = version == 1 ? big(0, 16) : big(0, 8)
        let header = box("mvhd", [version, 0, 0, 0] + times + big(600, 4) + big(units, version == 1 ? 8 : 4))
        let extends = fragments.map { box("mvex", box("mehd", [0, 0, 0, 0] + big($0, 4))) } ?? []
        return box("moov", box("udta", []) + header + extends)
    }

    private static let start = box("ftyp", Array("isom".utf8))

    private func arriving(_ bytes: [UInt8], by count: Int = 7) -> ArrivingMP4 {
        var file = ArrivingMP4()
        var rest = bytes[...]
        while !rest.isEmpty {
            file.add(rest.prefix(count), at: UInt64(bytes.count - rest.count))
            rest = rest.dropFirst(count)
        }
        return file
    }

    private static let indices: [([UInt8], Int64?)] = [
        (index(3000), 5000), (index(3000, version: 1), 5000), (index(0, fragments: 18_000), 30_000),
        (index(3000, fragments: 18_000), 30_000), (index(0), nil), (index(0xFFFF_FFFF), nil),
    ]

    @Test(arguments: indices)
    func theIndexSaysHowLongItIs(index: [UInt8], durationMs: Int64?) {
        for count in [1, 7, 4096] { #expect(arriving(Self.start + index, by: count).durationMs == durationMs) }
    }

    @Test func whatEndsInABoxIsCutOff() {
        let file = Self.start + Self.index(600) + Self.box("mdat", [1, 2, 3, 4])
        #expect(!arriving(file).isCutOff)
        for missing in 1...(file.count - Self.start.count) {
            let boundary = file.count - missing == Self.start.count + Self.index(600).count
            #expect(
                arriving(Array(file.dropLast(missing))).isCutOff
                    == !(boundary || missing == file.count - Self.start.count)
            )
        }
    }

    @Test func nothingIsSaidOfWhatIsNoMP4OrCameInParts() {
        #expect(!arriving(Array("<!DOCTYPE html><html><body>".utf8)).isCutOff)
        var seeked = ArrivingMP4()
        seeked.add(Self.start[...], at: 0)
        seeked.add(Self.index(600)[...5], at: 900)
        #expect(!seeked.isCutOff && seeked.durationMs == nil)
        // The last box may last to the end of the file.
        #expect(!arriving(Self.start + Self.big(0, 4) + Array("mdat".utf8) + [1, 2]).isCutOff)
    }
}
