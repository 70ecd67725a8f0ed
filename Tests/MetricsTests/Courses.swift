import Tally
import TallyTesting
import TestFiles
import TextEncoding

/// Player runs of generated actions, legal and illegal, in one archive.
enum Courses {
    /// Writes an archive of so many runs, each of which is decided by its number.
    static func write(_ count: Int, to path: String) throws {
        var text = ""
        for number in 0..<count {
            var lines = try course(number).split(separator: "\n")
            // As of a player that was killed.
            if number % 9 == 4 { lines.removeLast(1 + number % 3) }
            text += lines.map { $0 + "\n" }.joined()
        }
        TestFile.write(Array(text.utf8), to: path)
    }

    /// Writes an archive of so many runs of a second, each loaded so much later than the one before, us.
    static func writeShort(_ count: Int, step: Int64, to path: String) {
        let text = (0..<count).map { number in
            """
            {"run":"short-\(number)","n":0,"tally":{"format":1,"semantics":1,"core":"0.1.0","epoch_us":\(
                1_750_000_000_000_000 + Int64(number) * step),"trackers":[]}}
            {"run":"short-\(number)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"short"}}
            {"run":"short-\(number)","n":2,"t_us":50000,"event":"play","session":1}
            {"run":"short-\(number)","n":3,"t_us":1000000,"event":"video_unload","session":1}

            """
        }
        TestFile.write(Array(text.joined().utf8), to: path)
    }

    /// The lines of a run.
    static func course(_ number: Int) throws -> String {
        var run = VirtualRun(plugins: [], sources: [])
        run.id = "course-\(number)"
        run.epoch += Int64(number) * 700_000_123
        var random = SplitMix64(seed: UInt64(number) &* 77)
        let sequence = ActionSequence(
            seed: UInt64(number),
            count: 30,
            legal: [40, 75, 92, 97][number % 4],
            longestWait: [2_000_000, 20_000_000, 150_000_000][number % 3]
        )
        let recorded = try run.record { player, run, clock in
            player.change { model in
                model.id = "asset-\(number % 23)"
                model.length = number % 5 == 1 ? nil : Double(60 + number * 7 % 900)
                if number % 5 == 1 { model.liveStart = 1_700_000_000_000 + Int64(number) * 700_000 - 8_000 }
                model.videoAttributes = ["country": .string(["AT", "e\u{301}", "\u{e9}"][number % 3])]
                let (version, user) = ("\(number % 4).0", "viewer-\(number % 40)")
                model.moreOfVideo = {
                    $0.applicationVersion(version)
                    $0.userID(user)
                }
                model.moreOfState = { if number % 5 == 1 { $0.live(true) } }
                let height = Int32(360 + number % 3 * 360)
                model.moreOfQuality = { $0.size(width: height / 9 * 16, height: height) }
            }
            for step in sequence.steps {
                clock.advance(to: clock.now() + step.wait)
                run.pump()
                player.perform(step.action, on: run)
                run.pump()
                oddity(&random, player, run, clock)
            }
        }
        return try TestFile.text(recorded.archive)
    }

    /// What players seldom do: a sleep, a fatal error, samples while it goes on, frames that are dropped, an error of an ad.
    private static func oddity(
        _ random: inout SplitMix64,
        _ player: SyntheticPlayer,
        _ run: PlayerRun,
        _ clock: VirtualClock
    ) {
        switch random.next() % 40 {
        case 0: player.sleep(microseconds: 2_000_000 + Int64(random.next() % 90_000_000), clock)
        case 1:
            let isFatal = random.next() % 2 == 0
            run.trackVideoPlayerError("odd", PlayerErrorDetails(message: "odd", code: 500, fatal: isFatal))
        case 2, 3:
            for _ in 0..<8 {
                clock.advance(to: clock.now() + 250_000)
                run.pump()
                player.perform(.sample, on: run)
                run.pump()
            }
        case 4: player.change { $0.droppedFrames = ($0.droppedFrames ?? 0) + Int64(random.next() % 9) }
        case 5: run.trackAdError("vast-303")
        default: return
        }
        run.pump()
    }
}
