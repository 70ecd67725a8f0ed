internal import HostSupport
internal import Tally

/// Opening a source again; on the thread of the engine that has failed.
extension Player {
    private static let stepMs: UInt32 = 20

    /// Waits, and opens the source again, unless something else is wanted meanwhile.
    func openAgain(_ source: String, atNs timeNs: Int64) {
        let delayMs = retries.options.delayMs
        tracking.notes.say("the source is opened again in \(delayMs) ms")
        let dueNs = timeNs + delayMs * 1_000_000
        var nowNs = timeNs
        while nowNs < dueNs, !isGivenUp {
            if let reason = reasonToEnd(nowNs) {
                stop(reason, nowNs)
                end(atNs: nowNs)
                return
            }
            if let entry = inbox.takeFirst() {
                entry.done(answer(entry.command, nowNs))
            } else if let line = script.next(sinceStartMs: (nowNs - startNs) / 1_000_000, playheadMs: nil) {
                perform(line, by: { answer($0, nowNs) })
            } else {
                Clock.sleep(milliseconds: Self.stepMs)
            }
            nowNs = Clock.bootNs()
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
