internal import HostSupport
internal import Tally
internal import TextEncoding

/// What a replay does itself of the commands.
final class ReplayHost: CommandedHost, @unchecked Sendable {
    private let control: ReplayControl
    /// Used on its own thread alone.
    private let replay: Replay
    private let answerLimit: Int64
    private let started = SystemTime.monotonic()

    init(_ replay: Replay, _ control: ReplayControl, answerLimit: Int64) {
        self.replay = replay
        self.answerLimit = answerLimit
        self.control = control
    }

    var section: HostSection { .replay }

    func perform(_ command: PlaybackCommand) -> ControlReply {
        switch command {
        case .play: return control.resume() ? .done("done") : .done("the replay goes on already", changed: false)
        case .pause(let milliseconds):
            return control.pause(milliseconds: milliseconds)
                ? .done("done") : .done("the replay is paused already", changed: false)
        case .step(let count):
            control.step(count)
            let left = control.waitForSteps(limit: answerLimit)
            guard left > 0 else { return .done("done") }
            let awaited = ReadableNumber.word(
                for: left,
                "has not come yet; it still passes",
                "have not come yet; they still pass"
            )
            return .done("\(left) of \(ReadableNumber.counted(count, "event")) \(awaited)")
        case .stop:
            control.stop("a command says so")
            return .done("done")
        case .consent:
            return .failure(
                .unavailable,
                "the viewer's decisions are the archive's: silence a tracker with plugin disable, delete what was "
                    + "recorded with tally-replay erase"
            )
        default: return .failure(.unavailable, "a replay's player does what the archive says: this is for tally-player")
        }
    }

    func erase() -> ControlReply {
        .failure(.unavailable, "a replay only reads its archives: tally-replay erase deletes from them")
    }

    var statistics: JSONObject {
        let progress = replay.progress
        let pause = control.pause
        return [
            "replay": [
                "archive": replay.place.map { .string($0.path) } ?? .null,
                "line": .int(Int64(replay.place?.line ?? 0)),
                "paused": .bool(pause.isPaused), "steps": .int(Int64(pause.steps)),
                "runs": .int(Int64(progress.runs)),
                "open_runs": .array(replay.openRuns.map { ["run": .string($0.id), "time_us": .int($0.time)] }),
                "sessions": .int(Int64(progress.sessions)), "events": .int(Int64(clamping: progress.events)),
                "records": .int(Int64(clamping: progress.records)),
                "beacons": .int(Int64(clamping: progress.beacons)),
                "tracker_errors": .int(Int64(clamping: progress.trackerErrors)),
                "damaged": .int(Int64(progress.damaged)), "run_time_us": .int(progress.runTime),
                "elapsed_us": .int(SystemTime.monotonic() - started),
            ]
        ]
    }

    func whereChangesAreTaken(_ body: @escaping @Sendable () -> ControlReply) -> ControlReply {
        do throws(JobFailure) {
            return try control.perform(limit: answerLimit, body)
        } catch .ended {
            return .failure(.ended, "the replay is over")
        } catch {
            return .failure(
                .timedOut,
                "the replay did not come to it in time: a reporter takes nothing, or no archive is being read"
            )
        }
    }
}
