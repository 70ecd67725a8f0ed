internal import Glibc
internal import Metrics
internal import PluginKit

/// What the next scrape says: the sessions that ended, and those that go on.
struct ScrapedState {
    private let configuration: PrometheusConfiguration
    private var meter: SessionMeter
    private let ended = EndedSessions()
    private var exposition: Exposition
    private var openRuns: Set<String> = []
    private var outputs: UInt64 = 0
    private var lost: UInt64 = 0
    /// When counting began, seconds since 1970.
    private let begun = Self.wallClock()

    /// Takes what the meter hands out.
    private final class EndedSessions {
        var sessions: [SessionMetrics] = []
    }

    init(_ configuration: PrometheusConfiguration) {
        self.configuration = configuration
        exposition = Exposition(configuration)
        meter = Self.meter(configuration, ended)
    }

    private static func meter(_ configuration: PrometheusConfiguration, _ ended: EndedSessions) -> SessionMeter {
        SessionMeter(grouping: configuration.labels) { ended.sessions.append($0) }
    }

    /// How many combinations of labels there are.
    var seriesCount: Int { exposition.series.count }

    /// Adds outputs.
    mutating func add(_ batch: OutputBatch) {
        for output in batch {
            outputs += 1
            if output.kind == .gap {
                lost += output.lostCount
                continue
            }
            let origin = output.origin
            switch output.kind {
            case .sessionBegin:
                meter.begin(
                    run: origin.playerRunID,
                    session: origin.session,
                    at: origin.time,
                    epoch: origin.epochMicroseconds
                )
            case .event:
                if let event = output.event {
                    meter.follow(event, run: origin.playerRunID, epoch: origin.epochMicroseconds)
                }
            case .sessionEnd: meter.end(run: origin.playerRunID, session: origin.session, at: origin.time)
            case .runBegin: openRuns.insert(origin.playerRunID.string)
            case .runEnd:
                meter.end(run: origin.playerRunID)
                openRuns.remove(origin.playerRunID.string)
            default: break
            }
        }
        guard !ended.sessions.isEmpty else { return }
        let now = Self.wallClock()
        for session in ended.sessions { exposition.add(session, at: now) }
        ended.sessions = []
    }

    /// Whatever goes on is not heard of any more: it counts for nothing.
    mutating func forgetOpenSessions() {
        meter = Self.meter(configuration, ended)
        openRuns = []
    }

    /// The text of a scrape.
    mutating func text(_ form: ExpositionText.Form) -> [UInt8] {
        let text = ExpositionText(form, exemplars: configuration.exemplars, begun: begun)
        text.simple("tally_build_info", "The plugin's version.", [([("version", "1.0.0")], 1)])
        text.simple("tally_runs_open", "Player runs that go on.", [([], Double(openRuns.count))])
        var open: [[String]: Double] = [:]
        for session in meter.openSessions { open[exposition.key(of: session, counting: false), default: 0] += 1 }
        for key in exposition.ended.keys where open[key] == nil { open[key] = 0 }
        func rows<Number: BinaryInteger>(_ counts: [[String]: Number]) -> [(labels: [(String, String)], value: Double)]
        {
            counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { (Array(zip(exposition.labels, $0.key)), Double($0.value)) }
        }
        text.simple("tally_sessions_open", "Sessions that go on.", rows(open.mapValues { Int($0) }))
        text.simple("tally_sessions_ended", isCounter: true, "Sessions that ended.", rows(exposition.ended))
        text.simple(
            "tally_label_values_folded",
            isCounter: true,
            "Times that a session counted for other, because a label had most_values or there were most_series.",
            zip(exposition.labels, exposition.folded).map { ([("label", $0)], Double($1)) }
        )
        text.simple("tally_outputs", isCounter: true, "Outputs that came.", [([], Double(outputs))])
        text.simple(
            "tally_outputs_lost",
            isCounter: true,
            "Outputs that did not come, because the queue in front of the reporter was full.",
            [([], Double(lost))]
        )
        text.add(exposition)
        return text.bytes
    }

    static func wallClock() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
    }
}
