internal import CollectedRuns
internal import CollectorServer
internal import Glibc
internal import Journal
internal import System
internal import Tally
internal import TextEncoding

/// What the collector did, for Prometheus and for who asks by a command.
final class CollectorStatus: Sendable {
    private struct Shown {
        var reception: Reception?
        var servers: [HTTPServer] = []
    }

    let pool: RunPool
    private let journal: Journal
    private let shelf: ArchiveShelf
    private let telemetry: Telemetry
    private let shown = Lock(Shown())
    private let started = SystemTime.monotonic()

    init(pool: RunPool, journal: Journal, shelf: ArchiveShelf, telemetry: Telemetry) {
        self.pool = pool
        self.journal = journal
        self.shelf = shelf
        self.telemetry = telemetry
    }

    /// Shows what requests come too.
    func show(_ reception: Reception, _ servers: [HTTPServer]) {
        shown.with { $0 = Shown(reception: reception, servers: servers) }
    }

    /// One figure.
    private struct Figure {
        let name: String
        let kind: String
        let help: String
        var values: [(labels: String, value: Double)]

        init(_ name: String, _ kind: String, _ help: String, _ value: some BinaryInteger) {
            (self.name, self.kind, self.help) = (name, kind, help)
            values = [("", Double(value))]
        }

        init(_ name: String, _ kind: String, _ help: String, by label: String, _ values: [(String, UInt64)]) {
            (self.name, self.kind, self.help) = (name, kind, help)
            self.values = values.map { ("{\(label)=\"\($0.0)\"}", Double($0.1)) }
        }

        var text: String {
            var text = "# HELP tally_collector_\(name) \(help)\n# TYPE tally_collector_\(name) \(kind)\n"
            for (labels, value) in values {
                let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
                text += "tally_collector_\(name)\(labels) \(number)\n"
            }
            return text
        }
    }

    private var figures: [Figure] {
        let (reception, servers) = shown.with { ($0.reception, $0.servers) }
        let received = reception?.counts.with { $0 } ?? Reception.Counts()
        let counts = pool.counts
        let journal = journal.statistics
        let shelf = shelf.statistics
        return [
            Figure(
                "requests_total",
                "counter",
                "Requests by route.",
                by: "route",
                received.requests.sorted { $0.0 < $1.0 }.map { ($0.key, $0.value) }
            ),
            Figure(
                "answers_total",
                "counter",
                "Answers by status.",
                by: "status",
                received.answers.sorted { $0.0 < $1.0 }.map { ("\($0.key)", $0.value) }
            ),
            Figure("received_bytes_total", "counter", "Bytes of bodies.", received.bytes),
            Figure("lines_total", "counter", "Lines of Tally's own form that were taken.", received.lines),
            Figure("refused_lines_total", "counter", "Lines that could not be used.", received.refusedLines),
            Figure(
                "left_out_lines_total",
                "counter",
                "Numbers within batches that no line had.",
                received.leftOutLines
            ),
            Figure(
                "unknown_words_total",
                "counter",
                "Names of events and members that mean nothing.",
                by: "kind",
                UnknownWord.Kind.allCases.map { ($0.rawValue, reception?.unknownWords.counts[$0] ?? 0) }
            ),
            Figure(
                "repeated_batches_total",
                "counter",
                "Batches of which all lines had come before.",
                received.repeated
            ),
            Figure(
                "refused_records_total",
                "counter",
                "Records of CMCD that could not be read.",
                by: "reason",
                received.refusedRecords.sorted { $0.0 < $1.0 }.map { ($0.key, $0.value) }
            ),
            Figure("connections", "gauge", "Open connections.", servers.reduce(0) { $0 + $1.connectionCount }),
            Figure(
                "incoming_bytes",
                "gauge",
                "Bytes of bodies that are still coming.",
                servers.reduce(0) { $0 + $1.room.bytes }
            ),
            Figure("journal_entries_total", "counter", "Entries that were made safe.", journal.entries),
            Figure("journal_bytes_total", "counter", "Bytes of the journal.", journal.bytes),
            Figure("journal_commits_total", "counter", "How often entries were made safe.", journal.commits),
            Figure("journal_failures_total", "counter", "Commits that failed.", journal.failures),
            Figure("open_runs", "gauge", "Runs that go on.", pool.openRunCount),
            Figure("waiting_bytes", "gauge", "Bytes that wait for the disk or the plugins.", pool.backlog.bytes),
            Figure(
                "tenant_waiting_bytes",
                "gauge",
                "Bytes that wait, by tenant.",
                by: "tenant",
                pool.backlog.bytesOfTenants.sorted { $0.0 < $1.0 }.map { ($0.key, UInt64(clamping: $0.value)) }
            ),
            Figure("runs_begun_total", "counter", "Runs that began.", counts.begun),
            Figure("runs_ended_total", "counter", "Runs that ended.", counts.ended),
            Figure("runs_restored_total", "counter", "Runs of before that something came for.", counts.restored),
            Figure("events_total", "counter", "Track calls that were made.", counts.events),
            Figure(
                "unused_reports_total",
                "counter",
                "Reports that were not used.",
                by: "reason",
                counts.refused.sorted { $0.0 < $1.0 }.map { ($0.key, $0.value) }
            ),
            Figure(
                "failed_writes_total",
                "counter",
                "Attempts to write a run's file that failed.",
                counts.failedWrites
            ),
            Figure("archived_runs_total", "counter", "Runs in archives.", shelf.runs),
            Figure("archived_plain_bytes_total", "counter", "Their bytes before compression.", shelf.plainBytes),
            Figure("archived_bytes_total", "counter", "Their bytes in archives.", shelf.bytes),
            Figure("uptime_seconds", "gauge", "How long it works.", (SystemTime.monotonic() - started) / 1_000_000),
        ]
    }

    /// All figures in the text form of Prometheus.
    var metrics: String {
        var text = figures.filter { !$0.values.isEmpty }.map(\.text).joined()
        let reporters = telemetry.reporterStatistics
        if !reporters.isEmpty {
            text += "# HELP tally_collector_reporter_outputs_total Outputs by reporter and what became of them.\n"
            text += "# TYPE tally_collector_reporter_outputs_total counter\n"
            for (name, statistics) in reporters {
                for (what, count) in [("taken", statistics.taken), ("dropped", statistics.dropped)] {
                    let labels = "reporter=\"\(PrintableText.escaped(name))\",outcome=\"\(what)\""
                    text += "tally_collector_reporter_outputs_total{\(labels)} \(count)\n"
                }
            }
        }
        return text
    }

    /// The figures without labels, as JSON.
    var json: JSONObject {
        var members = JSONObject()
        for figure in figures {
            if figure.values.count == 1, figure.values[0].labels.isEmpty {
                members[figure.name] = .int(Int64(figure.values[0].value))
            }
        }
        if let problem = journal.statistics.problem { members["journal_problem"] = .string(problem) }
        if let problem = shelf.statistics.problem { members["archive_problem"] = .string(problem) }
        return members
    }
}
