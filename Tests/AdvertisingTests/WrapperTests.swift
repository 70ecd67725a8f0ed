internal import AdDocuments
internal import Advertising
internal import Testing

/// What wrappers allow, and which ad takes the place of another one.
struct WrapperTests {
    private typealias Code = AdFailure.Code

    private static let broken = AdDocuments.inline("broken", media: "<MediaFile type=\"video/x-flv\">a.flv</MediaFile>")
    private static func broken(_ sequence: Int) -> String {
        broken.replacing("<Ad id=", with: "<Ad sequence=\"\(sequence)\" id=")
    }

    private static func wrapper(_ attributes: String, to target: String, sequence: Int? = nil) -> String {
        let order = sequence.map { " sequence=\"\($0)\"" } ?? ""
        return "<Ad\(order)><Wrapper \(attributes)><VASTAdTagURI>\(target)</VASTAdTagURI>"
            + "<Error>track/w/error</Error></Wrapper></Ad>"
    }

    private func ids(_ content: String, single: Bool = false) -> [String] {
        AdServer.resolve(["main.xml": AdDocuments.vast(content)], isSingle: single).pod.ads.compactMap(\.id)
    }

    @Test(
        "A wrapper allows several ads when it says so, and else the first stand-alone ad",
        arguments: [
            ("allowMultipleAds=\"true\"", ["first", "second"]), ("allowMultipleAds=\" 1 \"", ["first", "second"]),
            ("allowMultipleAds=\"FALSE\"", ["spare"]), ("allowMultipleAds=\"0\"", ["spare"]), ("", ["spare"]),
        ]
    )
    func multipleAds(attributes: String, wanted: [String]) {
        #expect(ids(Self.wrapper(attributes, to: "pod.xml")) == wanted)
    }

    @Test("Where no ad stands alone, a wrapper for one ad gets the first of the pod")
    func onePod() {
        let pod = AdDocuments.vast(AdDocuments.inline("b", sequence: 2) + AdDocuments.inline("a", sequence: 1))
        let (found, _) = AdServer.resolve([
            "main.xml": AdDocuments.vast(Self.wrapper("", to: "in.xml")), "in.xml": pod,
        ])
        #expect(found.ads.map(\.id) == ["a"])
    }

    @Test("A wrapper within a pod brings a pod of its own where it may")
    func nestedPod() {
        let content =
            AdDocuments.inline("last", sequence: 2)
            + Self.wrapper("allowMultipleAds=\"true\"", to: "pod.xml", sequence: 1)
        #expect(ids(content) == ["first", "second", "last"])
    }

    @Test(
        "Further wrappers are followed unless the one around them forbids it",
        arguments: [("false", false), ("0", false), ("true", true), ("1", true), ("", true)]
    )
    func additionalWrappers(value: String, isFollowed: Bool) {
        let pod = AdServer.ads(Self.wrapper("followAdditionalWrappers=\"\(value)\"", to: "wrapper.xml"))
        #expect(pod.ads.map(\.id) == (isFollowed ? ["one"] : []))
        #expect(pod.failures.map(\.code) == (isFollowed ? [] : [Code.wrapper]))
        // The wrapper that is not followed hears of it, and so does the one that forbids it.
        if !isFollowed {
            let told = ["track/w/error", "track/outer/error?code=[ERRORCODE]"].map { AdServer.base + $0 }
            #expect(pod.failures.first?.errorURLs == told)
        }
    }

    @Test("A break whose redirects are not to be followed has no wrapped ads")
    func redirects() throws {
        let documents = ["main.xml": AdDocuments.vast(Self.wrapper("", to: "inline.xml") + AdDocuments.inline("own"))]
        #expect(AdServer.resolve(documents).pod.ads.map(\.id) == ["one"])
        let (pod, asked) = AdServer.resolve(documents, followsRedirects: false)
        #expect(pod.failures.map(\.code) == [.wrapper])
        #expect(pod.ads.map(\.id) == ["own"])
        #expect(asked.count == 1)
        let text = AdDocuments.vmap([AdDocuments.adBreak("start", id: "a", AdDocuments.tag("b.xml"))])
        for (value, isFollowed) in [("true", true), ("false", false), ("0", false), ("maybe", true)] {
            let changed = text.replacing("followRedirects=\"true\"", with: "followRedirects=\"\(value)\"")
            let schedule = try AdSchedule(Array(changed.utf8), from: AdServer.base)
            #expect(schedule.breaks.map(\.followsRedirects) == [isFollowed])
        }
    }

    @Test(
        "A stand-alone ad takes the place of an ad of the pod that cannot be had, each once",
        arguments: [
            (broken(1) + AdDocuments.inline("b", sequence: 2) + AdDocuments.inline("x"), ["x", "b"]),
            (broken(1) + broken(2) + AdDocuments.inline("x") + AdDocuments.inline("y"), ["x", "y"]),
            (broken(1) + broken(2) + AdDocuments.inline("x"), ["x"]),
            (broken(1) + broken + AdDocuments.inline("x"), ["x"]),
            (wrapper("", to: "empty.xml", sequence: 1) + AdDocuments.inline("x"), ["x"]),
            (wrapper("fallbackOnNoAd=\"true\"", to: "empty.xml", sequence: 1) + AdDocuments.inline("x"), ["x"]),
            (wrapper("fallbackOnNoAd=\"1\"", to: "nowhere.xml", sequence: 1) + AdDocuments.inline("x"), ["x"]),
            (
                wrapper("fallbackOnNoAd=\"false\"", to: "empty.xml", sequence: 1) + AdDocuments.inline("x")
                    + AdDocuments.inline("b", sequence: 2), ["b"]
            ),
            (wrapper("fallbackOnNoAd=\"0\"", to: "empty.xml") + AdDocuments.inline("x"), []),
        ]
    )
    func substitutes(content: String, wanted: [String]) {
        let pod = AdServer.ads(content)
        #expect(pod.ads.compactMap(\.id) == wanted)
        #expect(!pod.failures.isEmpty)
    }

    @Test("Of stand-alone ads the first that can be had is shown")
    func buffet() {
        let empty = "<Ad id=\"hollow\"><InLine><AdSystem>x</AdSystem><Creatives></Creatives></InLine></Ad>"
        let pod = AdServer.ads(empty + Self.broken + AdDocuments.inline("x") + AdDocuments.inline("y"))
        #expect(pod.ads.map(\.id) == ["x"])
        #expect(pod.failures.map(\.code) == [.invalid, .noMediaFile])
    }

    @Test("A break for one ad shows the first that can be had, be it of a pod or not")
    func room() {
        let pod = AdDocuments.inline("a", sequence: 1) + AdDocuments.inline("b", sequence: 2)
        #expect(ids(pod + AdDocuments.inline("x"), single: true) == ["a"])
        #expect(ids(Self.broken(1) + AdDocuments.inline("b", sequence: 2), single: true) == ["b"])
        #expect(ids(Self.broken(1) + AdDocuments.inline("x"), single: true) == ["x"])
    }

    @Test("What nobody has chosen takes the place of an ad that turns out not to be playable, each once")
    func replaced() {
        var pod = AdServer.ads(
            AdDocuments.inline("a", sequence: 1) + AdDocuments.inline("b", sequence: 2) + AdDocuments.inline("x")
        )
        #expect(pod.ads.map(\.id) == ["a", "b"])
        let isReplaced = pod.replaceAd(at: 1)
        #expect(isReplaced)
        #expect(pod.ads.map(\.id) == ["a", "x"])
        let isReplacedAgain = [0, 1].map { pod.replaceAd(at: $0) }
        #expect(isReplacedAgain == [false, false])
        // What a wrapper leads to is replaced by what stands beside the wrapper, unless that forbids it.
        for (value, mayBeReplaced) in [("true", true), ("false", false)] {
            let wrapper = Self.wrapper("fallbackOnNoAd=\"\(value)\"", to: "inline.xml", sequence: 1)
            var wrapped = AdServer.ads(wrapper + AdDocuments.inline("x"))
            #expect(wrapped.ads.map(\.id) == ["one"])
            let isReplaced = wrapped.replaceAd(at: 0)
            #expect(isReplaced == mayBeReplaced)
        }
    }

    @Test("Ads are played by their numbers: holes and twins do not matter, and what is no number is none")
    func sequences() {
        func ad(_ name: String, _ sequence: String) -> String {
            AdDocuments.inline(name).replacing("<Ad id=", with: "<Ad sequence=\"\(sequence)\" id=")
        }
        #expect(ids(ad("c", "30") + ad("a", "2") + ad("b1", "7") + ad("b2", " 7 ")) == ["a", "b1", "b2", "c"])
        for text in ["0", "-1", "one", ""] { #expect(ids(ad("x", text) + ad("a", "1")) == ["a"], "\(text)") }
    }

    @Test("A click leads where the ad says, or else where the innermost wrapper does")
    func clickThrough() {
        func wrapped(_ name: String, to target: String, leads: Bool) -> String {
            let clicks = leads ? "<VideoClicks><ClickThrough>http://\(name).example/</ClickThrough></VideoClicks>" : ""
            return AdDocuments.wrapper(name, to: target).replacing(
                "<TrackingEvents>",
                with: clicks + "<TrackingEvents>"
            )
        }
        let own = AdDocuments.vast(AdDocuments.inline("one"))
        let silent = own.replacing("<ClickThrough>http://127.0.0.1:9/shop</ClickThrough>", with: "")
        for (ad, innerLeads, wanted) in [
            (own, true, "http://127.0.0.1:9/shop"), (silent, true, "http://inner.example/"),
            (silent, false, "http://outer.example/"),
        ] {
            let documents = [
                "main.xml": wrapped("outer", to: "inner.xml", leads: true),
                "inner.xml": wrapped("inner", to: "ad.xml", leads: innerLeads), "ad.xml": ad,
            ]
            #expect(AdServer.resolve(documents).pod.ads.map(\.clickThrough) == [wanted])
        }
    }

    @Test("An ad of a category that a wrapper blocks is refused, and its server told")
    func blockedCategories() throws {
        func found(_ authority: String, _ category: String) -> AdPod {
            let blocked = "<BlockedAdCategories authority=\"iab.example\">IAB1, IAB2-3</BlockedAdCategories>"
            let ad = AdDocuments.inline("one").replacing(
                "<Creatives>",
                with: "<Category authority=\"\(authority)\">\(category)</Category><Creatives>"
            )
            return AdServer.resolve([
                "main.xml": AdDocuments.wrapper("w", to: "ad.xml").replacing(
                    "<Impression>",
                    with: blocked + "<Impression>"
                ),
                "ad.xml": AdDocuments.vast(ad),
            ]).pod
        }
        let refused = try #require(found("IAB.example", "IAB2-3").failures.first)
        #expect(refused.code == .blockedCategory && refused.code.vast == 205)
        #expect(refused.errorURLs.contains { $0.hasSuffix("one/error?code=[ERRORCODE]") })
        #expect(found("iab.example", "IAB2").ads.count == 1)
        #expect(found("other.example", "IAB1").ads.count == 1)
    }
}
