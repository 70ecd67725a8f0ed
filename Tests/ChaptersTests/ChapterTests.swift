internal import Chapters
internal import Testing

/// Chapters without an engine.
struct ChapterTests {
    private static let file = """
        WEBVTT - chapters

        NOTE made by hand

        1
        00:00:00.000 --> 00:00:10.000
        The <i>beginning</i> &amp; more

        STYLE
        ::cue { color: red }

        00:10.000 --> 00:25.500 align:start
        The middle
        of it

        01:00:30.000 --> 01:00:40.000
        """

    @Test("A WebVTT file's cues are chapters, with plain titles")
    func webVTT() throws {
        let list = try WebVTTChapters.chapters(in: Self.file)
        #expect(
            list.chapters == [
                Chapter(startMs: 0, endMs: 10_000, title: "The beginning & more"),
                Chapter(startMs: 10_000, endMs: 25_500, title: "The middle of it"),
                Chapter(startMs: 3_630_000, endMs: 3_640_000, title: ""),
            ]
        )
        #expect(try WebVTTChapters.chapters(in: Self.file.replacing("\n", with: "\r\n")) == list)
        #expect(try WebVTTChapters.chapters(in: "\u{FEFF}" + Self.file) == list)
    }

    @Test("A file that is none says why")
    func wrongFiles() {
        #expect(throws: WebVTTChapters.Failure.notWebVTT) { try WebVTTChapters.chapters(in: "1\n00:00 --> 00:01\n") }
        #expect(throws: WebVTTChapters.Failure.notWebVTT) { try WebVTTChapters.chapters(in: "") }
        #expect(throws: WebVTTChapters.Failure.noChapters) { try WebVTTChapters.chapters(in: "WEBVTT\n\nNOTE x\n") }
        for times in ["0 --> 00:10.000", "00:20.000 --> 00:10.000", "00:61.000 --> 01:10.000", "00:01.000 -->"] {
            #expect(throws: WebVTTChapters.Failure.badTimes(line: 4)) {
                try WebVTTChapters.chapters(in: "WEBVTT\n\nid\n\(times)\ntitle")
            }
        }
    }

    @Test("Chapters are put in order, and overlapping ones end where the next begins")
    func order() {
        let list = ChapterList([
            Chapter(startMs: 5000, endMs: nil, title: "c"), Chapter(startMs: 0, endMs: 3000, title: "a"),
            Chapter(startMs: 2000, endMs: nil, title: "b"), Chapter(startMs: 2000, endMs: 9000, title: "again"),
            Chapter(startMs: 7000, endMs: 7000, title: "empty"),
        ])
        #expect(list.chapters.map(\.title) == ["a", "b", "c"])
        #expect(list.chapters.map(\.endMs) == [2000, 5000, nil])
        #expect(list.index(atMs: 1999) == 0)
        #expect(list.index(atMs: 2000) == 1)
        #expect(list.index(atMs: 90_000) == 2)
    }

    @Test("A chapter begins and is complete as the playhead crosses, and is skipped by a seek out of it")
    func course() {
        var course = ChapterCourse(
            ChapterList([
                Chapter(startMs: 1000, endMs: 2000, title: "a"), Chapter(startMs: 2000, endMs: 3000, title: "b"),
                Chapter(startMs: 4000, endMs: nil, title: "c"),
            ])
        )
        #expect(course.moved(toMs: 0) == [])
        #expect(course.moved(toMs: 1000) == [.start(0)])
        #expect(course.moved(toMs: 1500) == [])
        #expect(course.jumped(toMs: 1100) == [])
        #expect(course.moved(toMs: 2010) == [.complete(0), .start(1)])
        #expect(course.jumped(toMs: 4500) == [.skip(1)])
        #expect(course.moved(toMs: 4500) == [.start(2)])
        #expect(course.jumped(toMs: 3500) == [.skip(2)])
        #expect(course.moved(toMs: 3500) == [])
        #expect(course.moved(toMs: 4000) == [.start(2)])
        #expect(course.ended() == [.complete(2)])
        #expect(course.ended() == [])
    }
}
