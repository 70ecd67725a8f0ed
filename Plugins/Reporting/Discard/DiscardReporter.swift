package import PluginKit

/// Takes everything, counts it and throws it away: for measuring what comes before a reporter.
package final class DiscardReporter: CommandHandlingReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.discard",
        name: "Discard",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally()
    )

    package static let commands = [
        CommandDescriptor("checkpoint", "Nothing is kept, so nothing can be lost.", changesState: false),
        CommandDescriptor("resume", "Goes on behind a checkpoint.", changesState: false),
    ]

    private let host: ReporterHost
    private var events: UInt64 = 0
    private var records: UInt64 = 0
    private var beacons: UInt64 = 0
    private var lost: UInt64 = 0
    private var sinceAnswer: UInt64 = 0

    package init(host: ReporterHost) { self.host = host }

    package func deliver(_ outputs: OutputBatch) -> Int {
        for output in outputs {
            switch output.kind {
            case .event: events += 1
            case .record: records += 1
            case .beacon: beacons += 1
            case .gap: lost += output.lostCount
            default: break
            }
        }
        sinceAnswer += UInt64(outputs.count)
        return outputs.count
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: sinceAnswer, kept: 0, dropped: 0)
        sinceAnswer = 0
    }

    package func run(_ command: String, _ arguments: JSONValue) -> JSONValue { [:] }

    package func disable() {
        let gap = lost == 0 ? "" : "; a full queue cost \(lost) more"
        host.log(.info, "discarded \(events) events, \(records) records and \(beacons) beacons\(gap)")
    }
}
