internal import Glibc
internal import PlaybackEngine
internal import Synchronization
internal import Tally

/// Plays and stops again and again in one process, and looks at what is left over.
///
/// A cycle is a player run that is recorded, and an engine that plays for a moment: long enough to be in the middle of
/// something when it is stopped.
package struct PlaybackCycles {
    /// Playback did not begin.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private final class Signs: Sendable {
        let plays = Atomic<Bool>(false)
        let failed = Atomic<Bool>(false)
        /// Why it does not play; written before `failed` is set.
        nonisolated(unsafe) var reason = ""
    }

    private static let longestPlayMs: UInt64 = 300
    private static let limitMs = 60_000

    private let locations: [String]
    private let archive: String
    private let telemetry: Telemetry

    /// Plays the locations in turns; each run is recorded to the same file.
    package init(_ locations: [String], archive: String) throws {
        self.locations = locations
        self.archive = archive
        telemetry = try Telemetry()
    }

    /// Runs cycles; after each, it calls `after` with the number of those that are done.
    package func run(_ count: Int, seed: UInt64, after: (Int) -> Void = { _ in }) throws {
        var numbers = SplitMix(state: seed)
        for index in 0..<count {
            try cycle(locations[index % locations.count], playMs: numbers.next() % Self.longestPlayMs)
            after(index + 1)
        }
    }

    private func cycle(_ location: String, playMs: UInt64) throws {
        unsafe unlink(archive)
        let run = try telemetry.startRun(archive: archive)
        defer { run.destroy() }
        let signs = Signs()
        let engine = PlaybackEngine { report in
            switch report.event {
            case .loadStarted: run.trackVideoLoad()
            case .playing:
                run.trackPlay()
                signs.plays.store(true, ordering: .releasing)
            case .playheadSample: run.trackPlayhead()
            case .failed(let error):
                unsafe signs.reason = error.description
                signs.failed.store(true, ordering: .releasing)
            case .stopped: run.trackVideoUnload()
            default: break
            }
        }
        engine.send(.load(location))
        engine.send(.play)
        for _ in 0..<Self.limitMs / 2 where !signs.plays.load(ordering: .acquiring) {
            if signs.failed.load(ordering: .acquiring) { break }
            usleep(2000)
        }
        let plays = signs.plays.load(ordering: .acquiring)
        usleep(UInt32(playMs) * 1000)
        engine.send(.stop)
        engine.waitUntilStopped()
        let failed = signs.failed.load(ordering: .acquiring)
        guard plays else {
            throw Failure(description: unsafe failed ? signs.reason : "'\(location)' did not play within a minute")
        }
    }

    /// Numbers that are the same for a seed on every machine.
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
