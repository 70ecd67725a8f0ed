extension AdDocuments {
    static let second = #"<MediaFile delivery="progressive" type="video/mp4" bitrate="250">ad2.mp4</MediaFile>"#

    static let plain: [String: String] = [
        "inline.xml": vast(inline("one")),
        "vast2.xml": vast(inline("old"), version: "2.0"),
        "vast4.xml": vast(
            inline(
                "new",
                linear: " skipoffset=\"50%\"",
                creative: "<UniversalAdId idRegistry=\"Ad-ID\">CNPA0484000H</UniversalAdId><Novelty>x</Novelty>"
            ) + "<Extension><Unknown deep=\"1\"><Deeper/></Unknown></Extension>",
            version: "4.2"
        ),
        "pod.xml": vast(
            inline("second", sequence: 2, media: second) + inline("first", sequence: 1) + inline("spare")
        ),
        "skippable.xml": vast(inline("skip", linear: " skipoffset=\"00:00:00.300\"")),
        "bitrates.xml": vast(
            inline(
                "many",
                media: """
                    <MediaFile type="video/x-flv" bitrate="9000">flash.flv</MediaFile>
                    <MediaFile type="application/javascript" apiFramework="VPAID" bitrate="1">unit.js</MediaFile>
                    <MediaFile type="video/mp4" bitrate="4000" width="1920" height="1080">large.mp4</MediaFile>
                    <MediaFile type="video/mp4" bitrate="250" width="320" height="180">ad1.mp4</MediaFile>
                    <MediaFile type="video/mp4" minBitrate="100" maxBitrate="140">ad2.mp4</MediaFile>
                    """
            )
        ),
    ]

    static let wrappers: [String: String] = [
        "wrapper.xml": wrapper("outer", to: "inline.xml"),
        "wrapper1.xml": wrapper("w1", to: "wrapper2.xml"),
        "wrapper2.xml": wrapper("w2", to: "wrapper3.xml"),
        "wrapper3.xml": wrapper("w3", to: "wrapper4.xml"),
        "wrapper4.xml": wrapper("w4", to: "wrapper5.xml"),
        "wrapper5.xml": wrapper("w5", to: "inline.xml"),
        "wrapper-deep.xml": wrapper("w0", to: "wrapper1.xml"),
        "wrapper-loop.xml": wrapper("a", to: "wrapper-loop-back.xml"),
        "wrapper-loop-back.xml": wrapper("b", to: "wrapper-loop.xml"),
        "wrapper-missing.xml": wrapper("lost", to: "nowhere.xml"),
        "wrapper-closed.xml": wrapper("closed", to: "wrapper.xml", attributes: " followAdditionalWrappers=\"false\""),
        "wrapper-single.xml": wrapper("single", to: "pod.xml", attributes: " allowMultipleAds=\"false\""),
        "wrapper-empty.xml": wrapper("hollow", to: "empty.xml"),
    ]

    static let broken: [String: String] = [
        "empty.xml": vast("<Error>track/empty/error?code=[ERRORCODE]</Error>"),
        "malformed.xml": "<VAST version=\"3.0\"><Ad id=\"x\"><InLine></Ad></VAST>",
        "nothing.xml": "",
        "page.xml": "<html><body>Service unavailable</body></html>",
        "version.xml": vast(inline("future"), version: "9.0"),
        "nonlinear.xml": vast(
            "<Ad id=\"banner\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Error>track/banner/error?code="
                + "[ERRORCODE]</Error><Creatives><Creative><NonLinearAds/></Creative></Creatives></InLine></Ad>"
        ),
        "no-media.xml": vast(inline("bare", media: "")),
        "wrong-type.xml": vast(
            inline("flash", media: "<MediaFile type=\"video/x-flv\" bitrate=\"300\">ad.flv</MediaFile>")
        ),
        "missing-media.xml": vast(inline("gone", media: "<MediaFile type=\"video/mp4\">gone.mp4</MediaFile>")),
        "garbage-media.xml": vast(inline("noise", media: "<MediaFile type=\"video/mp4\">garbage.mp4</MediaFile>")),
        "entities.xml": "<!DOCTYPE VAST [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c "
            + "\"&b;&b;&b;&b;&b;&b;&b;&b;\">]><VAST version=\"3.0\"><Ad id=\"&c;\"/></VAST>",
        "partly.xml": vast(
            inline("bad", sequence: 1, media: "<MediaFile type=\"video/mp4\">gone.mp4</MediaFile>")
                + inline("good", sequence: 2)
        ),
    ]

    static let schedules: [String: String] = [
        "vmap.xml": vmap([
            adBreak("start", id: "before", data(inline("pre"))),
            adBreak("00:00:02", id: "between", tag("pod.xml")),
            adBreak("end", id: "behind", tag("wrapper.xml")),
        ]),
        "vmap-parts.xml": vmap([
            adBreak("50%", id: "half", tag("inline.xml")),
            adBreak("00:00:01.500", id: "banner", tag("inline.xml"), type: "nonlinear"),
            adBreak("noon", id: "never", tag("inline.xml")),
            adBreak("#1", id: "ordinal", tag("inline.xml")),
            adBreak("00:00:03", id: "hollow", tag("empty.xml")),
            "<vmap:Extensions><vmap:Extension type=\"x\"/></vmap:Extensions>",
        ]),
    ]
}
