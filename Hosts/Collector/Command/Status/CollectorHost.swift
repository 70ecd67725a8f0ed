internal import CollectedRuns
internal import HostSupport
internal import Tally
internal import TextEncoding

/// What the collector does itself of the commands.
final class CollectorHost: CommandedHost {
    private let status: CollectorStatus
    private let stop: @Sendable () -> Void

    init(_ status: CollectorStatus, stop: @escaping @Sendable () -> Void) {
        self.status = status
        self.stop = stop
    }

    var section: HostSection { .collector }

    func perform(_ command: PlaybackCommand) -> ControlReply {
        switch command {
        case .stop:
            stop()
            return .done("done")
        default: return .failure(.unavailable, "players are elsewhere: a collector only takes what they report")
        }
    }

    func erase() -> ControlReply {
        .failure(.unavailable, "erase runs of a collector with tally-collector erase")
    }

    func runs(named name: String?) -> ControlReply {
        if let name {
            guard let run = status.pool.overview(tenant: nil, name: name) else {
                return .failure(.refused, "there is no open run of this name: runs shows those that there are")
            }
            return .success(.object(run.json))
        }
        let runs = status.pool.overviews(limit: 1_000).sorted { ($0.begun, $0.run) < ($1.begun, $1.run) }.prefix(1_000)
        return .success(["open": .int(Int64(status.pool.openRunCount)), "runs": .array(runs.map { .object($0.json) })])
    }

    var statistics: JSONObject { status.json }
}

extension RunOverview {
    /// As replies have it.
    fileprivate var json: JSONObject {
        [
            "run": .string(run), "id": .string(id), "tenant": .string(tenant), "form": .string(form),
            "begun_us": .int(begun), "heard_us": .int(heard), "t_us": .int(time),
            "events": .int(Int64(clamping: events)), "session": .int(Int64(session)), "playing": .bool(isPlaying),
            "bytes": .int(Int64(bytes)),
        ]
    }
}
