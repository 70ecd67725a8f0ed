import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// Random sequences of senders: the state machine's table after each step, and what holds for every event.
@Suite struct SenderSequenceTests {
    /// Sequences of each of the 20 cases: 10,000 together, in debug builds 1,000.
    #if DEBUG
    private static let sequences: UInt64 = 50
    #else
    private static let sequences: UInt64 = 500
    #endif
    private static let steps = 20

    @Test("random sequences of senders", arguments: 0..<20 as Range<UInt64>)
    func sequences(group: UInt64) {
        for seed in group * Self.sequences..<(group + 1) * Self.sequences {
            run(seed)
        }
    }

    private func run(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let generation = seed % 4 == 0 ? "B" : "A"
        guard let configuration = try? TrackerConfiguration(reading: ["generation": .string(generation)]) else {
            return
        }
        let collector = EventCollector()
        let content = collector.makeTracker(configuration)
        let ad = collector.makeTracker(configuration, isAd: true)
        if seed % 3 != 0 {
            content.linked = ad
            ad.linked = content
        }
        var models = [StateModel(isAd: false), StateModel(isAd: true)]
        let begin = collector.time
        for step in 0..<Self.steps {
            collector.time += Int64(random.next() % 3_000_000)
            collector.player.playheadMilliseconds = random.next() % 4 == 0 ? nil : Int64(random.next() % 60_000)
            let which = Int(random.next() % 2)
            let sender = VideoSender.allCases[Int(random.next() % UInt64(VideoSender.allCases.count))]
            let before = collector.events.count
            var expected = 0
            if which == 1, sender == .start, ad.linked != nil, models[1].canStart, models[0].apply(.pause) {
                expected += 1
            }
            let ends = sender == .end && models[0].isRequested
            expected += models[which].apply(sender) ? 1 : 0
            if generation == "B", which == 0, ends { expected += 1 }
            (which == 0 ? content : ad).send(sender, at: collector.moment)
            let place = Comment(rawValue: "seed \(seed), step \(step), \(sender)")
            #expect(collector.events.count - before == expected, place)
            #expect(models[0] == StateModel(content.state), place)
            #expect(models[1] == StateModel(ad.state), place)
        }
        check(collector.events, after: (collector.time - begin) / 1000, seed)
    }

    private func check(_ events: [FakeHost.Record], after wall: Int64, _ seed: UInt64) {
        let place = Comment(rawValue: "seed \(seed)")
        var played: [Bool: Int64] = [:]
        for event in events {
            #expect(Set(event.names).count == event.names.count, place)
            for attribute in event.attributes {
                let (name, value) = (attribute.name, attribute.value)
                #expect(Self.isOfItsType(name, value), "seed \(seed): \(name) is \(value)")
            }
            if case .int(let since)? = event["playtimeSinceLastEvent"] {
                #expect(since >= 0, place)
                played[event["isAd"] == .int(1), default: 0] += since
            }
            if case .int(let total)? = event["totalPlaytime"] { #expect((0...wall).contains(total), place) }
        }
        #expect(played.values.allSatisfy { $0 <= wall }, place)
    }

    private static func isOfItsType(_ name: String, _ value: PlainValue) -> Bool {
        switch value {
        case .string: texts.contains(name)
        case .int: !texts.contains(name) && !fractions.contains(name)
        case .double: fractions.contains(name)
        default: false
        }
    }

    private static let fractions: Set<String> = [
        "contentPlayrate", "adPlayrate", "contentFps", "adFps", "rebufferingRatio",
    ]

    private static let texts: Set<String> = [
        "eventType", "actionName", "trackerName", "trackerVersion", "coreVersion", "instrumentation.provider",
        "instrumentation.name", "instrumentation.version", "src", "agentSession", "viewSession", "viewId", "contentId",
        "adId", "adBreakId", "adPosition", "bufferType", "qoeAggregateVersion",
    ]
}

/// The table of the state machine, written down once more.
private struct StateModel: Equatable {
    var isAd = false
    var isPlayerReady = false
    var isRequested = false
    var isStarted = false
    var isPlaying = false
    var isPaused = false
    var isSeeking = false
    var isBuffering = false
    var isAdBreak = false

    init(isAd: Bool) {
        self.isAd = isAd
    }

    init(_ state: TrackerState) {
        isAd = state.isAd
        isPlayerReady = state.isPlayerReady
        isRequested = state.isRequested
        isStarted = state.isStarted
        isPlaying = state.isPlaying
        isPaused = state.isPaused
        isSeeking = state.isSeeking
        isBuffering = state.isBuffering
        isAdBreak = state.isAdBreak
    }

    var canStart: Bool { isRequested && !isStarted }

    /// Makes a step, if it is legal; answers whether it is.
    mutating func apply(_ sender: VideoSender) -> Bool {
        switch sender {
        case .playerReady: step(true) { $0.isPlayerReady = true }
        case .request: step(!isRequested) { $0.isRequested = true }
        case .start: step(canStart) { ($0.isStarted, $0.isPlaying) = (true, true) }
        case .end:
            step(isRequested) { state in
                let old = state
                state = StateModel(isAd: old.isAd)
                (state.isPlayerReady, state.isAdBreak) = (old.isPlayerReady, old.isAdBreak)
            }
        case .pause: step(isStarted && !isPaused) { ($0.isPaused, $0.isPlaying) = (true, false) }
        case .resume: step(isStarted && isPaused) { ($0.isPaused, $0.isPlaying) = (false, true) }
        case .seekStart: step(isStarted && !isSeeking) { ($0.isSeeking, $0.isPlaying) = (true, false) }
        case .seekEnd: step(isStarted && isSeeking) { ($0.isSeeking, $0.isPlaying) = (false, true) }
        case .bufferStart: step(isRequested && !isBuffering) { ($0.isBuffering, $0.isPlaying) = (true, false) }
        case .bufferEnd: step(isRequested && isBuffering) { ($0.isBuffering, $0.isPlaying) = (false, true) }
        case .heartbeat, .renditionChange, .error: true
        case .adBreakStart: step(isAd && !isAdBreak) { $0.isAdBreak = true }
        case .adBreakEnd: step(isAd && isAdBreak) { ($0.isAdBreak, $0.isRequested) = (false, false) }
        case .adQuartile, .adClick: isAd
        }
    }

    private mutating func step(_ isLegal: Bool, _ change: (inout StateModel) -> Void) -> Bool {
        if isLegal { change(&self) }
        return isLegal
    }
}
