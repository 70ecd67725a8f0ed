internal import ChildPrograms
internal import Glibc
internal import TestFiles
internal import TextEncoding

/// What is done to the processes of one tracker while a player plays.
///
/// At most two are ended: the third in ten minutes would be one too many, and the run would go on without the tracker.
struct TrackerAttack: Sendable {
    /// When something is done.
    enum Moment: Sendable {
        /// So long after the player began, ms.
        case later(Int)
        /// So long after the next process was seen first, us.
        case young(Int)
        /// So long after the media was played to its end, us.
        case atEnd(Int)
    }

    /// What came of an attack.
    struct Toll: Sendable {
        /// Processes that were ended, of these within their first moments, and when the media was over.
        var (kills, young, atEnd) = (0, 0, 0)
        /// Processes that were halted for a while.
        var halts = 0

        static func += (all: inout Toll, one: Toll) {
            all.kills += one.kills
            all.young += one.young
            all.atEnd += one.atEnd
            all.halts += one.halts
        }
    }

    /// How long a process is halted.
    private static let halt = Duration.milliseconds(300)

    /// The tracker's instance.
    let tracker: String
    /// When a process is halted; nil when none is.
    let halt: Moment?
    /// When one is ended, in this order.
    let kills: [Moment]

    /// Chooses moments in a playback of so many ms.
    init(on tracker: String, lasting length: Int, _ random: inout SplitMix64) {
        self.tracker = tracker
        var (soon, late): ([Moment], [Moment]) = ([], [])
        for _ in 0..<1 + random.next() % 2 {
            switch random.next() % 4 {
            case 0: soon.append(.young(Int(random.next() % 50_000)))
            case 1: late.append(.atEnd(Int(random.next() % 20_000)))
            default: soon.append(.later(Int(random.next() % UInt64(length))))
            }
        }
        kills = soon + late
        halt = random.next() % 3 == 0 ? .later(Int(random.next() % UInt64(length))) : nil
    }

    /// Does all of it that the player lives long enough for.
    func run(on player: ChildProgram, archive: String) async -> Toll {
        var toll = Toll()
        let start = ContinuousClock.now
        var seen: Set<Int32> = []
        if let halt, let process = await process(at: halt, of: player, archive, since: start, &seen) {
            kill(process, SIGSTOP)
            try? await Task.sleep(for: Self.halt)
            kill(process, SIGCONT)
            toll.halts += 1
        }
        for moment in kills {
            guard let process = await process(at: moment, of: player, archive, since: start, &seen) else { break }
            kill(process, SIGKILL)
            toll.kills += 1
            switch moment {
            case .young: toll.young += 1
            case .atEnd: toll.atEnd += 1
            case .later: break
            }
        }
        return toll
    }

    /// The tracker's process when the moment has come; nil when the player ends before.
    private func process(
        at moment: Moment,
        of player: ChildProgram,
        _ archive: String,
        since start: ContinuousClock.Instant,
        _ seen: inout Set<Int32>
    ) async -> Int32? {
        var process: Int32?
        switch moment {
        case .later(let milliseconds):
            try? await Task.sleep(until: start + .milliseconds(milliseconds), clock: .continuous)
            _ = await eventually {
                process = self.process(of: player)
                return process != nil || player.state != .running
            }
        case .young(let microseconds):
            let known = seen
            _ = await eventually {
                process = self.process(of: player).flatMap { known.contains($0) ? nil : $0 }
                return process != nil || player.state != .running
            }
            try? await Task.sleep(for: .microseconds(microseconds))
        case .atEnd(let microseconds):
            _ = await eventually {
                (try? TestFile.text(archive))?.contains("\"event\":\"complete\"") == true || player.state != .running
            }
            try? await Task.sleep(for: .microseconds(microseconds))
            process = self.process(of: player)
        }
        if let process { seen.insert(process) }
        return player.state == .running ? process : nil
    }

    /// The tracker's process that goes on; nil when there is none.
    private func process(of player: ChildProgram) -> Int32? {
        player.children.last { process in
            let words = ((try? TestFile.text("/proc/\(process)/cmdline")) ?? "").split(separator: "\0")
            return words.count == 2 && words[0].hasSuffix("/tally-tracker") && words[1] == tracker
        }
    }
}
