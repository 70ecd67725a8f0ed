import Tally

/// A player that says everything that a delegate can say.
final class TalkativePlayer: PlayerDelegate {
    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        info.playerName("p")
        info.playerVersion("1")
        info.id("i")
        info.name("n")
        info.url("u")
        info.length(seconds: 60)
        info.streamType(.vod)
        info.language("en")
        info.mimeType("video/mp4")
        info.videoCodec("avc1")
        info.audioCodec("mp4a")
        info.subtitleLanguage("de")
        info.cdn("c")
        info.autoplay(true)
        info.applicationName("a")
        info.applicationVersion("2")
        info.userID("u")
        info.playerLanguage("en")
    }

    func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {
        info.playerName("p")
        info.id("i")
        info.name("n")
        info.position(1)
        info.startTime(seconds: 0)
        info.type("pre")
    }

    func adInfo(_ info: borrowing AdInfoEncoder) {
        info.id("i")
        info.name("n")
        info.length(seconds: 15)
        info.position(1)
        info.cpm("1")
        info.url("u")
        info.language("en")
        info.creativeID("c")
        info.universalID("u")
        info.partner("p")
        info.tagURL("t")
        info.clickURL("c")
        info.skipAfter(seconds: 5)
    }

    func chapterInfo(_ info: borrowing ChapterInfoEncoder) {
        info.name("n")
        info.length(seconds: 60)
        info.position(1)
        info.startTime(seconds: 0)
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        info.bitrate(1)
        info.framesPerSecond(25)
        info.bufferLength(seconds: 10)
        info.startupTime(seconds: 0.5)
        info.firstPictureTime(seconds: 0.25)
        info.liveEdge(milliseconds: 1_600_000_000_000)
    }

    func playerState(_ state: borrowing PlayerStateEncoder) {
        state.playhead(milliseconds: 1)
    }
}
