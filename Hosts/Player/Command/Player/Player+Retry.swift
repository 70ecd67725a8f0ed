internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Opening a source again; on the thread of the engine that has failed.
extension Player {
    private static let stepMs: Int64 = 20

    /// Waits, and opens the source again, unless something else is wanted meanwhile.
    func openAgain(_ source: String, atNs timeNs: Int64) {
        let delayMs = retries.delayMs
        tracking.notes.say("the source is opened again in \(delayMs) ms")
        let dueNs = timeNs + delayMs * 1_000_000
        var nowNs = timeNs
        while nowNs < dueNs, !isGivenUp {
            if let reason = reasonToEnd(nowNs) {
                stop(reason, nowNs)
                end(atNs: nowNs)
                return
            }
            if let entry = plan.inbox.removeFirst() {
                entry.done(answer(entry.command, nowNs))
            } else if let line = script.next(sinceStartMs: (nowNs - startNs) / 1_000_000, playheadMs: nil) {
                perform(line, by: { answer($0, nowNs) })
            } else {
                platform.sleep(milliseconds: Self.stepMs)
            }
            nowNs = platform.nowNs
        }
        guard isGivenUp else {
            tracking.forgetFailure()
            begin(source)
            return
        }
        isGivenUp = false
        goOn(atNs: nowNs, isTriedAgain: false)
    }

    /// What a command does while nothing is played: to end, or to go on with another source.
    private func answer(_ command: PlaybackCommand, _ timeNs: Int64) -> ControlReply {
        switch command {
        case .stop: playlist.end()
        case .load(let source): playlist.insert(source)
        case .next:
            guard playlist.hasNext else { return .failure(.unavailable, "there is no next source") }
        default:
            return .failure(.unavailable, "the source has failed and is opened again in a moment; then try again")
        }
        isGivenUp = true
        return .done("done")
    }
}

/// Counts how often a source was opened again; each source of a playlist has all its tries.
struct SourceRetries {
    let limit: Int
    /// How long the player waits before it opens the source again.
    let delayMs: Int64
    var source = ""
    var count = 0

    mutating func begin(_ source: String) {
        self.source = source
        count = 0
    }

    /// The source that is to be opened again; nil when it did not fail, when that would not help, or not any more.
    mutating func source(after tracking: PlaybackTracking) -> String? {
        guard let failure = tracking.failure, Self.mayPass(failure.code), count < limit else { return nil }
        count += 1
        return source
    }

    /// Whether a failure is one of the network or of the server; what the media is does not change.
    private static func mayPass(_ code: EngineError.Code) -> Bool {
        code.exitCode == .unavailable && code != .engineMissing
    }
}
