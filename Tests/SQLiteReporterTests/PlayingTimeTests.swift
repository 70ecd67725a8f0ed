import Database
import Tally
import TallyTesting
import Testing
import TextEncoding

/// What counts as played where the clock says more than the content can have played.
@Suite("The time that counts as played")
struct PlayingTimeTests {
    /// What a player reports after two hours without a word.
    enum Report: CaseIterable {
        /// It stood meanwhile.
        case stood
        /// It counted on, beyond the content's end.
        case wentOn
        /// It never says where it stands.
        case none
    }

    /// Lets time pass in which the player's place stands still, or goes on.
    private static func wait(_ seconds: Int64, stands: Bool, _ player: SyntheticPlayer, _ clock: VirtualClock) {
        player.update(to: clock.now())
        let before = player.position
        clock.advance(to: clock.now() + seconds * 1_000_000)
        player.update(to: clock.now())
        if stands { player.change { $0.position = before } }
    }

    @Test("Two hours without a sample in a video of a minute", arguments: Report.allCases, [true, false])
    func gap(report: Report, samples: Bool) throws {
        let recording = Recording()
        _ = try recording.bareRun(["playhead_samples": .bool(samples)]).record { player, run, clock in
            player.change {
                $0.length = 60
                $0.tellsPlayhead = report != .none
            }
            let sampled: [(Int64, PlayerAction)] = (1...32).map { ($0 * 250, .sample) }
            perform([(0, .load), (0, .play), (0, .firstFrame)] + sampled, player, run, clock)
            Self.wait(7_200, stands: report == .stood, player, clock)
            perform([(7_208_000, .sample), (7_260_000, .complete), (7_261_000, .unload)], player, run, clock)
        }
        let row = try recording.rows(
            """
            SELECT play_ms, play_wall_ms, rated_ms, average_bitrate_bps, furthest_ms, furthest_estimate_ms
            FROM session_metrics
            """,
            columns: 6
        )
        let furthest =
            switch report {
            case .stood: ["60000", "60000"]
            case .wentOn: ["7260000", "60000"]
            case .none: ["-", "-"]
            }
        #expect(row == [["60000.0", "7260000.0", "60000.0", "3000000.0"] + furthest])
        let minutes = try recording.rows("SELECT minute FROM audience_by_minute", columns: 1)
        #expect(minutes == (report == .none ? [] : [["0"]]))
    }

    @Test("The furthest place is one that was reported; the estimate goes on from it")
    func reported() throws {
        let recording = Recording()
        _ = try recording.bareRun().record { player, run, clock in
            perform([(0, .load), (0, .play), (0, .firstFrame), (8_000, .sample)], player, run, clock)
            // It plays for a minute more, and does not say where.
            player.change { $0.tellsPlayhead = false }
            perform([(8_400, .quality), (68_000, .unload)], player, run, clock)
        }
        #expect(
            try recording.rows(
                "SELECT play_ms, play_wall_ms, furthest_ms, furthest_estimate_ms FROM session_metrics",
                columns: 4
            ) == [["68000.0", "68000.0", "8000", "68000"]]
        )
        #expect(
            try recording.rows("SELECT playhead_ms, reported_playhead_ms FROM events ORDER BY ordinal", columns: 2)
                == [["0", "0"], ["0", "0"], ["0", "0"], ["8000", "8000"], ["8400", "-"], ["8500", "-"]]
        )
    }

    @Test("Content without a length has nothing that ends it")
    func live() throws {
        let recording = Recording()
        _ = try recording.bareRun().record { player, run, clock in
            player.change { $0.length = nil }
            perform([(0, .load), (0, .play), (0, .firstFrame), (8_000, .sample)], player, run, clock)
            Self.wait(100, stands: true, player, clock)
            perform([(108_000, .sample), (110_000, .unload)], player, run, clock)
        }
        #expect(
            try recording.rows("SELECT play_ms, play_wall_ms, furthest_ms FROM session_metrics", columns: 3)
                == [["110000.0", "110000.0", "10000"]]
        )
    }

    private static func action(_ random: inout SplitMix64) -> PlayerAction {
        switch random.next() % 20 {
        case 0: .pause
        case 1...3: .play
        case 4: .bufferStart(random.next() % 2 == 0 ? .stall : .seek)
        case 5...7: .bufferComplete
        case 8: .seekStart(to: Double(random.next() % 60))
        case 9...11: .seekComplete
        case 12: .rate([0.5, 1, 2][Int(random.next() % 3)])
        case 13: .rendition(bitrate: Int64(random.next() % 5_000_000), shift: .up, phase: .visible)
        case 14: .quality
        default: .sample
        }
    }

    @Test("The figures of random sessions are those of a computation of its own", arguments: 1...12)
    func random(number: Int) throws {
        let recording = Recording()
        let seed = UInt64(number)
        _ = try recording.bareRun().record { player, run, clock in
            player.change { $0.length = 60 }
            var random = SplitMix64(seed: seed)
            for step in 0..<400 {
                if step % 80 == 0 {
                    let now = clock.now() / 1000
                    perform([(now, .load), (now, .play), (now + 500, .firstFrame)], player, run, clock)
                }
                clock.advance(to: clock.now() + Int64(random.next() % 4_000_000))
                if random.next() % 30 == 0 {
                    Self.wait([1, 30, 7_200][Int(random.next() % 3)], stands: random.next() % 3 > 0, player, clock)
                }
                run.pump()
                player.perform(Self.action(&random), on: run)
                run.pump()
            }
        }
        let sessions = try MeasuredSession.all(of: recording)
        #expect(sessions.contains { $0.played > 0 })
        let figures = try Database(path: recording.path).prepare(
            """
            SELECT play_ms, play_wall_ms, rebuffer_ms, pause_ms, seek_ms, ad_ms, rated_ms, average_bitrate_bps,
                furthest_ms, furthest_estimate_ms FROM session_metrics ORDER BY session
            """
        ).rows { row in (0..<10).map { row.isNull($0) ? nil : row.double($0) } }
        #expect(figures.count == sessions.count)
        for (figures, session) in zip(figures, sessions) {
            for (place, (found, expected)) in zip(figures, session.figures).enumerated() {
                #expect((found == nil) == (expected == nil), "\(session.session), \(place)")
                if let found, let expected { #expect(abs(found - expected) <= 1, "\(session.session), \(place)") }
            }
        }
        let rebuffered = sessions.reduce(0) { $0 + $1.rebuffered }
        let played = sessions.reduce(0) { $0 + $1.played }
        let ratio = try recording.number("SELECT weighted_rebuffer_ratio FROM metrics")
        #expect(abs(ratio - rebuffered / (rebuffered + played)) < 1e-6)
        let bits = sessions.reduce(0) { $0 + $1.bits } / sessions.reduce(0) { $0 + $1.rated }
        #expect(abs(try recording.number("SELECT weighted_bitrate_bps FROM metrics") - bits) < 10)
    }
}

extension SyntheticPlayer {
    /// Where the player stands, ms.
    fileprivate var position: Int64 {
        var position: Int64 = 0
        change { position = $0.position }
        return position
    }
}
