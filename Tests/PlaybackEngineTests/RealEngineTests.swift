import Testing

/// All tests that play real media; one after another, because they count descriptors and share two cores.
@Suite(.serialized)
struct RealEngineTests {
    @Test func theMediaForTheseTestsIsThere() {
        #expect(TestMedia.shared.madeAll, "ffmpeg with libx264 and aac is needed")
    }
}
