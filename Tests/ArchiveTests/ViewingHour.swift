import Tally
import TextEncoding

/// An hour in front of a player: a sample every 250 ms, quality every 10 s, a stall with a change of the rendition every
/// 5 min, a seek every 10 min.
struct ViewingHour {
    /// Whether each segment of 4 s is an event too.
    var requests = false

    private static let samples = 14_400

    /// Plays the hour on a virtual clock.
    func record(to path: String) throws {
        let clock = VirtualClock()
        let player = ReportingPlayer()
        let telemetry = try Telemetry()
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: path,
            environment: RunEnvironment(
                description: RunDescription(id: "k3v9x0q2m7ab", epoch: 1_700_000_000_000_000),
                clock: clock,
                pumped: true
            )
        )
        var viewing = Viewing(player: player, run: run, clock: clock)
        viewing.begin()
        for sample in 1..<Self.samples {
            viewing.sample()
            if sample % 16 == 0, requests { viewing.segment(sample / 16) }
            if sample % 40 == 0 { viewing.quality() }
            if sample % 1200 == 0 { viewing.stall() }
            if sample % 2400 == 0 { viewing.seek() }
        }
        viewing.end()
    }

    private struct Viewing {
        let player: ReportingPlayer
        let run: PlayerRun
        let clock: VirtualClock
        private var random = SplitMix64(seed: 3600)

        init(player: ReportingPlayer, run: PlayerRun, clock: VirtualClock) {
            self.player = player
            self.run = run
            self.clock = clock
        }

        private mutating func after(_ wait: Int64, _ call: (PlayerRun) -> TrackResult) {
            clock.advance(to: clock.now() + wait)
            run.pump()
            player.update(to: clock.now())
            _ = call(run)
            run.pump()
        }

        private mutating func upTo(_ limit: Int64) -> Int64 {
            Int64(random.next() % UInt64(limit))
        }

        mutating func begin() {
            after(200_000) { $0.trackPlayerReady() }
            after(1_000) { $0.trackVideoLoad() }
            after(1_000) { $0.trackPlay() }
            after(800_000) { $0.trackFirstFrame() }
            player.change { $0.moving = true }
        }

        mutating func sample() {
            // A player's timers are late by some.
            after(247_000 + upTo(6_000)) { $0.trackPlayhead() }
        }

        mutating func quality() {
            let dropped = upTo(4)
            let throughput = 3_000_000 + upTo(9_000_000)
            player.change { model in
                model.droppedFrames += dropped
                model.renderedFrames += 250
                model.throughput = throughput
            }
            after(500) { $0.trackQoSUpdateInfo() }
        }

        mutating func segment(_ number: Int) {
            var request = NetworkRequest()
            request.url = "https://media.example/asset/720p/segment-\(number).ts"
            request.host = "media.example"
            request.type = "video"
            request.status = 200
            request.bytes = 1_400_000 + upTo(300_000)
            request.duration = Double(200 + upTo(900)) / 1000
            request.firstByte = Double(20 + upTo(90)) / 1000
            after(300) { $0.trackRequestCompleted(request) }
        }

        mutating func stall() {
            player.change { $0.moving = false }
            after(20_000) { $0.trackBufferStart(.stall) }
            after(upTo(3_000_000)) { $0.trackBufferComplete() }
            var rendition = Rendition()
            rendition.name = "720p"
            rendition.bitrate = [800_000, 1_600_000, 3_000_000][Int(upTo(3))]
            rendition.width = 1280
            rendition.height = 720
            rendition.shift = .down
            rendition.framesPerSecond = 25
            player.change { model in
                model.moving = true
                model.bitrate = rendition.bitrate ?? 0
            }
            for phase in [Rendition.Phase.decided, .visible] {
                rendition.phase = phase
                let rendition = rendition
                after(4_000) { $0.trackRenditionChange(rendition) }
            }
        }

        mutating func seek() {
            let target = upTo(3_000)
            player.change { $0.moving = false }
            after(5_000) { $0.trackSeekStart(to: Double(target)) }
            player.change { $0.position = target * 1000 }
            after(400_000) { $0.trackSeekComplete() }
            player.change { $0.moving = true }
        }

        mutating func end() {
            after(1_000) { $0.trackComplete() }
            after(1_000) { $0.trackVideoUnload() }
            run.destroy()
        }
    }
}
