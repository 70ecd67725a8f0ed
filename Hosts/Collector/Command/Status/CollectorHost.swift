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

    var statistics: JSONObject { status.json }
}
