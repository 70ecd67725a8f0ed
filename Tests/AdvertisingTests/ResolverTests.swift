internal import AdDocuments
internal import Advertising
internal import Testing

/// From a document to the ads that can be played.
struct ResolverTests {
    private typealias Code = AdFailure.Code

    @Test(
        "A document ends as it is documented",
        arguments: [
            ("inline.xml", ["one"], []), ("vast2.xml", ["old"], []), ("vast4.xml", ["new"], []),
            ("pod.xml", ["first", "second"], []), ("wrapper.xml", ["one"], []), ("wrapper1.xml", ["one"], []),
            ("wrapper-deep.xml", [], [Code.wrapperLimit]), ("wrapper-loop.xml", [], [.wrapperLimit]),
            ("wrapper-missing.xml", [], [.unreachable]), ("wrapper-closed.xml", [], [.wrapper]),
            ("wrapper-single.xml", ["spare"], []), ("wrapper-empty.xml", [], [.empty]), ("empty.xml", [], [.empty]),
            ("malformed.xml", [], [.malformed]), ("nothing.xml", [], [.malformed]), ("page.xml", [], [.invalid]),
            ("version.xml", [], [.unsupportedVersion]), ("nonlinear.xml", [], [.notLinear]),
            ("no-media.xml", [], [.invalid]), ("wrong-type.xml", [], [.noMediaFile]),
            ("entities.xml", [], [.malformed]), ("unknown.xml", [], [.unreachable]),
            ("partly.xml", ["bad", "good"], []), ("bitrates.xml", ["many"], []),
        ] as [(String, [String], [AdFailure.Code])]
    )
    func documents(name: String, ads: [String], failures: [AdFailure.Code]) {
        let pod = AdServer.resolve(name)
        #expect(pod.ads.compactMap(\.id) == ads)
        #expect(pod.failures.map(\.code) == failures)
    }

    @Test("A wrapper that leads back to the document with which all began is refused before that is asked for again")
    func loopToTheBeginning() throws {
        let first = try #require(AdServer.schedule("wrapper-loop.xml").breaks.first)
        let pod = AdServer.resolver().resolve(first.source)
        #expect(pod.failures.map(\.code) == [.wrapperLimit])
        #expect(pod.documents == [AdServer.base + "wrapper-loop-back.xml"])
    }

    @Test("What the document says of the ad is kept")
    func description() throws {
        let ad = try #require(AdServer.resolve("vast4.xml").ads.first)
        #expect(ad.title == "Ad new")
        #expect(ad.system == "generated")
        #expect(ad.creativeID == "new-creative")
        #expect(ad.universalID == "CNPA0484000H")
        #expect(ad.durationMs == 1000)
        #expect(ad.skipOffset?.milliseconds(ofDuration: 1500) == 750)
        #expect(ad.location == AdServer.base + "ad1.mp4")
        #expect(ad.clickThrough == "http://127.0.0.1:9/shop")
        #expect(ad.tag == AdServer.base + "vast4.xml")
    }

    @Test("Each wrapper's addresses hear of the ad within, and of its failure")
    func wrappedTracking() throws {
        let ad = try #require(AdServer.resolve("wrapper1.xml").ads.first)
        #expect(
            ad.tracking.impressions
                == [
                    "one/impression?random=[CACHEBUSTING]", "w1/impression", "w2/impression", "w3/impression",
                    "w4/impression", "w5/impression",
                ].map { AdServer.base + "track/" + $0 }
        )
        #expect(ad.tracking.events["midpoint"]?.count == 6)
        #expect(ad.tracking.clicks == [AdServer.base + "track/one/click"])
        let lost = try #require(AdServer.resolve("wrapper-missing.xml").failures.first)
        #expect(lost.errorURLs == [AdServer.base + "track/lost/error?code=[ERRORCODE]"])
        #expect(lost.code.vast == 301)
        #expect(
            AdServer.resolve("empty.xml").failures.first?.errorURLs == [
                AdServer.base + "track/empty/error?code=[ERRORCODE]"
            ]
        )
    }

    @Test("The media file with the highest bitrate below the ceiling is chosen, or the lowest above it")
    func mediaFiles() throws {
        func chosen(_ maxBitrate: Int64?) -> String? {
            AdServer.resolve("bitrates.xml", maxBitrate: maxBitrate).ads.first?.location
        }
        #expect(chosen(nil) == AdServer.base + "large.mp4")
        #expect(chosen(4_000_000) == AdServer.base + "large.mp4")
        #expect(chosen(3_999_999) == AdServer.base + "ad1.mp4")
        #expect(chosen(200_000) == AdServer.base + "ad2.mp4")
        #expect(chosen(1000) == AdServer.base + "ad2.mp4")
    }

    @Test("A break for one ad takes the first of a pod")
    func singleAd() {
        #expect(AdServer.resolve("pod.xml", isSingle: true).ads.compactMap(\.id) == ["first"])
    }

    @Test("A document of the web names nothing but the web")
    func locations() {
        let web = "https://ads.example/a/b.xml?q=1"
        #expect(AdLocation.resolve("file:///etc/passwd", from: web) == nil)
        #expect(AdLocation.resolve("/c.mp4", from: web) == "https://ads.example/c.mp4")
        #expect(AdLocation.resolve("c.mp4", from: web) == "https://ads.example/a/c.mp4")
        #expect(AdLocation.resolve("//cdn.example/c.mp4", from: web) == "https://cdn.example/c.mp4")
        #expect(AdLocation.resolve("c.mp4", from: "https://ads.example") == "https://ads.example/c.mp4")
        #expect(AdLocation.resolve("c.mp4", from: "/srv/ads/b.xml") == "/srv/ads/c.mp4")
        #expect(AdLocation.resolve("c.mp4", from: "b.xml") == "c.mp4")
        #expect(AdLocation.resolve("HTTP://a.example/c.mp4", from: "b.xml") == "HTTP://a.example/c.mp4")
        #expect(AdLocation.resolve("rtmp://a.example/c", from: "b.xml") == nil)
    }
}
