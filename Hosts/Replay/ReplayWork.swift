internal import Archive
internal import Glibc
internal import HostSupport
internal import Tally

/// Replays one archive after the other and remembers what could not be replayed.
struct ReplayWork {
    /// Why an archive, or all that follow, could not be replayed.
    struct Failure {
        let exitCode: ExitCode
        let message: String
    }

    private(set) var failures: [Failure] = []
    let replay: Replay
    private let options: ReplayOptions
    private let control: ReplayControl
    /// How long a growing archive may be silent, s; nil where archives are not followed.
    private let idleLimit: Int?
    private let log: LogPrinter

    init(
        telemetry: Telemetry,
        options: ReplayOptions,
        control: ReplayControl,
        idleLimit: Int?,
        log: LogPrinter
    ) {
        replay = Replay(telemetry: telemetry, options: options, control: control)
        self.options = options
        self.control = control
        self.idleLimit = idleLimit
        self.log = log
    }

    /// What was read and made.
    var summary: ReplaySummary { replay.summary }

    /// Replays all archives; one that cannot be read costs that one, unless strictness is asked for.
    mutating func replay(_ archives: [ArchiveOperand], _ setup: HostSetup) {
        for archive in archives where control.stopReason == nil {
            let before = replay.summary
            do throws(TelemetryError) {
                try replay(archive)
            } catch {
                note(error, setup, isDamage: replay.summary.damaged > before.damaged)
                // What concerns a plugin would be the same with every archive.
                if options.strict || error.kind == .plugin || error.kind == .configuration { return }
                continue
            }
            if control.stopReason == nil, replay.summary.headers == before.headers, replay.summary.damaged == before.damaged {
                note(.badData, "\(archive.name): this is no archive: it holds no player run")
                if options.strict { return }
            }
        }
    }

    /// Microseconds of a clock that only goes forward.
    static func clock() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Replays an archive while it is written, until its runs have ended.
    private mutating func follow(_ path: String, _ idleLimit: Int) throws(TelemetryError) {
        let replay = replay
        let input: FollowedFile
        do throws(InputFile.Failure) {
            let control = control
            input = try FollowedFile(
                path,
                idleLimit: idleLimit,
                wait: { control.wait(forInput: -1, milliseconds: $0) },
                isComplete: { replay.isBetweenRuns }
            )
        } catch {
            note(error.exitCode, error.message)
            return
        }
        var damage: String?
        try replay.replay(
            from: unsafe ArchiveSource(path: path) { buffer throws(ArchiveSource.Failure) in
                do throws(InputFile.Failure) {
                    return unsafe try input.read(into: buffer)
                } catch {
                    damage = error.message
                    return 0
                }
            }
        )
        if let damage { note(.badData, damage) }
        if input.isAbandoned {
            log.show(.warning, "\(path): nothing came for \(idleLimit) s: the run is left without an end")
        }
    }

    private mutating func replay(_ archive: ArchiveOperand) throws(TelemetryError) {
        if let idleLimit, case .file(let path) = archive { return try follow(path, idleLimit) }
        let control = control
        let wait: (Int32) -> Bool = { control.wait(forInput: $0, milliseconds: -1) }
        guard let input = try? InputFile(archive.operand, waitForBytes: wait) else {
            // The core says what is wrong with it.
            return try replay.replay(path: archive.operand)
        }
        if case .file(let path) = archive, !input.isCompressed {
            return try replay.replay(path: path)
        }
        var damage: String?
        let source = unsafe ArchiveSource(path: input.name) { buffer throws(ArchiveSource.Failure) in
            do throws(InputFile.Failure) {
                return unsafe try input.read(into: buffer)
            } catch {
                guard error.number == 0 else { throw ArchiveSource.Failure(path: input.name, number: error.number) }
                damage = error.message
                return 0
            }
        }
        try replay.replay(from: source)
        if let damage { note(.badData, damage) }
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
