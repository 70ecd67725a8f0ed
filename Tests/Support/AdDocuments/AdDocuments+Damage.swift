extension AdDocuments {
    /// A document with random damage, the same for a seed everywhere: the name of what it was made of, and its bytes.
    ///
    /// `places` are the times of breaks, with the times that take their place.
    package static func damaged(
        seed: UInt64,
        places: [(from: String, to: String)] = []
    ) -> (name: String, bytes: [UInt8]) {
        var numbers = Numbers(state: seed)
        let names = all.keys.sorted()
        let name = names[Int(seed % UInt64(names.count))]
        var original = all[name] ?? ""
        for place in places {
            while let range = original.firstRange(of: "timeOffset=\"\(place.from)\"") {
                original.replaceSubrange(range, with: "timeOffset=\"\(place.to)\"")
            }
        }
        // One of three with bytes that were hit by chance; the others are well formed and say nonsense.
        guard seed % 3 == 0 else { return (name, Array(reworded(original, &numbers).utf8)) }
        return (name, damaged(Array(original.utf8), &numbers))
    }

    /// A generator whose numbers are the same in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// What is between two tags, or an attribute's value, replaced by something odd: the document stays well formed.
    private static func reworded(_ original: String, _ numbers: inout Numbers) -> String {
        let odd = [
            "", "-1", "nan", "99:99:99", "00:00:00.0000001", "999999999999999999999", "200%", "\u{FFFD}\u{1F600}",
            "file:///etc/passwd", "wrapper-loop.xml", "://", "[ERRORCODE", "false", "end", "video/mp4", "0",
        ]
        var text = original
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let marks = text.indices.filter { text[$0] == ">" || text[$0] == "\"" }
            guard let start = marks.randomElement(using: &numbers) else { break }
            let rest = text[text.index(after: start)...]
            guard let end = rest.firstIndex(where: { $0 == "<" || $0 == "\"" || $0 == ">" }) else { continue }
            let isText = text[start] == ">" && rest[end] == "<"
            let isValue = text[start] == "\"" && rest[end] == "\"" && text[..<start].last == "="
            guard isText || isValue else { continue }
            text.replaceSubrange(rest.startIndex..<end, with: odd.randomElement(using: &numbers) ?? "")
        }
        return text
    }

    private static func damaged(_ original: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &numbers) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            let length = min(Int.random(in: 1...200, using: &numbers), bytes.count - place)
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            case 1: bytes.removeSubrange(place..<place + length)
            case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 3: bytes.replaceSubrange(place..<place + 1, with: Array("9999999999999999999".utf8))
            case 4: bytes.insert(contentsOf: Array("<Ad><Wrapper>".utf8), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
