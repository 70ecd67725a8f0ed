internal import Archive
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
    /// The replay of one coordinator, which several do without.
    let replay: Replay
    let telemetry: Telemetry
    let options: ReplayOptions
    let inputs: ArchiveInputs
    let stop: ReplayStop
    /// How long a growing archive may be silent, s; nil where archives are not followed.
    let idleLimit: Int?
    let log: LogPrinter

    /// Replays all archives; one that cannot be read costs that one, unless strictness is asked for.
    ///
    /// With several coordinators `progress` is called now and then; one tells ``ReplayOptions/onProgress``.
    mutating func replay(_ setup: HostSetup, progress: @escaping (ReplayProgress) -> Void) {
        if options.jobs > 1 {
            replayAtOnce(setup, progress: progress)
        } else {
            replayInTurn(setup)
        }
        summary.unselectedRuns += inputs.leftRuns
    }

    private mutating func replayAtOnce(_ setup: HostSetup, progress: @escaping (ReplayProgress) -> Void) {
        let replay = ParallelReplay(telemetry: telemetry, options: options, control: stop.control)
        let archives = inputs.archives.indices.map { index in
            ReplayedArchive { [inputs, stop] () throws(ArchiveSource.Failure) in
                try inputs.source(index) { stop.waitForBytes($0) }
            }
        }
        replay.replay(archives, progress: progress)
        summary = replay.summary
        for index in archives.indices {
            for failure in replay.failures where failure.archive == index {
                record(failure.error, setup, isDamage: false)
            }
            recordDamage(index)
            if replay.hollow.contains(index), inputs.isWhole(index) { recordHollow(index) }
        }
        recordSubstitutes(replay.unknownSubstitutes)
    }

    private mutating func replayInTurn(_ setup: HostSetup) {
        let replay = replay
        let control = stop.control
        defer { summary = replay.summary }
        for index in inputs.archives.indices.dropFirst(options.resumed?.archive ?? 0) where control.stopReason == nil {
            replay.archive = index
            let before = replay.summary
            do throws(TelemetryError) {
                try self.replay(index)
            } catch {
                record(error, setup, isDamage: replay.summary.damaged > before.damaged)
                recordDamage(index)
                // What concerns a plugin would be the same with every archive.
                let isEnough = options.strict || replay.summary.damaged > options.damagedLimit ?? .max
                if isEnough || error.kind == .plugin || error.kind == .configuration { return }
                continue
            }
            recordDamage(index)
            if replay.foundNothing(since: before), inputs.isWhole(index), control.stopReason == nil {
                recordHollow(index)
                if options.strict { return }
            }
        }
        recordSubstitutes(replay.unknownSubstitutes)
    }

    private mutating func replay(_ index: Int) throws(TelemetryError) {
        if let idleLimit, case .file(let path) = inputs.archives[index] { return try follow(path, idleLimit) }
        let source: ArchiveSource
        do throws(ArchiveSource.Failure) {
            // Who reads ahead of the replay reads files, which are there.
            source = try inputs.source(index) { [stop, replay, options] descriptor in
                let meanwhile = options.runIdleLimit.map { _ in { replay.closeIdleRuns() } }
                return stop.waitForBytes(descriptor, meanwhile: meanwhile)
            }
        } catch {
            throw TelemetryError(error)
        }
        try replay.replay(from: source)
    }

    /// Replays an archive while it is written, until its runs have ended.
    private mutating func follow(_ path: String, _ idleLimit: Int) throws(TelemetryError) {
        let replay = replay
        let input: FollowedFile
        do throws(InputFile.Failure) {
            let control = stop.control
            input = try FollowedFile(
                path,
                idleLimit: idleLimit,
                wait: {
                    replay.closeIdleRuns()
                    return control.wait(forInput: -1, milliseconds: $0)
                },
                isComplete: { replay.isBetweenRuns }
            )
        } catch {
            record(error.exitCode, error.message)
            return
        }
        var damage: String?
        try replay.replay(
            from: unsafe ArchiveSource(path: path, rereading: input.kept) { buffer throws(ArchiveSource.Failure) in
                do throws(InputFile.Failure) {
                    return unsafe try input.read(into: buffer)
                } catch {
                    damage = error.message
                    return 0
                }
            }
        )
        if let damage { record(.badData, damage) }
        if input.isAbandoned {
            log.show(.warning, "\(path): nothing came for \(idleLimit) s: it is not followed any longer")
        }
    }

    private mutating func recordDamage(_ index: Int) {
        if let damage = inputs.damage(index) { record(.badData, damage) }
    }

    private mutating func recordHollow(_ index: Int) {
        record(.badData, "\(inputs.archives[index].name): this is no archive: it holds no player run")
    }

    /// Records that a substitute stands for nothing, which only archives that were read from begin to end can show.
    private mutating func recordSubstitutes(_ problems: [String]) {
        guard failures.isEmpty, options.resumed == nil, stop.control.stopReason == nil else { return }
        for problem in problems { record(.usage, "--substitute: \(problem)") }
    }

    private mutating func record(_ error: TelemetryError, _ setup: HostSetup, isDamage: Bool) {
        if error.kind == .archiveInput, isDamage {
            record(.badData, error.description)
            return
        }
        let located = setup.located(error)
        record(located.exitCode, located.messages.joined(separator: "; "))
    }

    private mutating func record(_ exitCode: ExitCode, _ message: String) {
        failures.append(Failure(exitCode: exitCode, message: message))
        log.show(.error, message)
    }
}
