/// A figure of docs/bench.md with its target, in the order of the report.
struct FigureDefinition {
    let name: String
    let title: String
    let target: Target

    init(_ name: String, _ title: String, _ target: Target = .none) {
        self.name = name
        self.title = title
        self.target = target
    }

    static let all: [FigureDefinition] =
        calls + isolation + replays + replacements + programs + choices + reports + collectors

    private static let calls: [FigureDefinition] = [
        FigureDefinition("spdlog/one-string", "spdlog, asynchronous, one string"),
        FigureDefinition(
            "track/one-string",
            "track call, one string",
            .partOf("spdlog/one-string", below: 0.5)
        ),
        FigureDefinition("spdlog/20-values", "spdlog, asynchronous, 20 values"),
        FigureDefinition(
            "track/state-and-20",
            "track call, state and 20 attributes, to one string",
            .partOf("spdlog/one-string", below: 1)
        ),
        FigureDefinition(
            "track/state-and-20",
            "track call, state and 20 attributes, to 20 values",
            .partOf("spdlog/20-values", below: 1)
        ),
        FigureDefinition(
            "track/state-and-20/kept",
            "the same while the run keeps what it was told",
            .partOf("spdlog/20-values", below: 1)
        ),
        FigureDefinition(
            "track/library/one-string",
            "the same through the C library, one string",
            .partOf("track/one-string", below: 1.3)
        ),
        FigureDefinition(
            "track/library/state-and-20",
            "the same through the C library, state and 20 attributes",
            .partOf("track/state-and-20", below: 1.3)
        ),
        FigureDefinition("spdlog/one-string/4-threads/p50", "spdlog, 4 threads, median call"),
        FigureDefinition("track/one-string/4-threads/p50", "track call, 4 threads, median call"),
        FigureDefinition("spdlog/one-string/4-threads/p99.9", "spdlog, 4 threads, 99.9 % of calls within"),
        FigureDefinition("track/one-string/4-threads/p99.9", "track call, 4 threads, 99.9 % of calls within"),
        FigureDefinition("spdlog/one-string/4-threads/max", "spdlog, 4 threads, slowest call"),
        FigureDefinition("track/one-string/4-threads/max", "track call, 4 threads, slowest call"),
        FigureDefinition("allocations/caller", "allocations by the caller of 100,000 track calls", .below(0)),
        FigureDefinition("allocations/core", "allocations by the core meanwhile", .below(0)),
        FigureDefinition("allocations/replay", "allocations by 100,000 more replayed events", .below(0)),
        FigureDefinition("allocations/replay-written", "the same with a reporter that writes each", .below(100)),
        FigureDefinition("dispatch/no-tracker", "dispatch of an event without tracker"),
        FigureDefinition("dispatch/host-to-plugin", "host-to-plugin call", .below(10)),
        FigureDefinition("idle-run/none", "memory of an idle run, KiB", .below(8)),
        FigureDefinition("idle-run/new-relic-video", "memory of one with New Relic, KiB"),
        FigureDefinition("state/snapshot", "state and snapshot at a timer", .below(100)),
        FigureDefinition("trace/function", "a function that does not trace"),
        FigureDefinition("trace/off", "a trace line in it while tracing is off", .below(10)),
        FigureDefinition("trace/allocations", "allocations by 100,000 such lines", .below(0)),
    ]

    private static let replays: [FigureDefinition] = [
        FigureDefinition("simdjson/bytes", "simdjson, the same bytes"),
        FigureDefinition("replay/none/bytes", "replay without trackers", .atLeastPartOf("simdjson/bytes", 0.6)),
        FigureDefinition("replay/none/events", "replay without trackers"),
        FigureDefinition("replay/none/time", "replay without trackers"),
        FigureDefinition("replay/example-c/bytes", "replay, C tracker"),
        FigureDefinition("replay/example-c/events", "replay, C tracker"),
        FigureDefinition("replay/example-c/time", "replay, C tracker"),
        FigureDefinition("replay/new-relic-video/bytes", "replay, New Relic tracker"),
        FigureDefinition("replay/new-relic-video/events", "replay, New Relic tracker", .above(500_000)),
        FigureDefinition("replay/new-relic-video/time", "replay, New Relic tracker"),
        FigureDefinition("replay/new-relic-delivery/bytes", "replay, New Relic tracker that delivers"),
        FigureDefinition(
            "replay/new-relic-delivery/events",
            "replay, New Relic tracker that delivers",
            .above(500_000)
        ),
        FigureDefinition("replay/new-relic-delivery/time", "replay, New Relic tracker that delivers"),
        FigureDefinition("replay/nielsen-dcr/bytes", "replay, Nielsen DCR tracker"),
        FigureDefinition("replay/nielsen-dcr/events", "replay, Nielsen DCR tracker", .above(500_000)),
        FigureDefinition("replay/nielsen-dcr/time", "replay, Nielsen DCR tracker"),
        FigureDefinition("replay/mux-data/bytes", "replay, Mux Data tracker"),
        FigureDefinition("replay/mux-data/events", "replay, Mux Data tracker", .above(500_000)),
        FigureDefinition("replay/mux-data/time", "replay, Mux Data tracker"),
        FigureDefinition("replay/adobe-heartbeat/bytes", "replay, Adobe heartbeat tracker"),
        FigureDefinition("replay/adobe-heartbeat/events", "replay, Adobe heartbeat tracker", .above(500_000)),
        FigureDefinition("replay/adobe-heartbeat/time", "replay, Adobe heartbeat tracker"),
        FigureDefinition("replay/adobe-analytics/bytes", "replay, Adobe Analytics tracker"),
        FigureDefinition("replay/adobe-analytics/events", "replay, Adobe Analytics tracker", .above(500_000)),
        FigureDefinition("replay/adobe-analytics/time", "replay, Adobe Analytics tracker"),
        FigureDefinition("curl/4/beacons", "libcurl alone, 4 connections"),
        FigureDefinition(
            "delivery/spool/4/beacons",
            "http with its spool, 4 connections",
            .atLeastPartOf("curl/4/beacons", 0.5)
        ),
        FigureDefinition(
            "delivery/memory/4/beacons",
            "http without spool, 4 connections",
            .atLeastPartOf("curl/4/beacons", 0.5)
        ),
        FigureDefinition("curl/4/processor", "libcurl alone, 4 connections, processor"),
        FigureDefinition("delivery/spool/4/processor", "http with its spool, 4 connections, processor"),
        FigureDefinition("delivery/memory/4/processor", "http without spool, 4 connections, processor"),
        FigureDefinition("curl/16/beacons", "libcurl alone, 16 connections"),
        FigureDefinition(
            "delivery/spool/16/beacons",
            "http with its spool, 16 connections",
            .atLeastPartOf("curl/16/beacons", 0.5)
        ),
        FigureDefinition(
            "delivery/memory/16/beacons",
            "http without spool, 16 connections",
            .atLeastPartOf("curl/16/beacons", 0.5)
        ),
        FigureDefinition("curl/16/processor", "libcurl alone, 16 connections, processor"),
        FigureDefinition("delivery/spool/16/processor", "http with its spool, 16 connections, processor"),
        FigureDefinition("delivery/memory/16/processor", "http without spool, 16 connections, processor"),
        FigureDefinition("rdkafka/beacons", "librdkafka's own performance tool"),
        FigureDefinition("kafka/spool/beacons", "kafka with its spool", .atLeastPartOf("rdkafka/beacons", 0.5)),
        FigureDefinition("kafka/memory/beacons", "kafka without spool", .atLeastPartOf("rdkafka/beacons", 0.5)),
        FigureDefinition("kafka/spool/processor", "kafka with its spool, processor"),
        FigureDefinition("kafka/memory/processor", "kafka without spool, processor"),
        FigureDefinition("kafka/waiting/memory", "kafka, peak memory, messages that wait", .below(65_536)),
        FigureDefinition("kafka/waiting/taken", "kafka, taken into the spool"),
        FigureDefinition("kafka/waiting/opened", "kafka, time to open its spool"),
        FigureDefinition("otlp/spool/beacons", "otlp with its spool, records"),
        FigureDefinition("otlp/memory/beacons", "otlp without spool, records"),
        FigureDefinition("otlp/spool/processor", "otlp with its spool, records, processor"),
        FigureDefinition("otlp/memory/processor", "otlp without spool, records, processor"),
        FigureDefinition("otlp/waiting/memory", "otlp, peak memory, records that wait", .below(65_536)),
        FigureDefinition("otlp/waiting/taken", "otlp, taken into the spool"),
        FigureDefinition("otlp/waiting/opened", "otlp, time to open its spool"),
        FigureDefinition("sessions/none/wall", "the reference archive, replayed for no reporter"),
        FigureDefinition("sessions/prometheus/wall", "the same for prometheus", .ratioTo("sessions/none/wall")),
        FigureDefinition("sessions/cmcd/wall", "the same for cmcd", .ratioTo("sessions/none/wall")),
        FigureDefinition("sessions/sqlite/wall", "the same for sqlite", .ratioTo("sessions/none/wall")),
        FigureDefinition("sessions/psql/wall", "psql, which copies the rows of its events"),
        FigureDefinition("sessions/postgres/wall", "the same for postgres", .ratioTo("sessions/psql/wall")),
        FigureDefinition("sessions/postgres/memory", "postgres, peak memory of the replay", .below(131_072)),
        FigureDefinition("sessions/away/memory", "postgres without its server, the same", .below(131_072)),
        FigureDefinition("sessions/cmcd/memory", "cmcd, the same", .below(131_072)),
        FigureDefinition("waiting/memory", "http, peak memory, beacons that wait", .below(65_536)),
        FigureDefinition("waiting/taken", "http, taken into the spool"),
        FigureDefinition("waiting/again/memory", "the same, begun again", .below(65_536)),
        FigureDefinition("waiting/again/opened", "http, time to open a spool of all that wait"),
        FigureDefinition("small/none/memory", "peak memory, no trackers, a tenth of the events"),
        FigureDefinition(
            "large/none/memory",
            "peak memory, no trackers",
            .partOf("small/none/memory", below: 1.05)
        ),
        FigureDefinition("small/new-relic-video/memory", "peak memory, New Relic, a tenth of the events"),
        FigureDefinition(
            "large/new-relic-video/memory",
            "peak memory, New Relic",
            .partOf("small/new-relic-video/memory", below: 1.25)
        ),
        FigureDefinition("playback/telemetry/cpu", "telemetry while media is played", .below(0.5)),
        FigureDefinition("playback/none/memory", "memory of a player without telemetry"),
        FigureDefinition("playback/telemetry/memory", "memory that telemetry adds", .below(5120)),
        FigureDefinition("playback/telemetry/anonymous", "memory that telemetry adds, mapped files left out"),
        FigureDefinition("playback/telemetry/images", "what of it are images of plugins, files in memory"),
    ]

    /// Whole programs, from their start to their end.
    private static let replacements: [FigureDefinition] = ["mux-data", "new-relic-video"].flatMap { plugin in
        [
            FigureDefinition("replacement/\(plugin)/replay", "replay of four hours, \(plugin)"),
            FigureDefinition(
                "replacement/\(plugin)/archive",
                "replaced in the fourth hour, \(plugin)",
                .below(250)
            ),
            FigureDefinition(
                "replacement/\(plugin)/archive",
                "the same, to its replay",
                .ratioTo("replacement/\(plugin)/replay")
            ),
            FigureDefinition("replacement/\(plugin)/kept", "the same without an archive", .below(250)),
            FigureDefinition("replacement/\(plugin)/kept/calm-call", "longest track call before"),
            FigureDefinition("replacement/\(plugin)/kept/call", "longest track call meanwhile"),
        ]
    }

    private static let programs: [FigureDefinition] =
        [
            FigureDefinition("simdjson-program/cpu", "simdjson, whole program"),
            FigureDefinition("jq/cpu", "jq -c ."),
            FigureDefinition("duckdb/1/wall", "DuckDB, one thread"),
            FigureDefinition("duckdb/2/wall", "DuckDB, two threads"),
            FigureDefinition("checking/1/wall", "checking, one thread", .partOf("duckdb/1/wall", below: 1)),
            FigureDefinition("checking/2/wall", "checking, two jobs", .partOf("duckdb/2/wall", below: 1)),
            FigureDefinition("checking/1/rate", "checking, one thread"),
            FigureDefinition("batch/zstd/1/rate", "checking zstd, one thread"),
            FigureDefinition("threads/0/cpu", "all trackers, one thread"),
            FigureDefinition(
                "threads/2/cpu",
                "all trackers, as it is without an option",
                .partOf("threads/0/cpu", below: 1.25)
            ),
            FigureDefinition("processors/way", "a cache line to the other processor and back"),
            FigureDefinition("processors/together", "a busy loop on both processors at once"),
        ]
        + measuredPrograms.flatMap(perJobs)
        + [
            FigureDefinition("diff/rate", "tally-replay diff of equal outputs"),
            FigureDefinition("batch-small/memory", "peak memory, two jobs, a tenth of the events", .below(98_304)),
            FigureDefinition(
                "batch-large/memory",
                "peak memory, two jobs",
                .partOf("batch-small/memory", below: 1.25)
            ),
        ]

    /// Choosing runs of an archive, and reading very many archives.
    private static let choices: [FigureDefinition] =
        [FigureDefinition("choosing/all/wall", "replay of all")]
        + [
            ("where-media", "--where, of a session"), ("where-event", "--where, of an event"),
            ("where-state", "--where, of each sample"), ("asset", "--asset"), ("from", "--from, which takes all"),
        ].map { name, title in
            FigureDefinition("choosing/\(name)/wall", title, .partOf("choosing/all/wall", below: 2))
        }
        + [
            FigureDefinition("choosing/run/wall", "--run, ten times the events"),
            FigureDefinition("choosing/making/wall", "making an index of them", .ratioTo("choosing/run/wall")),
            FigureDefinition("choosing/index/wall", "--run with it", .partOf("choosing/run/wall", below: 0.1)),
            FigureDefinition("choosing/small/1/wall", "20,000 small archives, --io-threads 1"),
            FigureDefinition("choosing/small/0/wall", "--io-threads 0", .ratioTo("choosing/small/1/wall")),
            FigureDefinition("choosing/small/2/wall", "--io-threads 2", .partOf("choosing/small/1/wall", below: 1.25)),
        ]

    /// Reports, each beside a replay of the same archive through the same trackers.
    private static let reports: [FigureDefinition] = [
        ("one", "new-relic-video"), ("three", "three trackers"), ("five", "all trackers"), ("made", "10,000 sessions"),
    ].flatMap { name, title in
        [
            FigureDefinition("report/\(name)/replay/wall", "replay, \(title)"),
            FigureDefinition("report/\(name)/wall", "report", .partOf("report/\(name)/replay/wall", below: 1.5)),
            FigureDefinition("report/\(name)/memory", "peak memory of it", .below(307_200)),
        ]
    }

    private static let measuredPrograms =
        ["none", "zstd"]
        + ["new-relic-video", "nielsen-dcr", "mux-data", "adobe-heartbeat", "adobe-analytics", "all"]
        .flatMap { [$0, "\($0)-zstd"] }
        + ["file"]

    /// One thread, and two jobs of the same replay.
    ///
    /// Two jobs are compared with one thread alone, and with half of two such programs at once: what of the second
    /// processor the machine gives away to others, or takes back by its shared caches, is in both of the latter.
    private static func perJobs(_ name: String) -> [FigureDefinition] {
        let (one, pair, two) = ("batch/\(name)/1", "batch/\(name)/pair", "batch/\(name)/2")
        return [
            FigureDefinition("\(one)/cpu", "\(name), one thread"),
            FigureDefinition("\(pair)/cpu", "\(name), one of two at once", .ratioTo("\(one)/cpu")),
            FigureDefinition("\(two)/cpu", "\(name), two jobs", .partOf("\(one)/cpu", below: 1.1)),
            FigureDefinition("\(two)/cpu", "the same, of one of two at once", .partOf("\(pair)/cpu", below: 1.1)),
            FigureDefinition("\(one)/wall", "\(name), one thread"),
            FigureDefinition("\(pair)/wall", "\(name), half of two at once", .ratioTo("\(one)/wall")),
            FigureDefinition("\(two)/wall", "\(name), two jobs", .partOf("\(one)/wall", below: 0.625)),
            FigureDefinition("\(two)/wall", "the same, of half of two at once", .partOf("\(pair)/wall", below: 1.25)),
        ]
    }
}
