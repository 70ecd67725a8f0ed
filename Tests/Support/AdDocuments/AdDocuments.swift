/// Documents of an ad server, for creatives that ffmpeg made: `ad1.mp4` and `ad2.mp4` beside them.
///
/// References are relative, so that they mean the same in a folder and on a server.
package enum AdDocuments {
    /// The documents by their file names.
    package static let all: [String: String] = plain.merging(wrappers) { first, _ in first }
        .merging(broken) { first, _ in first }.merging(schedules) { first, _ in first }

    /// An ad in line: each event goes to `/track/NAME/EVENT`.
    package static func inline(
        _ name: String,
        sequence: Int? = nil,
        media: String = #"<MediaFile delivery="progressive" type="video/mp4" bitrate="250">ad1.mp4</MediaFile>"#,
        linear: String = "",
        creative: String = ""
    ) -> String {
        let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume"]
        let tracking = events.map { "<Tracking event=\"\($0)\">track/\(name)/\($0)</Tracking>" }.joined()
        let order = sequence.map { " sequence=\"\($0)\"" } ?? ""
        return """
            <Ad id="\(name)"\(order)><InLine>
            <AdSystem version="1">generated</AdSystem><AdTitle>Ad \(name)</AdTitle>
            <Error><![CDATA[track/\(name)/error?code=[ERRORCODE]]]></Error>
            <Impression> <![CDATA[ track/\(name)/impression?random=[CACHEBUSTING] ]]> </Impression>
            <Creatives><Creative id="\(name)-creative">\(creative)<Linear\(linear)><Duration>00:00:01</Duration>
            <TrackingEvents>\(tracking)</TrackingEvents>
            <VideoClicks><ClickThrough>http://127.0.0.1:9/shop</ClickThrough>
            <ClickTracking>track/\(name)/click</ClickTracking></VideoClicks>
            <MediaFiles>\(media)</MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """
    }

    /// A document with ads in it.
    package static func vast(_ content: String, version: String = "3.0") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<VAST version=\"\(version)\">\(content)</VAST>"
    }

    /// A wrapper around another document.
    package static func wrapper(_ name: String, to target: String, attributes: String = "") -> String {
        vast(
            """
            <Ad id="\(name)"><Wrapper\(attributes)><AdSystem>generated</AdSystem>
            <VASTAdTagURI><![CDATA[\(target)]]></VASTAdTagURI><Error>track/\(name)/error?code=[ERRORCODE]</Error>
            <Impression>track/\(name)/impression</Impression><Creatives><Creative><Linear><TrackingEvents>
            <Tracking event="midpoint">track/\(name)/midpoint</Tracking></TrackingEvents></Linear></Creative></Creatives>
            </Wrapper></Ad>
            """
        )
    }

    /// A break of a schedule.
    package static func adBreak(_ offset: String, id: String, _ source: String, type: String = "linear") -> String {
        """
        <vmap:AdBreak timeOffset="\(offset)" breakType="\(type)" breakId="\(id)">
        <vmap:AdSource id="\(id)-source" allowMultipleAds="true" followRedirects="true">\(source)</vmap:AdSource>
        <vmap:TrackingEvents><vmap:Tracking event="breakStart">track/\(id)/breakStart</vmap:Tracking>
        <vmap:Tracking event="breakEnd">track/\(id)/breakEnd</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
        """
    }

    /// A document that is named by its address.
    package static func tag(_ address: String) -> String {
        "<vmap:AdTagURI templateType=\"vast3\"><![CDATA[\(address)]]></vmap:AdTagURI>"
    }

    /// A document within the schedule.
    package static func data(_ content: String) -> String {
        "<vmap:VASTAdData><VAST version=\"3.0\">\(content)</VAST></vmap:VASTAdData>"
    }

    /// A schedule.
    package static func vmap(_ breaks: [String]) -> String {
        "<?xml version=\"1.0\"?>\n<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">"
            + breaks.joined(separator: "\n") + "</vmap:VMAP>"
    }
}
