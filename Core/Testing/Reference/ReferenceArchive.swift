internal import Coordinator
internal import System
internal import Tally

/// Makes the reference archive, which docs/bench.md defines: player runs of one session each, in one file.
package enum ReferenceArchive {
    /// Wall clock at the start of the first run, us since 1970.
    private static let epoch: Int64 = 1_750_000_000_000_000

    /// Why it cannot be written.
    package enum Failure: Error, CustomStringConvertible {
        /// A file cannot be written or read.
        case file(path: String, number: Int32)
        /// A run cannot be recorded.
        case refused(String)

        package var description: String {
            switch self {
            case .file(let path, let number): "\(path): \(SystemError.text(number))"
            case .refused(let reason): reason
            }
        }
    }

    /// What was written.
    package struct Size: Sendable {
        /// Player runs, of one session each.
        package let runs: Int
        /// Bytes of the file.
        package let bytes: Int
    }

    /// Writes the first events of it into a file, which is created or emptied: the same for the same seed.
    ///
    /// - Throws: ``Failure`` when the file, or one beside it that ends with `.run`, cannot be written.
    @discardableResult
    package static func write(to path: String, events: Int, seed: UInt64 = 1) throws(Failure) -> Size {
        let file = try AppendedFile(path: path)
        var random = ReferenceRandom(seed: seed)
        var remaining = events
        var runs = 0
        while remaining > 0 {
            let part = path + ".run"
            remaining = try record(part, number: runs, &random, remaining)
            try file.append(part)
            runs += 1
        }
        return Size(runs: runs, bytes: file.bytes)
    }

    /// Records one player run and returns how many events are still wanted.
    private static func record(
        _ path: String,
        number: Int,
        _ random: inout ReferenceRandom,
        _ remaining: Int
    ) throws(Failure) -> Int {
        let watched = min(4 * 3600, max(5, random.logNormal(median: 360, sigma: 1)))
        let isLive = random.once(in: 10)
        let length = watched * random.between(1, 3)
        let epoch = epoch + Int64(number) * 60_000_000
        let player = ReferencePlayer(
            videoID: "video-\(random.below(500))",
            isLive: isLive,
            duration: isLive ? -1 : Int64(length) * 1000,
            epoch: epoch,
            rendition: ReferenceRendition.ladder[random.below(ReferenceRendition.ladder.count)]
        )
        let clock = VirtualClock()
        let environment = RunEnvironment(
            description: RunDescription(id: random.name(), epoch: epoch),
            clock: clock,
            pumped: true
        )
        do throws(TelemetryError) {
            let run = try PlayerRun(
                telemetry: try Telemetry(),
                delegate: player,
                archive: path,
                environment: environment
            )
            var session = ReferenceSession(
                run: run,
                clock: clock,
                player: player,
                random: ReferenceRandom(seed: UInt64(number)),
                remaining: remaining
            )
            session.play(length: Int64(watched * 1e6), ads: random.below(5))
            run.destroy()
            return session.remaining
        } catch {
            throw .refused(error.description)
        }
    }
}
