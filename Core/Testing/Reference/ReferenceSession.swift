internal import Tally

/// Plays one session of the reference archive on a virtual clock, until it is over or no more events are wanted.
struct ReferenceSession {
    /// Time between two samples, us.
    private static let tick: Int64 = 250_000

    private let run: PlayerRun
    private let clock: VirtualClock
    private let player: ReferencePlayer
    private var random: ReferenceRandom
    private var time: Int64 = 0
    private var nextQuality: Int64 = 0
    private var newRendition: (due: Int64, rendition: ReferenceRendition, shift: Rendition.Shift)?
    /// Events that may still be made.
    private(set) var remaining: Int

    init(run: PlayerRun, clock: VirtualClock, player: ReferencePlayer, random: ReferenceRandom, remaining: Int) {
        self.run = run
        self.clock = clock
        self.player = player
        self.random = random
        self.remaining = remaining
    }

    /// Plays it.
    ///
    /// - Parameters:
    ///   - length: how much of the main content is watched, us.
    ///   - ads: how many ads are shown: at most two before the main content, the others in its midst.
    mutating func play(length: Int64, ads: Int) {
        act { $0.trackPlayerReady() }
        act(after: random.between(20, 200)) { $0.trackVideoLoad() }
        act(after: random.between(1, 50)) { $0.trackPlay() }
        let before = min(ads, random.below(3))
        if before > 0 {
            playBreak("pre", ads: before)
        }
        act { $0.trackBufferStart(.initial) }
        let startup = random.between(200, 2_000)
        player.startup = startup / 1000
        act(after: startup) { $0.trackBufferComplete() }
        act { $0.trackFirstFrame() }
        playContent(length, middle: ads - before)
        if player.isLive || !random.once(in: 2.5) {
            act { $0.trackPause() }
        } else {
            act { $0.trackComplete() }
        }
        act(after: random.between(10, 3_000)) { $0.trackVideoUnload() }
    }

    // MARK: - Parts of a session

    private mutating func playContent(_ length: Int64, middle ads: Int) {
        let breakAt = ads > 0 ? Int64(Double(length) * random.between(0.3, 0.7)) : .max
        var played: Int64 = 0
        var breakIsDue = ads > 0
        nextQuality = time + 10_000_000
        while played < length, remaining > 0 {
            wait(Double(Self.tick) / 1000)
            played += Self.tick
            advance(Self.tick)
            act { $0.trackPlayhead() }
            if breakIsDue, played >= breakAt {
                breakIsDue = false
                playBreak("mid", ads: ads)
            }
            disturb()
            watchQuality()
        }
    }

    /// What interrupts playback now and then: stalls every 4 minutes, seeks every 5, pauses every 8.
    private mutating func disturb() {
        if random.once(in: 960) {
            act { $0.trackBufferStart(.stall) }
            player.buffered = 0
            act(after: random.between(300, 6_000)) { $0.trackBufferComplete() }
        }
        if !player.isLive, random.once(in: 1_200) {
            let from = Double(player.playhead) / 1e6
            let to = min(Double(player.duration) / 1000 - 5, max(0, from + random.between(-60, 120)))
            act { $0.trackSeekStart(from: from, to: to) }
            player.playhead = Int64(to * 1000) * 1000
            act(after: random.between(50, 900)) { $0.trackSeekComplete() }
        }
        if random.once(in: 1_920) {
            act { $0.trackPause() }
            act(after: random.between(1_000, 90_000)) { $0.trackPlay() }
        }
    }

    /// Quality samples every 10 s, a new rendition every 90 s: decided first, visible 4 s later.
    private mutating func watchQuality() {
        if time >= nextQuality {
            nextQuality += 10_000_000
            player.throughput = Int64(random.between(2e6, 2e7))
            player.buffered = random.between(4, 30)
            act { $0.trackQoSUpdateInfo() }
        }
        if let new = newRendition, time >= new.due {
            newRendition = nil
            player.rendition = new.rendition
            change(to: new.rendition, .visible, new.shift)
        } else if newRendition == nil, random.once(in: 360) {
            let rendition = ReferenceRendition.ladder[random.below(ReferenceRendition.ladder.count)]
            guard rendition.bitrate != player.rendition.bitrate else { return }
            let shift: Rendition.Shift = rendition.bitrate > player.rendition.bitrate ? .up : .down
            newRendition = (time + 4_000_000, rendition, shift)
            change(to: rendition, .decided, shift)
        }
    }

    private mutating func change(
        to rendition: ReferenceRendition,
        _ phase: Rendition.Phase,
        _ shift: Rendition.Shift
    ) {
        var info = Rendition()
        info.phase = phase
        info.shift = shift
        info.name = rendition.name
        info.bitrate = rendition.bitrate
        info.width = Int64(rendition.width)
        info.height = Int64(rendition.height)
        info.framesPerSecond = rendition.framesPerSecond
        act { $0.trackRenditionChange(info) }
    }

    private mutating func playBreak(_ type: String, ads: Int) {
        player.breakType = type
        for number in 1...ads where remaining > 0 {
            let length: Int64 = random.once(in: 2) ? 15_000 : 30_000
            player.ad = (number, length, 0)
            if number == 1 {
                act { $0.trackAdBreakStart() }
            }
            playAd(length)
        }
        player.ad = nil
        act { $0.trackAdBreakComplete() }
    }

    /// One ad in eight is skipped after 5 s.
    private mutating func playAd(_ length: Int64) {
        act { $0.trackAdStart() }
        let isSkipped = random.once(in: 8)
        var quartiles: [AdQuartile] = [.third, .second, .first]
        var shown: Int64 = 0
        while shown < length, remaining > 0 {
            wait(Double(Self.tick) / 1000)
            shown += Self.tick / 1000
            player.ad?.playhead = shown
            act { $0.trackPlayhead() }
            if let quartile = quartiles.last, shown >= length * quartile.rawValue / 4 {
                quartiles.removeLast()
                act { $0.trackAdQuartile(quartile) }
            }
            if isSkipped, shown >= 5_000 {
                act { $0.trackAdSkip() }
                return
            }
        }
        act { $0.trackAdComplete() }
    }

    // MARK: - Time

    private mutating func advance(_ microseconds: Int64) {
        player.playhead += microseconds
        player.renderedFrames += Int64(player.rendition.framesPerSecond / 4)
        if random.once(in: 40) {
            player.droppedFrames += Int64(1 + random.below(4))
        }
    }

    private mutating func wait(_ milliseconds: Double) {
        time += Int64(milliseconds * 1000)
    }

    /// Makes one event, up to 3 ms late as players are.
    private mutating func act(after milliseconds: Double = 0, _ call: (PlayerRun) -> Void) {
        wait(milliseconds)
        guard remaining > 0 else { return }
        clock.advance(to: time + Int64(random.between(100, 3_000)))
        player.time = clock.now()
        call(run)
        run.pump()
        remaining -= 1
    }
}
