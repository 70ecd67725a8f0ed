import PlaybackEngine
import Synchronization
import Testing
import XML

/// Where the requests of a demuxer are led, by playlists and answers alone.
struct StreamDetourTests {
    /// Servers that have what a test puts there, and what they were asked for.
    private final class Web: Sendable {
        let documents: [String: String]
        private let lookCount = Atomic<Int>(0)
        private let peekCount = Atomic<Int>(0)

        init(_ documents: [String: String]) { self.documents = documents }

        var looks: Int { lookCount.load(ordering: .relaxed) }
        var peeks: Int { peekCount.load(ordering: .relaxed) }

        func detours(_ manifest: String, at address: String = "http://a/x/list.m3u8") -> StreamDetours {
            let detours = StreamDetours(
                get: { [self] url, _, _ in
                    lookCount.add(1, ordering: .relaxed)
                    guard let text = documents[url] else { return .failure(FetchFailure(status: 404, reason: "")) }
                    return .success(Array(text.utf8))
                },
                answer: { answer in
                    switch answer {
                    case .moved(let place): "here:" + place
                    case .bytes([]): "here:nothing"
                    case .bytes(let bytes):
                        "here:" + String(decoding: bytes.prefix(7), as: UTF8.self).prefix { $0 != "\n" }
                    }
                },
                peek: { [self] url, _, count in
                    peekCount.add(1, ordering: .relaxed)
                    guard let text = documents[url] else { return .failure(FetchFailure(status: 404, reason: "")) }
                    return .success(Array(text.utf8.prefix(count)))
                }
            )
            #expect(detours.begin(manifest, at: address) == .asItIs)
            return detours
        }
    }

    private static func list(_ count: Int, isEnded: Bool = true, before: (Int) -> String = { _ in "" }) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:7\n"
            + (0..<count).map { before($0) + "#EXTINF:1,\ns\($0).ts\n" }.joined() + (isEnded ? "#EXT-X-ENDLIST\n" : "")
    }

    private static func part(_ name: String, _ folder: String = "x") -> StreamDetours.Part {
        StreamDetours.Part(address: "http://a/\(folder)/\(name)")
    }

    /// What a demuxer asks for, one request after another.
    private final class Course {
        let detours: StreamDetours
        var findings: [StreamDetours.Finding] = []

        init(_ detours: StreamDetours) { self.detours = detours }

        func route(_ part: StreamDetours.Part) -> StreamDetours.Route { detours.route(part) { findings.append($0) } }

        /// Refuses a part so often as it is asked for where it lies, and returns where it is led then.
        func refuse(_ part: StreamDetours.Part, _ status: Int?, times: Int) -> StreamDetours.Route {
            for _ in 0..<times {
                let before = route(part)
                #expect(before == .asItIs)
                detours.finished(part, status: status, succeeded: false)
            }
            return route(part)
        }
    }

    @Test(arguments: [(404, 1), (410, 1), (503, 5)])
    func whatIsRefusedForGoodIsReplacedByNothingAndToldOnce(status: Int, times: Int) {
        let course = Course(Web([:]).detours(Self.list(6)))
        let part = Self.part("s2.ts")
        #expect(course.refuse(part, status, times: times) == .to("here:nothing"))
        #expect(course.route(part) == .to("here:nothing"))
        #expect(course.findings == [.skipped("http://a/x/s2.ts", status: status)])
    }

    @Test func whatIsForbiddenAndWhatIsNoSegmentIsNotReplaced() {
        let course = Course(Web([:]).detours(Self.list(6)))
        #expect(course.refuse(Self.part("s2.ts"), 403, times: 6) == .asItIs)
        #expect(course.refuse(Self.part("k.key"), 404, times: 6) == .asItIs)
        #expect(course.findings.isEmpty)
    }

    @Test func aSegmentOfALiveStreamMayComeLate() {
        let text = Self.list(6, isEnded: false)
        let course = Course(Web(["http://a/x/list.m3u8": Self.list(8, isEnded: false)]).detours(text))
        #expect(course.refuse(Self.part("s2.ts"), 404, times: 3) == .to("here:nothing"))
        // One that only a newer playlist has.
        #expect(course.refuse(Self.part("s7.ts"), 404, times: 3) == .to("here:nothing"))
        #expect(course.findings.count == 2)
    }

    @Test func moreThanThreeInARowAreNotLeftOut() {
        let course = Course(Web([:]).detours(Self.list(9)))
        for index in 1...3 {
            let route = course.refuse(Self.part("s\(index).ts"), 404, times: 1)
            #expect(route == .to("here:nothing"))
        }
        #expect(course.refuse(Self.part("s4.ts"), 404, times: 4) == .asItIs)
        #expect(course.refuse(Self.part("s6.ts"), 404, times: 1) == .to("here:nothing"))
        #expect(course.findings.count == 4)
    }

    @Test func whatAPlaylistMarksAsAGapIsNotAskedFor() {
        let list = Self.list(6) { $0 == 3 ? "#EXT-X-GAP\n#EXT-X-BYTERANGE:10@20\n" : "" }
        let course = Course(Web([:]).detours(list))
        let gap = StreamDetours.Part(address: "http://a/x/s3.ts", range: "bytes=20-29")
        #expect(course.route(gap) == .to("here:nothing"))
        #expect(course.route(Self.part("s3.ts")) == .asItIs)
        #expect(course.route(Self.part("s4.ts")) == .asItIs)
        #expect(course.findings == [.skipped("http://a/x/s3.ts", status: nil)])
    }

    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=10x10
        ../one/v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=200,RESOLUTION=10x10
        ../other/v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=10x10
        ../two/v.m3u8

        """

    @Test func aSegmentIsAskedForOfARedundantVariantFirst() {
        let web = Web(["http://a/one/v.m3u8": Self.list(6), "http://a/two/v.m3u8": Self.list(6)])
        let course = Course(web.detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", "one")) == .asItIs)
        let part = Self.part("s2.ts", "one")
        #expect(course.refuse(part, nil, times: 1) == .to("http://a/two/s2.ts"))
        #expect(course.route(part) == .to("http://a/two/s2.ts"))
        course.detours.finished(Self.part("s2.ts", "two"), status: 404, succeeded: false)
        course.detours.finished(part, status: 404, succeeded: false)
        #expect(course.route(part) == .to("here:nothing"))
        #expect(course.findings == [.skipped("http://a/one/s2.ts", status: 404)])
    }

    @Test(arguments: [true, false])
    func theLastSegmentOfARecordingIsLookedForBeforeItIsAskedForOnce(isThere: Bool) {
        var documents = ["http://a/one/v.m3u8": Self.list(3), "http://a/two/v.m3u8": Self.list(3)]
        if isThere { documents["http://a/one/s2.ts"] = "media" }
        let web = Web(documents)
        let course = Course(web.detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", "one")) == .asItIs)
        #expect(course.route(Self.part("s1.ts", "one")) == .asItIs)
        #expect(web.peeks == 0)
        for _ in 0..<2 {
            let route = course.route(Self.part("s2.ts", "one"))
            #expect(route == (isThere ? .asItIs : .to("http://a/two/s2.ts")))
        }
        #expect(web.peeks == 1)
        guard !isThere else { return #expect(course.findings.isEmpty) }
        guard case .asked(let request) = course.findings.first else {
            Issue.record("the request in the demuxer's place must be told")
            return
        }
        #expect(request.url == "http://a/one/s2.ts" && request.status == 404 && course.findings.count == 1)
    }

    @Test(arguments: [true, false])
    func ofALiveStreamAndWithoutARedundantVariantTheLastSegmentIsNotLookedFor(isLive: Bool) {
        let list = Self.list(3, isEnded: !isLive)
        let folder = isLive ? "one" : "other"
        let web = Web(["http://a/\(folder)/v.m3u8": list, "http://a/two/v.m3u8": list])
        let course = Course(web.detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", folder)) == .asItIs)
        #expect(course.route(Self.part("s2.ts", folder)) == .asItIs)
        #expect(web.peeks == 0)
    }

    @Test func aPlaylistThatCannotBeHadIsThatOfARedundantVariant() {
        let web = Web(["http://a/two/v.m3u8": Self.list(6)])
        let course = Course(web.detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", "one")) == .to("here:http://a/two/v.m3u8"))
        guard case .asked(let request) = course.findings.first else {
            Issue.record("the request in the demuxer's place must be told")
            return
        }
        #expect(request.url == "http://a/one/v.m3u8" && request.status == 404 && course.findings.count == 1)
        // One that has no other is asked for by the demuxer itself, and told then.
        #expect(course.route(Self.part("v.m3u8", "other")) == .asItIs)
        #expect(course.findings.count == 1)
    }

    @Test func eachPlaylistIsLookedAtOnce() {
        let web = Web(["http://a/other/v.m3u8": Self.list(6)])
        let course = Course(web.detours(Self.master))
        for _ in 0..<3 { #expect(course.route(Self.part("v.m3u8", "other")) == .asItIs) }
        #expect(web.looks == 1)
    }

    private static let key = "#EXT-X-KEY:METHOD="

    private static let hazards: [(String, EngineError.Code, String)] = [
        ("", .invalidManifest, "is empty"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n", .invalidManifest, "names no segment"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n", .invalidManifest, "it ends behind its first #EXTINF"),
        ("#EXTM3U\n#EXTINF:0,\na.ts\n#EXTINF:0,\nb.ts\n", .invalidManifest, "a.ts lasts 0 s"),
        ("#EXTM3U\n#EXTINF:0,\na.ts\n", .invalidManifest, "a.ts lasts 0 s"),
        ("#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n\(key)AES-128,URI=\"k\"\n#EXTINF:1,\na\n", .encrypted, "fragmented MP4"),
        ("#EXTM3U\n\(key)AES-256,URI=\"k\"\n#EXTINF:1,\na.ts\n", .encrypted, "METHOD=AES-256"),
        (
            "#EXTM3U\n\(key)SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n#EXTINF:1,\na.ts\n",
            .encrypted, "its key is for another player"
        ),
        // The demuxer takes it for AES-128.
        ("#EXTM3U\n\(key)SAMPLE-AES,URI=\"k\"\n#EXTINF:1,\na.ts\n", .encrypted, "METHOD=SAMPLE-AES"),
    ]

    @Test(arguments: hazards)
    func whatKillsTheEngineDoesNotComeToIt(text: String, code: EngineError.Code, reason: String) {
        let course = Course(Web(["http://a/other/v.m3u8": text]).detours(Self.master))
        guard case .nowhere(code, let words) = course.route(Self.part("v.m3u8", "other")) else {
            Issue.record("a playlist that kills is let through: \(text)")
            return
        }
        #expect(words.contains(reason))
        // The demuxer never asks for it.
        #expect(course.findings.count == 1)
    }

    private static let playable: [String] = [
        "#EXTM3U\n#EXTINF:1,\na.ts\n#EXTINF:0,\nb.ts\n", "#EXTM3U\n#EXTINF:1,\na.ts\n#EXTINF:1,\n",
        "#EXTM3U\n\(key)AES-128,URI=\"k\"\n#EXTINF:1,\na.ts\n",
        "#EXTM3U\n\(key)NONE\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:1,\na\n",
    ]

    @Test(arguments: playable)
    func whatCanBePlayedIsNotRefused(text: String) {
        let course = Course(Web(["http://a/other/v.m3u8": text]).detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", "other")) == .asItIs)
    }

    @Test func keysOfOtherPlayersAreTold() {
        let fairPlay = "\(Self.key)SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"
        let web = Web(["http://a/other/v.m3u8": "#EXTM3U\n#EXTINF:1,\nb.ts\n\(fairPlay)#EXTINF:1,\na.ts\n"])
        let course = Course(web.detours(Self.master))
        #expect(course.route(Self.part("v.m3u8", "other")) == .asItIs)
        #expect(course.findings == [.protected])
    }

    // MARK: Texts

    private static let texts =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",URI=\"t.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=100,SUBTITLES=\"s\"\nv.m3u8\n"

    @Test func noTextThatIsMissingEndsAStreamAndARowOfThemIsToldOnce() {
        let web = Web(["http://a/x/v.m3u8": Self.list(9), "http://a/x/t.m3u8": Self.list(9)])
        let course = Course(web.detours(Self.texts))
        #expect(course.route(Self.part("t.m3u8")) == .asItIs)
        for index in 1...7 where index != 6 {
            let route = course.refuse(Self.part("s\(index).ts"), 404, times: 1)
            #expect(route == .to("here:WEBVTT"))
        }
        let told: [StreamDetours.Finding] = [1, 7].map { .skipped("http://a/x/s\($0).ts", status: 404) }
        #expect(course.findings == told)
    }

    @Test func aPlaylistOfTextsThatNobodyHasIsEmpty() {
        let course = Course(Web(["http://a/x/v.m3u8": Self.list(9)]).detours(Self.texts))
        #expect(course.route(Self.part("v.m3u8")) == .asItIs)
        #expect(course.refuse(Self.part("t.m3u8"), 404, times: 1) == .to("here:#EXTM3U"))
        #expect(course.route(Self.part("t.m3u8")) == .to("here:#EXTM3U"))
        #expect(course.findings == [.skipped("http://a/x/t.m3u8", status: 404)])
        #expect(course.refuse(Self.part("v.m3u8"), 404, times: 3) == .asItIs)
        // The demuxer soon gives up what a server cannot give.
        let failing = Course(Web(["http://a/x/v.m3u8": Self.list(9)]).detours(Self.texts))
        #expect(failing.refuse(Self.part("t.m3u8"), 503, times: 3) == .to("here:#EXTM3U"))
    }

    @Test(arguments: [true, false])
    func aFileOfTextsOfADASHStreamIsLookedAtFirst(isThere: Bool) {
        let set = "<AdaptationSet mimeType=\"text/vtt\"><Representation><BaseURL>t.vtt</BaseURL></Representation>"
        let manifest = "<MPD><Period>\(set)</AdaptationSet></Period></MPD>"
        let web = Web(isThere ? ["http://a/x/t.vtt": "WEBVTT"] : [:])
        let course = Course(web.detours(manifest, at: "http://a/x/m.mpd"))
        for _ in 0..<2 {
            #expect(course.route(Self.part("t.vtt")) == (isThere ? .asItIs : .to("here:WEBVTT")))
            if !isThere { break }
        }
        #expect(web.looks == 1)
        #expect(course.findings.count == (isThere ? 0 : 2))
        #expect(isThere || course.findings.last == .skipped("http://a/x/t.vtt", status: 404))
    }

    // MARK: DASH

    private static func dash(_ type: String) -> String {
        let template =
            "<SegmentTemplate duration=\"1\" initialization=\"$RepresentationID$.mp4\" media=\"$RepresentationID$-$Number$.m4s\"/>"
        return "<MPD type=\"\(type)\"\(type == "static" ? " mediaPresentationDuration=\"PT9S\"" : "")><Period>"
            + ["v", "a"].map { "<AdaptationSet>\(template)<Representation id=\"\($0)\"/></AdaptationSet>" }.joined()
            + "</Period></MPD>"
    }

    private func dash(_ documents: [String: String] = [:], type: String = "static") -> Course {
        Course(Web(documents).detours(Self.dash(type), at: "http://a/x/m.mpd"))
    }

    @Test(arguments: [(404, 1), (410, 1), (503, 5)])
    func aPartOfADASHStreamIsLeftOutToo(status: Int, times: Int) {
        let course = dash()
        #expect(course.refuse(Self.part("v-3.m4s"), status, times: times) == .to("here:nothing"))
        #expect(course.findings == [.skipped("http://a/x/v-3.m4s", status: status)])
        // What is no segment, and what is forbidden.
        #expect(course.refuse(Self.part("v.mp4"), status, times: times) == .asItIs)
        #expect(course.refuse(Self.part("v-5.m4s"), 403, times: 6) == .asItIs)
    }

    @Test func ofADASHStreamNoMoreThanThreeInARowAreLeftOutOfPictureOrSound() {
        let course = dash()
        for index in 1...3 {
            for form in ["v", "a"] {
                #expect(course.refuse(Self.part("\(form)-\(index).m4s"), 404, times: 1) == .to("here:nothing"))
            }
        }
        #expect(course.refuse(Self.part("v-4.m4s"), 404, times: 4) == .asItIs)
        #expect(course.findings.count == 6)
    }

    @Test func theLastPartOfADASHStreamIsToldThoughNobodyAsksForItAgain() {
        let course = dash()
        let last = Self.part("v-9.m4s")
        for _ in 0..<2 {
            course.detours.finished(last, status: 404, succeeded: false) { course.findings.append($0) }
        }
        #expect(course.findings == [.skipped("http://a/x/v-9.m4s", status: 404)])
        course.detours.finished(Self.part("v-8.m4s"), status: 404, succeeded: false) { course.findings.append($0) }
        #expect(course.findings.count == 1)
    }

    @Test func whatIsNotThereYetOfALiveDASHStreamIsNotLeftOut() {
        let edge = dash(type: "dynamic")
        #expect(edge.refuse(Self.part("v-70.m4s"), 404, times: 6) == .asItIs)
        #expect(edge.findings.isEmpty)
        let missing = dash(["http://a/x/v-71.m4s": "media"], type: "dynamic")
        #expect(missing.refuse(Self.part("v-70.m4s"), 404, times: 3) == .to("here:nothing"))
        #expect(missing.findings == [.skipped("http://a/x/v-70.m4s", status: 404)])
    }
}
