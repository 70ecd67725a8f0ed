internal import AdDocuments
internal import Advertising
internal import TestFiles
internal import Testing

/// What becomes of macros.
struct MacroTests {
    private func replaced(_ name: String, _ use: AdMoment.Use, _ change: (inout AdMoment) -> Void = { _ in }) -> String
    {
        var moment = AdMoment(use)
        change(&moment)
        return AdMacros.replaced(in: "[\(name)]", at: moment)
    }

    @Test("Values are escaped, macros of the standard without a value are -1, and what is none of these stays")
    func forms() {
        var moment = AdMoment(.error(vast: 403, vmap: 1005, message: "no file: a/b"))
        moment.playerSize = (640, 360)
        #expect(
            AdMacros.replaced(
                in: "e?c=[ERRORCODE]&m=[ERROR_MESSAGE]&s=[PLAYERSIZE]&i=[IFA]&x=[NEVER]&y=[ifa]&z=[[IFA]&[",
                at: moment
            ) == "e?c=403&m=no%20file%3A%20a%2Fb&s=640,360&i=-1&x=[NEVER]&y=[ifa]&z=[-1&["
        )
    }

    @Test("Each macro of the standard is replaced, whatever the address is for")
    func complete() {
        let uses: [AdMoment.Use] = [
            .request, .tracking, .click, .error(vast: 900, vmap: 900, message: ""), .notVerified(reason: 2),
        ]
        #expect(AdMacro.all.count == 61)
        #expect(Set(AdMacro.all.map(\.name)).count == AdMacro.all.count)
        for macro in AdMacro.all {
            for use in uses { #expect(!replaced(macro.name, use).contains("["), "\(macro.name)") }
        }
    }

    @Test("A macro has its value where it has a meaning, and is -1 elsewhere")
    func places() throws {
        let ad = try #require(AdServer.resolve("vast4.xml").ads.first)
        let error = AdMoment.Use.error(vast: 303, vmap: 1005, message: "none")
        #expect(replaced("ERRORCODE", error) == "303")
        #expect(replaced("ERROR_CODE", error) == "1005")
        #expect(replaced("ERRORCODE", .tracking) == "-1")
        #expect(replaced("REASON", .notVerified(reason: 2)) == "2")
        #expect(replaced("REASON", .tracking) == "-1")
        #expect(replaced("UNIVERSALADID", .tracking) { $0.ad = ad } == "Ad-ID%20CNPA0484000H")
        #expect(replaced("UNIVERSALADID", error) { $0.ad = ad } == "Ad-ID%20CNPA0484000H")
        #expect(replaced("UNIVERSALADID", .request) { $0.ad = ad } == "-1")
        #expect(replaced("VASTVERSIONS", .request) == "2,3,5,6,7,8,11,12,13,14,15,16")
        #expect(replaced("VASTVERSIONS", .tracking) == "-1")
        #expect(replaced("MEDIAMIME", .request).hasPrefix("video%2Fmp4,application%2Fvnd.apple.mpegurl,"))
    }

    @Test("What the player knows is the value")
    func values() throws {
        let ad = try #require(
            AdServer.ads(
                AdDocuments.inline("one", sequence: 3, linear: " skipoffset=\"3\"")
                    .replacing("<Ad id=", with: "<Ad adType=\"hybrid\" id=")
                    .replacing("<Creatives>", with: "<AdServingId>S-1</AdServingId><Creatives>")
            ).ads.first
        )
        var moment = AdMoment(.tracking)
        moment.ad = ad
        moment.adMs = 1234
        moment.adCount = 2
        moment.content = "https://c.example/film.m3u8"
        moment.contentMs = 3_723_004
        moment.breakType = "mid"
        moment.maxAds = 1
        moment.maxSeconds = 30
        moment.isMuted = true
        moment.isFullscreen = true
        moment.timestamp = "2026-01-17T08:15:07.000Z"
        moment.transactionID = "8f2e"
        moment.player = "player/1.0"
        let wanted = [
            "ADTYPE": "hybrid", "ADSERVINGID": "S-1", "PODSEQUENCE": "3", "ADPLAYHEAD": "00%3A00%3A01.234",
            "ADCOUNT": "2", "CONTENTURI": "https%3A%2F%2Fc.example%2Ffilm.m3u8", "MEDIAPLAYHEAD": "01%3A02%3A03.004",
            "CONTENTPLAYHEAD": "01%3A02%3A03.004", "BREAKPOSITION": "2", "BREAKMAXADS": "1", "BREAKMAXDURATION": "30",
            "PLAYERSTATE": "muted,fullscreen", "INVENTORYSTATE": "skippable,mautoplayed", "PLAYBACKMETHODS": "2",
            "TIMESTAMP": "2026-01-17T08%3A15%3A07.000Z", "TRANSACTIONID": "8f2e", "CLIENTUA": "player%2F1.0",
            "ASSETURI": "http%3A%2F%2Fads.example%2Fad1.mp4", "SERVERSIDE": "0", "PLACEMENTTYPE": "1",
            "CLICKTYPE": "1", "DEVICEIP": "-2", "LIMITADTRACKING": "-1", "GDPRCONSENT": "-1",
            "PLAYERCAPABILITIES": "skip,mute,autoplay,mautoplay,fullscreen",
        ]
        for (name, value) in wanted { #expect(AdMacros.replaced(in: "[\(name)]", at: moment) == value, "\(name)") }
        moment.use = .request
        #expect(AdMacros.replaced(in: "[ADCOUNT]", at: moment) == "1")
        moment.maxAds = 30
        #expect(AdMacros.replaced(in: "[ADCOUNT]", at: moment) == "-1")
        // A file's name is known, and nobody's business.
        moment.content = "/home/me/film.mp4"
        #expect(AdMacros.replaced(in: "[CONTENTURI]", at: moment) == "-2")
    }

    @Test("A random number has eight digits, anew in each address")
    func random() {
        let numbers = (0..<20).map { _ in replaced("CACHEBUSTING", .tracking) }
        #expect(numbers.allSatisfy { $0.utf8.count == 8 && Int($0) != nil })
        #expect(Set(numbers).count > 1)
    }

    @Test("The address of a wrapped document has its macros filled in when it is asked for")
    func requests() throws {
        var moment = AdMoment(.request)
        moment.timestamp = "2026-01-17T08:15:07.000Z"
        let target = "inline.xml?r=[CACHEBUSTING]&t=[TIMESTAMP]&c=[BLOCKEDADCATEGORIES]&p=[ADPLAYHEAD]&n=[NONE]"
        let wrapper = AdDocuments.wrapper("w", to: target).replacing(
            "<Impression>",
            with: "<BlockedAdCategories authority=\"a\">IAB1-6, IAB2</BlockedAdCategories><Impression>"
        )
        let (pod, asked) = AdServer.resolve(["main.xml": wrapper], moment: moment)
        #expect(pod.ads.map(\.id) == ["one"])
        let query = try #require(asked.last?.split(separator: "?").last.map { $0.split(separator: "&") })
        #expect(Int(query[0].dropFirst(2)).map { (10_000_000...99_999_999).contains($0) } == true)
        #expect(query.dropFirst() == ["t=2026-01-17T08%3A15%3A07.000Z", "c=IAB1-6,IAB2", "p=-1", "n=[NONE]"])
    }

    @Test("A wrapper that leads back is noticed though its address is never the same")
    func loop() {
        let (pod, asked) = AdServer.resolve([
            "main.xml": AdDocuments.wrapper("a", to: "back.xml?r=[CACHEBUSTING]"),
            "back.xml": AdDocuments.wrapper("b", to: "back.xml?r=[CACHEBUSTING]"),
        ])
        #expect(pod.failures.map(\.code) == [.wrapperLimit])
        #expect(asked.count == 2)
    }

    @Test("The page has all macros as they are")
    func page() throws {
        let page = try TestFile.source("docs/player.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `[") }
        let known = AdMacro.all.filter { $0.meaning != nil }
        #expect(
            rows.map(String.init) == known.map { "| `[\($0.name)]` | \($0.place.rawValue) | \($0.meaning ?? "") |" }
        )
        let unknown = AdMacro.all.filter { $0.meaning == nil }.map { "`[\($0.name)]`" }
        let paragraph = page.split(separator: "\n\n").first { $0.hasPrefix("-1 always:") } ?? ""
        #expect(
            paragraph.split { " \n".contains($0) }.dropFirst(2).map { $0.filter { $0 != "," && $0 != "." } } == unknown
        )
    }
}
