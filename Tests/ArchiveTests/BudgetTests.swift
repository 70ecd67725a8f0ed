import Archive
import Coordinator
import Glibc
import Tally
import TallyTesting
import TextEncoding
import Testing

/// How large an hour is.
struct BudgetTests {
    @Test("A viewing hour without ads is below 1.8 MB, and below 0.3 MB compressed")
    func hour() throws {
        let run = try VirtualRun(plugins: [], sources: []).record { player, run, clock in
            Hour(player: player, run: run, clock: clock).play()
        }
        let plain = try #require(FileBytes.of(run.archive))
        let samples = try Self.count(of: "playhead_sample", in: run.archive)
        // Not less than it is meant to be: 250 ms apart but for what stalls take.
        #expect(samples > 14_000)
        #expect(plain.count < 1_800_000)
        // The weakest compressor at hand; the one that archives are meant for does better.
        let compressed = try #require(Self.gzipped(run.archive))
        #expect(compressed < 300_000)
        if unsafe getenv("TALLY_KEEP_HOUR") != nil {
            TestArchiveKeeper.keep(plain, as: "/tmp/tally-hour.tally")
            print("hour: \(plain.count) bytes plain, \(compressed) with gzip, \(samples) samples")
        }
    }

    private static func count(of type: String, in path: String) throws -> Int {
        let reader = ArchiveReader(try ArchiveSource(path: path))
        var count = 0
        while let line = try reader.next(damaged: { Issue.record("\($0)") }) {
            if case .event(let event) = line, event.typeName == type { count += 1 }
        }
        return count
    }

    private static func gzipped(_ path: String) -> Int? {
        guard let stream = unsafe popen("gzip -c '\(path)' | wc -c", "r") else { return nil }
        defer { unsafe pclose(stream) }
        var count = 0
        return unsafe withUnsafeMutablePointer(to: &count) { count in
            unsafe withVaList([count]) { unsafe vfscanf(stream, "%ld", $0) } == 1 ? unsafe count.pointee : nil
        }
    }
}

private enum TestArchiveKeeper {
    static func keep(_ bytes: [UInt8], as path: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        _ = unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }
}

/// An hour in front of a player: quality every 10 s, a stall every 5 min, a seek every 10 min, renditions that change.
private struct Hour {
    let player: SyntheticPlayer
    let run: PlayerRun
    let clock: VirtualClock

    func play() {
        var random = SplitMix64(seed: 3600)
        for action in [PlayerAction.playerReady, .load, .play, .firstFrame] {
            step(action, after: 200_000)
        }
        for sample in 1..<14_400 {
            // Timers of a player are late by some.
            step(.sample, after: 250_000 - 3_000 + Int64(random.next() % 6_000))
            if sample % 40 == 0 {
                player.change { $0.droppedFrames = ($0.droppedFrames ?? 0) + Int64(random.next() % 4) }
                step(.quality, after: 1_000)
            }
            if sample % 1200 == 0 {
                step(.bufferStart(.stall), after: 20_000)
                step(.bufferComplete, after: Int64(random.next() % 3_000_000))
                player.change { $0.bitrate = [800_000, 1_600_000, 3_000_000][Int(random.next() % 3)] }
                var rendition = Rendition()
                rendition.bitrate = 1_600_000
                rendition.width = 1280
                rendition.height = 720
                rendition.shift = .down
                run.trackRenditionChange(rendition)
                run.pump()
            }
            if sample % 2400 == 0 {
                step(.seekStart(to: Double(random.next() % 3000)), after: 5_000)
                step(.seekComplete, after: 400_000)
            }
        }
        step(.complete, after: 1_000)
        step(.unload, after: 1_000)
    }

    private func step(_ action: PlayerAction, after wait: Int64) {
        clock.advance(to: clock.now() + wait)
        run.pump()
        player.perform(action, on: run)
        run.pump()
    }
}
