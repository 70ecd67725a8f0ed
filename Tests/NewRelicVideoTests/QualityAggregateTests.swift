import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// Generation B's figures of a view.
@Suite struct QualityAggregateTests {
    @Test(
        "V23: the startup time is without the ads before it, and not below 0",
        arguments: [
            (5000, 0, 5000), (8000, 3000, 5000), (2000, 2500, 0),
        ]
    )
    func startup(request: Int64, ads: Int64, expected: Int64) {
        var aggregate = QualityAggregate(.ios)
        aggregate.request(at: 100)
        aggregate.adEnded(after: ads)
        aggregate.start(at: 100 + request)
        aggregate.adEnded(after: 900)
        #expect(aggregate.figures(at: 0, playtime: 0).startupTime == expected)
    }

    @Test("V24, V28: the highest bitrate, and the mean of download rates rounded half up")
    func rates() {
        let figures = sampled(
            bitrates: [2_000_000, 4_000_000, 3_000_000, 0],
            rates: [2_000_000, 4_000_000, 6_000_000]
        )
        #expect(figures.peakBitrate == 4_000_000)
        #expect(figures.averageBitrate == 3_000_000)
        #expect(figures.averageDownloadRate == 4_000_000)
        #expect(figures.lowestDownloadRate == 2_000_000)
        #expect(figures.highestDownloadRate == 6_000_000)
        #expect(
            sampled(bitrates: [], rates: [1_000_000, 1_000_000, 0, -5, 1_000_001]).averageDownloadRate == 1_000_001
        )
        #expect(sampled(bitrates: [], rates: []).averageDownloadRate == nil)
    }

    @Test("V26: the first wait for data does not count, the others do in percent of the time played")
    func rebuffering() {
        var aggregate = begun()
        for (start, end) in [(0, 5000), (6000, 7500), (8000, 8500)] as [(Int64, Int64)] {
            aggregate.bufferStart(at: start)
            aggregate.bufferEnd(at: end)
        }
        let figures = aggregate.figures(at: 9000, playtime: 10_000)
        #expect(figures.totalRebufferingTime == 2000)
        #expect(figures.rebufferingRatio == 20)
        #expect(aggregate.figures(at: 9000, playtime: 0).rebufferingRatio == 0)
    }

    @Test("V29: changes up and down")
    func switches() {
        var aggregate = begun()
        for shift: RenditionShift in [.up, .down, .down, .up, .up] { aggregate.change(shift) }
        aggregate.change(nil)
        let figures = aggregate.figures(at: 0, playtime: 0)
        #expect(figures.switchesUp == 3)
        #expect(figures.switchesDown == 2)
    }

    @Test("pauses count with the one that is open, but for those for ads; sizes of the picture once")
    func pausesAndSizes() {
        var aggregate = begun()
        aggregate.pause(at: 0, isForAds: false)
        aggregate.resume(at: 300)
        aggregate.pause(at: 400, isForAds: true)
        aggregate.resume(at: 900)
        aggregate.pause(at: 1000, isForAds: false)
        for size in [(640, 360), (0, 0), (1280, 0), (0, 720), (1280, 720), (640, 360)] as [(Int64, Int64)] {
            aggregate.sample(played: 0, bitrate: nil, downloadRate: nil, size: size)
        }
        let figures = aggregate.figures(at: 1250, playtime: 0)
        #expect(figures.totalPauseTime == 550)
        #expect(figures.renditions == 2)
    }

    @Test("errors before and after the start")
    func errors() {
        var aggregate = QualityAggregate(.ios)
        aggregate.request(at: 0)
        aggregate.error()
        #expect(aggregate.figures(at: 0, playtime: 0).hadStartupError)
        #expect(!aggregate.figures(at: 0, playtime: 0).hadPlaybackError)
        aggregate.start(at: 1)
        aggregate.error()
        #expect(aggregate.figures(at: 0, playtime: 0).hadPlaybackError)
    }

    @Test(
        "they come at the first and at every second cycle after it if something has changed, and at the end",
        arguments: [
            (#"{"generation":"B"}"#, 3), (#"{"generation":"B","qoeAggregateHarvests":1}"#, 4),
            (#"{"generation":"B","qoeAggregateHarvests":0}"#, 1), ("{}", 0),
        ]
    )
    func cycles(configuration: String, expected: Int) {
        let host = NewRelic.host(configuration: configuration)
        host.beginSession()
        host.player.throughput = 5_000_000
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        host.wait(milliseconds: 400_000)
        host.send(.pause)
        host.wait(milliseconds: 500_000)
        host.send(.videoUnload)
        let aggregates = host.events.filter { $0.action == "QOE_AGGREGATE" }
        #expect(aggregates.count == expected)
        for aggregate in aggregates {
            #expect(aggregate["avgDownloadRate"] == .int(5_000_000))
            #expect(aggregate["qoeAggregateVersion"] == .string("1.1.0"))
        }
    }

    @Test("figures that have not changed are told again at the end alone")
    func unchanged() {
        var aggregate = begun()
        #expect(aggregate.news(at: 0, playtime: 5) != nil)
        #expect(aggregate.news(at: 900, playtime: 5) == nil)
        #expect(aggregate.news(at: 900, playtime: 6) != nil)
        #expect(aggregate.news(at: 900, playtime: 6, isFinal: true) != nil)
    }

    @Test("a sleep of the machine is neither a pause nor a wait, nor part of the startup")
    func sleep() {
        var aggregate = QualityAggregate(.ios)
        aggregate.request(at: 100)
        aggregate.skip(60_000)
        aggregate.start(at: 60_900)
        aggregate.bufferStart(at: 61_000)
        aggregate.bufferEnd(at: 61_100)
        aggregate.bufferStart(at: 62_000)
        aggregate.skip(60_000)
        aggregate.bufferEnd(at: 122_250)
        aggregate.pause(at: 130_000, isForAds: false)
        aggregate.skip(60_000)
        #expect(aggregate.figures(at: 189_000, playtime: 0).totalPauseTime == 0)
        #expect(aggregate.figures(at: 190_300, playtime: 0).totalPauseTime == 300)
        aggregate.resume(at: 190_400)
        let figures = aggregate.figures(at: 200_000, playtime: 0)
        #expect(figures.startupTime == 800)
        #expect(figures.totalRebufferingTime == 250)
        #expect(figures.totalPauseTime == 400)
    }

    @Test(
        "before the start, what only playback can show is absent for iOS and 0 for Android",
        arguments: Platform.allCases
    )
    func beforeStart(platform: Platform) {
        var aggregate = QualityAggregate(platform)
        aggregate.request(at: 0)
        let expected: EventValue? = platform == .android ? .int(0) : nil
        for attribute: StandardAttribute in [.startupTime, .hadStartupError, .hadPlaybackError, .totalPauseTime] {
            let value = aggregate.figures(at: 0, playtime: 0).value(of: attribute)
            #expect(value?.plain == expected?.plain, "\(attribute)")
        }
        aggregate.error()
        #expect(aggregate.figures(at: 0, playtime: 0).value(of: .hadStartupError)?.plain == .int(1))
    }

    private func begun() -> QualityAggregate {
        var aggregate = QualityAggregate(.ios)
        aggregate.request(at: 0)
        aggregate.start(at: 0)
        return aggregate
    }

    private func sampled(bitrates: [Int64], rates: [Int64]) -> QualityFigures {
        var aggregate = begun()
        for bitrate in bitrates { aggregate.sample(played: 0, bitrate: bitrate, downloadRate: nil, size: nil) }
        for rate in rates { aggregate.sample(played: 0, bitrate: nil, downloadRate: rate, size: nil) }
        if bitrates.last != nil { aggregate.sample(played: 500, bitrate: nil, downloadRate: nil, size: nil) }
        return aggregate.figures(at: 0, playtime: 0)
    }
}
