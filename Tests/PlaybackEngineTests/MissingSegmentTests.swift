import PlaybackEngine
import Testing

/// What a player is told of segments that are left out, and where its playhead goes.
struct MissingSegmentTests {
    private static var stream: EngineMedia {
        var media = EngineMedia.file
        media.isAdaptive = true
        return media
    }

    private func missing(_ driver: inout StateDriver) -> EngineError? {
        driver.send(.partSkipped(url: "http://a/s4.ts", status: 404))
        guard case .damaged(let error) = driver.takeEvents().last else { return nil }
        return error
    }

    @Test func aSegmentThatIsLeftOutIsNamedAndEndsNothing() throws {
        var driver = StateDriver.playing(Self.stream)
        let told = missing(&driver)
        let error = try #require(told)
        #expect(error.code == .segmentMissing && error.httpStatus == 404)
        #expect(error.detail == "http://a/s4.ts is answered with status 404")
        driver.send(.partSkipped(url: "http://a/s5.ts", status: nil))
        guard case .damaged(let gap) = driver.takeEvents().last else {
            Issue.record("a gap must be told")
            return
        }
        #expect(gap.detail == "http://a/s5.ts is marked as a gap")
    }

    private func poll(_ positionMs: Int64, hole: Range<Int64>?) -> EngineSignal {
        var poll = EnginePoll.at(positionMs)
        poll.hole = hole
        return .poll(poll)
    }

    @Test func thePlayheadJumpsOverTheHoleThatItHasComeTo() {
        var driver = StateDriver.playing(Self.stream)
        _ = missing(&driver)
        driver.advance(ms: 500)
        driver.send(poll(500, hole: 1000..<3000))
        #expect(driver.removeActions().isEmpty)
        driver.advance(ms: 480)
        driver.send(poll(980, hole: 1000..<3000))
        #expect(driver.removeActions() == [.passHole(toMs: 3000, rate: 1)])
        _ = driver.takeSamples()
        driver.send(.holePassed(toMs: 3000, isPassed: true))
        driver.advance(ms: 20)
        driver.send(poll(3020, hole: nil))
        #expect(driver.takeSamples() == [3020])
        #expect(driver.removeActions().isEmpty)
    }

    @Test func aHoleOfAStreamThatLacksNothingIsPlayedAsItIs() {
        var driver = StateDriver.playing(Self.stream)
        driver.advance(ms: 980)
        driver.send(poll(980, hole: 1000..<3000))
        #expect(driver.removeActions().isEmpty)
    }

    @Test func aStreamWhoseEndNobodyHasIsNotComplete() throws {
        for isKnown in [true, false] {
            var driver = StateDriver.playing(Self.stream)
            var request = EngineRequest(url: "http://a/s9.ts", status: 404)
            request.isOfDemuxer = true
            if isKnown { driver.send(.transfer(request)) } else { _ = missing(&driver) }
            driver.advance(ms: 18_000)
            driver.poll(18_000)
            driver.send(.endOfStream(mediaEndMs: 18_000))
            guard case .failed(let error) = driver.takeEvents().last else {
                Issue.record("a stream without its end must fail")
                return
            }
            #expect(error.code == .notFound && error.httpStatus == 404)
            #expect(error.detail.contains("it ended at 18000 of 20000 ms"))
        }
        var whole = StateDriver.playing(Self.stream)
        _ = missing(&whole)
        whole.advance(ms: 19_900)
        whole.poll(19_900)
        whole.send(.endOfStream(mediaEndMs: 19_900))
        #expect(whole.takeEvents().last == .endOfStream(positionMs: 20_000))
    }
}
