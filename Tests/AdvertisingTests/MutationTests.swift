internal import AdDocuments
internal import Advertising
internal import Testing
internal import XML

/// Documents with random damage.
struct MutationTests {
    @Test("1000 damaged documents are read or refused, and what is read of them is bounded")
    func damage() {
        var read = 0
        for seed in 20_261_121..<20_262_121 as Range<UInt64> {
            let (name, bytes) = AdDocuments.damaged(seed: seed)
            let resolver = AdResolver { location throws(FetchFailure) in
                if location == AdServer.base + name { return bytes }
                let other = AdDocuments.all[String(location.dropFirst(AdServer.base.count))]
                guard let other else { throw FetchFailure(status: 404, reason: "none") }
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
        let resolver = AdResolver { location throws(FetchFailure) in
            let ads = (1...30).map { number in
                "<Ad sequence=\"\(number)\"><Wrapper allowMultipleAds=\"true\"><VASTAdTagURI>"
                    + "\(number)-\(location.utf8.count).xml</VASTAdTagURI></Wrapper></Ad>"
            }
            return Array(AdDocuments.vast(ads.joined()).utf8)
        }
        let pod = resolver.resolve(.tag(AdServer.base + "start.xml"))
        #expect(pod.ads.isEmpty)
        #expect(pod.documents.count <= 64)
    }
}
