internal import Archive
internal import Glibc
internal import HostSupport
internal import Tally

/// Replays one archive after the other and remembers what could not be replayed.
struct ReplayWork {
    /// Why an archive, or all that follow, could not be replayed.
    struct Failure: Equatable {
        let exitCode: ExitCode
        let message: String
    }

    private(set) var failures: [Failure] = []
    /// What was read and made.
    private(set) var summary = ReplaySummary()
    private let telemetry: Telemetry
    private let options: ReplayOptions
    private let inputs: ArchiveInputs
    private let log: LogPrinter

    init(telemetry: Telemetry, options: ReplayOptions, inputs: ArchiveInputs, log: LogPrinter) {
        self.telemetry = telemetry
        self.options = options
        self.inputs = inputs
        self.log = log
    }

    /// Replays all archives; one that cannot be read costs that one, unless strictness is asked for.
    mutating func replay(_ setup: HostSetup, progress: @escaping @Sendable (ReplayProgress) -> Void) {
        if options.jobs > 1 {
            replayAtOnce(setup, progress: progress)
        } else {
            replayInTurn(setup, progress: progress)
        }
    }

    /// Microseconds of a clock that only goes forward.
    static func clock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private mutating func replayAtOnce(_ setup: HostSetup, progress: @escaping (ReplayProgress) -> Void) {
        let replay = ParallelReplay(telemetry: telemetry, options: options)
        let archives = inputs.archives.indices.map { index in
            ReplayedArchive { [inputs] () throws(ArchiveSource.Failure) in try inputs.source(index) }
        }
        replay.replay(archives, progress: progress)
        summary = replay.summary
        for index in archives.indices {
            for failure in replay.failures where failure.archive == index {
                note(failure.error, setup, isDamage: false)
            }
            noteDamage(index)
            if replay.hollow.contains(index) { noteHollow(index) }
        }
    }

    private mutating func replayInTurn(_ setup: HostSetup, progress: @escaping @Sendable (ReplayProgress) -> Void) {
        var options = options
        options.onProgress = progress
        let replay = Replay(telemetry: telemetry, options: options)
        defer { summary = replay.summary }
        for index in inputs.archives.indices.dropFirst(options.resumed?.archive ?? 0) {
            replay.archive = index
            let before = replay.summary
            do throws(TelemetryError) {
                try self.replay(index, replay)
            } catch {
                note(error, setup, isDamage: replay.summary.damaged > before.damaged)
                noteDamage(index)
                // What concerns a plugin would be the same with every archive.
                if options.strict || error.kind == .plugin || error.kind == .configuration { return }
                continue
            }
            noteDamage(index)
            if replay.summary.headers == before.headers, replay.summary.damaged == before.damaged {
                noteHollow(index)
                if options.strict { return }
            }
        }
    }

    private func replay(_ index: Int, _ replay: Replay) throws(TelemetryError) {
        let source: ArchiveSource
        do throws(ArchiveSource.Failure) {
            source = try inputs.source(index)
        } catch {
            throw TelemetryError(error)
        }
        try replay.replay(from: source)
    }

    private mutating func noteDamage(_ index: Int) {
        if let damage = inputs.damage(index) { note(.badData, damage) }
    }

    private mutating func noteHollow(_ index: Int) {
        note(.badData, "\(inputs.archives[index].name): this is no archive: it holds no player run")
    }

    private mutating func note(_ error: TelemetryError, _ setup: HostSetup, isDamage: Bool) {
        if error.kind == .archiveInput, isDamage {
            note(.badData, error.description)
            return
        }
        let located = setup.located(error)
        note(located.exitCode, located.messages.joined(separator: "; "))
    }

    private mutating func note(_ exitCode: ExitCode, _ message: String) {
        failures.append(Failure(exitCode: exitCode, message: message))
        log.show(.error, message)
    }
}
