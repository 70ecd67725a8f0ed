internal import AdDocuments
internal import Advertising
internal import Testing

/// Documents with random damage.
struct MutationTests {
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

    @Test("1000 damaged documents are read or refused, and what is read of them is bounded")
    func damage() {
        var numbers = Numbers(state: 20_261_121)
        let names = AdDocuments.all.keys.sorted()
        var read = 0
        for round in 0..<1000 {
            let name = names[round % names.count]
            let original = AdDocuments.all[name] ?? ""
            let bytes =
                round % 3 == 0
                ? Self.damaged(Array(original.utf8), &numbers) : Array(Self.reworded(original, &numbers).utf8)
            let resolver = AdResolver { location throws(AdFetchFailure) in
                if location == AdServer.base + name { return bytes }
                let other = AdDocuments.all[String(location.dropFirst(AdServer.base.count))]
                guard let other else { throw AdFetchFailure(status: 404, reason: "none") }
                return Array(other.utf8)
            }
            let pod = resolver.resolve(.tag(AdServer.base + name))
            #expect(!pod.ads.isEmpty || !pod.failures.isEmpty)
            #expect(pod.ads.count <= AdResolver.podLimit)
            #expect(pod.documents.count <= 64)
            for ad in pod.ads {
                var course = AdCourse(ad)
                _ = course.moved(toMs: 500)
                _ = course.ended()
                _ = course.msUntilSkippable
                read += 1
            }
            guard let schedule = try? AdSchedule(bytes, from: AdServer.base + name) else { continue }
            var clock = AdBreakClock(schedule.breaks)
            while clock.nextAtStart() != nil {}
            while clock.next(atMs: .max / 2, ofDuration: 4000) != nil {}
            while clock.nextAtEnd() != nil {}
        }
        #expect(read > 50)
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

    @Test("A document of many nested elements or of too many bytes is refused or cut off")
    func size() {
        let nested = String(repeating: "<VAST version=\"3.0\">", count: 100_000)
        #expect(throws: XMLReading.Failure.self) { try XMLReading.root(of: Array(nested.utf8)) }
        let large = [UInt8](repeating: 0x20, count: XMLReading.limit + 1)
        #expect(throws: XMLReading.Failure.tooLarge(limit: XMLReading.limit)) { try XMLReading.root(of: large) }
    }

    @Test("Ads that wrap each other without end come to an end")
    func explosion() {
        // Each document has 30 wrappers that lead to another one.
        let resolver = AdResolver { location throws(AdFetchFailure) in
            let ads = (0..<30).map { number in
                "<Ad sequence=\"\(number)\"><Wrapper><VASTAdTagURI>\(number)-\(location.utf8.count).xml</VASTAdTagURI>"
                    + "</Wrapper></Ad>"
            }
            return Array(AdDocuments.vast(ads.joined()).utf8)
        }
        let pod = resolver.resolve(.tag(AdServer.base + "start.xml"))
        #expect(pod.ads.isEmpty)
        #expect(pod.documents.count <= 64)
    }
}
