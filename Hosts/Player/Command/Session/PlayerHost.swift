internal import HostSupport
internal import Tally
internal import TextEncoding

/// What the player does itself of the commands.
struct PlayerHost: CommandedHost {
    let run: PlayerRun
    let inbox: PlayerInbox
    let snapshot: Lock<PlayerSnapshot>
    let figures: Lock<PlaybackFigures>

    var section: HostSection { .player }

    func perform(_ command: PlaybackCommand) -> ControlReply {
        let answer = Condition<ControlReply?>(nil)
        inbox.post(command) { reply in answer.change { $0 = reply } }
        let deadline = SystemTime.monotonic() + PlayerRun.answerLimit * 1000
        return answer.wait(until: deadline) { $0 }
            ?? .failure(.timedOut, "the player did not come to it in time; it may still do so")
    }

    func erase() -> ControlReply {
        RunErasure.reply(run: run)
    }

    var statistics: JSONObject {
        let (snapshot, figures) = (snapshot.with { $0 }, figures.with { $0 })
        return [
            "run": .string(run.id), "time_us": .int(run.time),
            "playback": [
                "source": .string(snapshot.source), "name": .string(snapshot.name),
                "activity": .string(figures.activity.rawValue),
                "playhead_ms": figures.playheadMs.map { .int($0) } ?? .null,
                "duration_ms": snapshot.durationMs.map { .int($0) } ?? .null,
                "events": .int(Int64(figures.events)), "lost_events": .int(Int64(figures.refusedEvents)),
                "stalls": .int(Int64(figures.stalls)), "pauses": .int(Int64(figures.pauses)),
                "seeks": .int(Int64(figures.seeks)), "items": .int(Int64(figures.items)),
                "ads": .int(Int64(figures.ads)), "ad_errors": .int(Int64(figures.adErrors)),
            ],
        ]
    }
}
