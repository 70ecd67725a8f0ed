internal import AdDocuments
internal import Advertising
internal import Testing

/// What of an ad in line is understood.
struct InlineAdTests {
    private typealias Code = AdFailure.Code

    private func file(_ attributes: String, _ location: String = "ad.bin") -> String {
        "<MediaFile \(attributes)>\(location)</MediaFile>"
    }

    private func chosen(_ files: String) -> String? {
        AdServer.ads(AdDocuments.inline("one", media: files)).ads.first?.media.type
    }

    @Test(
        "A type is known whatever its case, its parameters and the name that is used for it",
        arguments: [
            ("video/mp4; codecs=&quot;avc1.4D401E, mp4a.40.2&quot;", "video/mp4"), ("VIDEO/MP4", "video/mp4"),
            (" video/mp4 ;charset=x", "video/mp4"), ("video/x-m4v", "video/mp4"), ("application/mp4", "video/mp4"),
            ("application/x-mpegURL", "application/x-mpegurl"),
            (
                "application/vnd.apple.mpegURL;v=3",
                "application/vnd.apple.mpegurl"
            ), ("audio/mpegurl", "application/vnd.apple.mpegurl"),
            ("video/WebM;codecs=vp9", "video/webm"), ("audio/mp3", "audio/mpeg"), ("audio/aac", "audio/aac"),
            ("video/vnd.mpeg.dash.mpd", "application/dash+xml"),
        ]
    )
    func types(text: String, type: String) {
        #expect(chosen(file("type=\"\(text)\"")) == type)
    }

    @Test("A file without a type is what its name says")
    func nameless() {
        #expect(chosen(file("", "http://a.example/b/C.MP4?d=e.flv")) == "video/mp4")
        #expect(chosen(file("type=\"\"", "c.m3u8")) == "application/vnd.apple.mpegurl")
        #expect(
            AdServer.ads(AdDocuments.inline("one", media: file("", "c.swf"))).failures.map(\.code) == [.noMediaFile]
        )
    }

    @Test("Only what names the interface of a program is one", arguments: ["VAST", "", "none"])
    func frameworks(name: String) {
        #expect(chosen(file("type=\"video/mp4\" apiFramework=\"\(name)\"")) == "video/mp4")
        for program in ["VPAID", "vpaid2", "SIMID", "MRAID"] {
            let media = file("type=\"video/mp4\" apiFramework=\"\(program)\"")
            #expect(AdServer.ads(AdDocuments.inline("one", media: media)).failures.map(\.code) == [.noMediaFile])
        }
    }

    @Test("A file that the document may not name gives way to one that it may")
    func delivery() {
        let streaming = file("delivery=\"streaming\" type=\"video/mp4\" bitrate=\"900\"", "rtmp://a.example/b")
        let other = file("delivery=\"streaming\" type=\"application/x-mpegURL\"", "http://a.example/b.m3u8")
        let pod = AdServer.ads(AdDocuments.inline("one", media: streaming + other))
        #expect(pod.ads.map(\.location) == ["http://a.example/b.m3u8"])
        #expect(pod.unusable == ["MediaFile 'rtmp://a.example/b' in '\(AdServer.base)main.xml'"])
        #expect(AdServer.ads(AdDocuments.inline("one", media: streaming)).failures.map(\.code) == [.noMediaFile])
    }

    @Test("A mezzanine file is never played")
    func mezzanine() {
        let raw = "<Mezzanine delivery=\"progressive\" type=\"video/mp4\" bitrate=\"90000\">raw.mp4</Mezzanine>"
        let pod = AdServer.ads(AdDocuments.inline("one", media: raw + file("type=\"video/mp4\"", "ad.mp4")))
        #expect(pod.ads.map(\.location) == [AdServer.base + "ad.mp4"])
        #expect(AdServer.ads(AdDocuments.inline("one", media: raw)).failures.map(\.code) == [.invalid])
    }

    /// The shape of the Tech Lab's own sample of tracking events in VAST 3.0.
    @Test("A namespace, an interface that is none, both kinds of bitrate and an extension do not matter")
    func sample() throws {
        let document = """
            <VAST version="3.0" xmlns:xs="http://www.w3.org/2001/XMLSchema"><Ad id="7"><InLine>
            <AdSystem version="4.0">own</AdSystem><AdTitle>t</AdTitle>
            <Pricing model="cpm" currency="USD"> <![CDATA[ 2.50 ]]> </Pricing>
            <Error>http://t.example/error</Error><Impression id="i">http://t.example/i</Impression>
            <Creatives><Creative id="1" sequence="1"><Linear><Duration>00:00:16</Duration><TrackingEvents>
            <Tracking event="start">http://t.example/start</Tracking>
            <Tracking event="progress" offset="00:00:10">http://t.example/10</Tracking></TrackingEvents>
            <VideoClicks><ClickThrough id="c"> <![CDATA[https://c.example]]> </ClickThrough></VideoClicks>
            <MediaFiles><MediaFile id="2" delivery="progressive" type="video/mp4" bitrate="500" width="400" height="300"
            minBitrate="360" maxBitrate="1080" scalable="1" maintainAspectRatio="1" codec="0" apiFramework="VAST">
            <![CDATA[https://c.example/a.mp4]]> </MediaFile></MediaFiles></Linear></Creative></Creatives>
            <Extensions><Extension type="count"><total> <![CDATA[ 2 ]]> </total></Extension></Extensions>
            </InLine></Ad></VAST>
            """
        let pod = AdServer.resolve(["main.xml": document]).pod
        let ad = try #require(pod.ads.first)
        #expect(pod.failures.isEmpty && pod.unusable.isEmpty)
        #expect(ad.location == "https://c.example/a.mp4" && ad.media.bitrate == 500_000 && ad.cpm == "2.50")
        #expect(ad.tracking.progress == [AdTracking.Progress(offset: .time(10_000), url: "http://t.example/10")])
        #expect(ad.clickThrough == "https://c.example")
    }

    @Test(
        "Offsets in an ad are times, parts of it, or whole seconds",
        arguments: [
            ("00:00:03", 3000), ("00:00:03.250", 3250), ("25%", 2500), ("12.5%", 1250), ("100%", 10_000), ("0%", 0),
            ("3", 3000), (" 7% ", 700), ("0", 0),
        ] as [(String, Int64)]
    )
    func offsets(text: String, wanted: Int64) throws {
        let ad = try #require(
            AdServer.ads(
                AdDocuments.inline("one", linear: " skipoffset=\"\(text)\"").replacing(
                    "<TrackingEvents>",
                    with: "<TrackingEvents><Tracking event=\"progress\" offset=\"\(text)\">p</Tracking>"
                )
            ).ads.first
        )
        #expect(ad.skipOffset?.milliseconds(ofDuration: 10_000) == wanted)
        #expect(ad.tracking.progress.map { $0.offset.milliseconds(ofDuration: 10_000) } == [wanted])
    }

    @Test(
        "What is no offset is none: the ad cannot be skipped, and nothing is told",
        arguments: ["", "-1", "101%", "1:2"]
    )
    func noOffset(text: String) throws {
        let document = AdDocuments.inline("one", linear: " skipoffset=\"\(text)\"").replacing(
            "<TrackingEvents>",
            with: "<TrackingEvents><Tracking event=\"progress\" offset=\"\(text)\">p</Tracking>"
        )
        let ad = try #require(AdServer.ads(document).ads.first)
        #expect(ad.skipOffset == nil && ad.tracking.progress.isEmpty)
    }

    @Test("All impressions, errors and view trackers of all levels hear of the ad")
    func levels() throws {
        func more(_ name: String) -> String {
            """
            <Impression>track/\(name)/i2</Impression><Error>track/\(name)/e2</Error><ViewableImpression>
            <Viewable>track/\(name)/seen</Viewable><NotViewable>track/\(name)/unseen</NotViewable>
            <ViewUndetermined>track/\(name)/u1</ViewUndetermined><ViewUndetermined>track/\(name)/u2</ViewUndetermined>
            </ViewableImpression><Creatives>
            """
        }
        let documents = [
            "main.xml": AdDocuments.wrapper("w", to: "ad.xml").replacing("<Creatives>", with: more("w")),
            "ad.xml": AdDocuments.vast(AdDocuments.inline("one").replacing("<Creatives>", with: more("one"))),
        ]
        let tracking = try #require(AdServer.resolve(documents).pod.ads.first).tracking
        func names(_ addresses: [String]) -> Set<String> {
            Set(addresses.map { String($0.dropFirst((AdServer.base + "track/").count).prefix { $0 != "?" }) })
        }
        #expect(names(tracking.impressions) == ["one/impression", "one/i2", "w/impression", "w/i2"])
        #expect(names(tracking.errors) == ["one/error", "one/e2", "w/error", "w/e2"])
        #expect(names(tracking.undetermined) == ["one/u1", "one/u2", "w/u1", "w/u2"])
    }

    @Test("Code to verify an ad is found where each version has it, and nowhere else")
    func verifications() throws {
        func verification(_ name: String) -> String {
            """
            <AdVerifications><Verification vendor="\(name)"><JavaScriptResource apiFramework="omid">http://v.example/v.js
            </JavaScriptResource><TrackingEvents><Tracking event="verificationNotExecuted">http://v.example/\(name)
            </Tracking><Tracking event="other">http://v.example/never</Tracking></TrackingEvents></Verification>
            </AdVerifications>
            """
        }
        let extensions = """
            <Extensions><Extension type="AdVerifications">\(verification("old"))</Extension>
            <Extension type="other">\(verification("none"))</Extension></Extensions><Creatives>
            """
        let ad = AdDocuments.inline("one").replacing("<Creatives>", with: verification("new") + extensions)
        let documents = [
            "main.xml": AdDocuments.wrapper("w", to: "ad.xml").replacing(
                "<Creatives>",
                with: verification("around") + "<Creatives>"
            ), "ad.xml": AdDocuments.vast(ad),
        ]
        let tracking = try #require(AdServer.resolve(documents).pod.ads.first).tracking
        #expect(tracking.unverified == ["new", "old", "around"].map { "http://v.example/" + $0 })
    }

    @Test(
        "An ad that must not be shown without its companions is not",
        arguments: [("all", false), ("ANY", false), ("none", true), ("", true)]
    )
    func companions(required: String, isShown: Bool) throws {
        let companions = """
            <Creative><CompanionAds required="\(required)"><Companion width="1" height="1"/></CompanionAds></Creative>
            </Creatives>
            """
        let ad = AdDocuments.vast(AdDocuments.inline("one").replacing("</Creatives>", with: companions))
        let wrapper = AdDocuments.wrapper("w", to: "inline.xml").replacing("</Creatives>", with: companions)
        for document in [ad, wrapper] {
            let pod = AdServer.resolve(["main.xml": document]).pod
            #expect(pod.ads.map(\.id) == (isShown ? ["one"] : []))
            #expect(pod.failures.map(\.code) == (isShown ? [] : [Code.companionRequired]))
            if let failure = pod.failures.first { #expect(failure.code.vast == 602 && !failure.errorURLs.isEmpty) }
        }
        let hollow = ad.replacing("<Companion width=\"1\" height=\"1\"/>", with: "")
        #expect(AdServer.resolve(["main.xml": hollow]).pod.ads.count == 1)
    }

    @Test(
        "A document says by its version, its root or its ads why none can be shown",
        arguments: [
            ("<VAST version=\"3.0\"/>", Code.empty), ("<VAST version=\"4.3\"></VAST>", .empty),
            ("<VideoAdServingTemplate/>", .unsupportedVersion), ("<VAST version=\"1.0\"/>", .unsupportedVersion),
            ("<VAST version=\"3.0\"><Ad><InLine/></Ad></VAST>", .invalid),
            ("<VAST version=\"3.0\"><Ad/></VAST>", .invalid),
            ("<VAST version=\"3.0\"><Ad><InLine><Creatives><Creative/></Creatives></InLine></Ad></VAST>", .notLinear),
            ("<VAST version=\"3.0\"><Ad><Wrapper/></Ad></VAST>", .invalid), ("<!DOCTYPE VAST><VAST/>", .malformed),
        ] as [(String, AdFailure.Code)]
    )
    func refusals(document: String, code: AdFailure.Code) {
        let pod = AdServer.resolve(["main.xml": document]).pod
        #expect(pod.failures.map(\.code) == [code])
        #expect(pod.ads.isEmpty)
    }

    @Test("All who are around an answer without ads hear of it, with what the answer itself names")
    func noAd() {
        let empty = AdDocuments.vast("<Error>track/no/1</Error><Error><![CDATA[track/no/2]]></Error>")
        let (pod, _) = AdServer.resolve(["main.xml": AdDocuments.wrapper("w", to: "no.xml"), "no.xml": empty])
        #expect(pod.failures.map(\.code.vast) == [303])
        let told = ["w/error?code=[ERRORCODE]", "no/1", "no/2"].map { AdServer.base + "track/" + $0 }
        #expect(pod.failures.first?.errorURLs == told)
    }

    @Test("Extensions, icons, conditions and an unknown version 4 do not keep an ad from being shown")
    func ignored() throws {
        let document = AdDocuments.inline("one").replacing("<Ad id=", with: "<Ad conditionalAd=\"true\" id=")
            .replacing(
                "</Linear>",
                with:
                    "<Icons><Icon program=\"AdChoices\"><IconViewTracking>track/icon</IconViewTracking></Icon></Icons></Linear>"
            ).replacing(
                "</Creatives>",
                with: "</Creatives><Extensions><Extension><Ad/><Error>x</Error></Extension></Extensions>"
            )
        let ad = try #require(AdServer.ads(document, version: "4.9").ads.first)
        #expect(ad.tracking.errors.count == 1)
        #expect(!ad.tracking.events.values.joined().contains { $0.contains("icon") })
    }

    @Test("Of several linear creatives the first by number that can be played is shown")
    func creatives() {
        func creative(_ id: String, _ sequence: String, _ type: String) -> String {
            "<Creative id=\"\(id)\"\(sequence)><Linear><MediaFiles>\(file("type=\"\(type)\"", id + ".mp4"))</MediaFiles>"
                + "</Linear></Creative>"
        }
        func shown(_ creatives: String...) -> String? {
            AdServer.ads("<Ad><InLine><Creatives>\(creatives.joined())</Creatives></InLine></Ad>").ads.first?.creativeID
        }
        #expect(
            shown(
                creative("x", "", "video/mp4"),
                creative("b", " sequence=\"2\"", "video/mp4"),
                creative("a", " sequence=\"1\"", "video/mp4")
            ) == "a"
        )
        #expect(
            shown(creative("b", " sequence=\"2\"", "video/mp4"), creative("a", " sequence=\"1\"", "video/x-flv")) == "b"
        )
    }

    @Test("Identifiers of a creative are all kept, the text before the attribute")
    func universalIDs() throws {
        let ids = """
            <UniversalAdId idRegistry="r.example" idValue="old">one</UniversalAdId>
            <UniversalAdId idRegistry="s.example" idValue="two"/><UniversalAdId/>
            """
        let ad = try #require(AdServer.ads(AdDocuments.inline("one", creative: ids)).ads.first)
        #expect(ad.universalIDs.map(\.registry) == ["r.example", "s.example"])
        #expect(ad.universalIDs.map(\.value) == ["one", "two"])
    }

    @Test("An announced duration of nothing is none")
    func noDuration() throws {
        let document = AdDocuments.inline("one").replacing("<Duration>00:00:01<", with: "<Duration>00:00:00<")
        #expect(try #require(AdServer.ads(document).ads.first).durationMs == nil)
    }
}
