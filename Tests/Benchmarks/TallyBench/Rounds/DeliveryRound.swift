internal import Coordinator
internal import EventModel
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Reporting
internal import System

/// How many small beacons a second a reporter delivers to a server, and how much memory it has with many that wait.
enum DeliveryRound {
    private static let runID = "benchrun01"
    private static let body = String(repeating: "b", count: 180)

    /// Beacons a second from the first that is handed over to the answer to the last one.
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let url = try arguments.file()
        let beacons = try arguments.number("--beacons", or: 20_000)
        let connections = try arguments.number("--connections", or: 4)
        let spool = arguments.text("--spool", or: "")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        let configuration = #"{"concurrency":\#(connections)\#(member("spool", spool))}"#
        let name = "delivery/\(spool.isEmpty ? "memory" : "spool")/\(connections)"
        try measure(name, beacons, to: url, reporter("http", configuration, directory))
    }

    /// The same of messages, to a broker of librdkafka's mock cluster in the same process.
    static func messages(_ arguments: inout Arguments) throws(BenchError) {
        let beacons = try arguments.number("--messages", or: 300_000)
        let spool = arguments.text("--spool", or: "")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        let configuration = #"{"options":{"test.mock.num.brokers":1}\#(member("spool", spool))}"#
        let name = "kafka/\(spool.isEmpty ? "memory" : "spool")"
        try measure(name, beacons, to: "http://127.0.0.1/", reporter("kafka", configuration, directory))
    }

    /// The same of records that the reporter `otlp` sends to a server, many in a request.
    static func exports(_ arguments: inout Arguments) throws(BenchError) {
        let url = try arguments.file()
        let records = try arguments.number("--records", or: 300_000)
        let spool = arguments.text("--spool", or: "")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        let configuration = #"{"endpoint":"\#(url)","signals":["logs"]\#(member("spool", spool))}"#
        let name = "otlp/\(spool.isEmpty ? "memory" : "spool")"
        try measure(name, records, to: url, reporter("otlp", configuration, directory), exported: true)
    }

    private static func measure(
        _ name: String,
        _ beacons: Int,
        to url: String,
        _ reporter: ReporterInstance,
        exported: Bool = false
    ) throws(BenchError) {
        let begin = (wall: Stopwatch.wall(), processor: Stopwatch.processor())
        if exported { sendRecords(beacons, reporter) } else { send(beacons, to: url, reporter) }
        let expected = exported ? requests(beacons) : beacons
        let answer = flush(reporter)
        let wall = Double(Stopwatch.wall() - begin.wall) / 1e9
        let processor = Double(Stopwatch.processor() - begin.processor) / 1e3
        reporter.close(limit: 60_000)
        guard answer?.delivered == UInt64(expected) else {
            throw .refused("\(answer?.delivered ?? 0) of \(expected) beacons were delivered to \(url)")
        }
        Figure(name + "/beacons", Double(beacons) / wall, "beacons/s", [("beacons", "\(beacons)")]).printLine()
        Figure(name + "/processor", processor / Double(beacons), "us/beacon").printLine()
    }

    /// The most memory while so many beacons come and wait, with a server that is not there.
    static func waiting(_ arguments: inout Arguments) throws(BenchError) {
        let beacons = try arguments.number("--beacons", or: 1_000_000)
        let spool = arguments.text("--spool", or: "")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        let begun = arguments.text("--begun", or: "no")
        let plugin = arguments.text("--reporter", or: "http")
        try arguments.finish()
        guard !spool.isEmpty else { throw .missing("--spool") }
        let begin = Stopwatch.wall()
        let brokers = plugin == "kafka" ? "127.0.0.1:1" : ""
        let endpoint = plugin == "otlp" ? "http://127.0.0.1:1" : ""
        let reporter = try reporter(
            plugin,
            #"{"largest_mib":4096,"settled":"committed","drain_ms":0\#(member("spool", spool))\#(member("brokers", brokers))\#(member("endpoint", endpoint))}"#,
            directory
        )
        let opened = Double(Stopwatch.wall() - begin) / 1e9
        if begun == "no" {
            if plugin == "otlp" {
                sendRecords(beacons, reporter)
            } else {
                send(beacons, to: "http://127.0.0.1:1/", reporter)
            }
            _ = flush(reporter)
        }
        let waiting = try statistics(reporter)
        let passed = Double(Stopwatch.wall() - begin) / 1e9
        reporter.close(limit: 60_000)
        let expected = plugin == "otlp" ? requests(beacons) : beacons
        guard waiting.contains("\"waiting\":\(expected)") else { throw .refused("not all wait: \(waiting)") }
        let name = (plugin == "http" ? "" : "\(plugin)/") + (begun == "no" ? "waiting" : "waiting/again")
        Figure(name + "/memory", Double(Self.peakMemory()), "KiB", [("beacons", "\(beacons)")]).printLine()
        Figure(name + "/taken", Double(beacons) / passed, "beacons/s").printLine()
        Figure(name + "/opened", opened, "s").printLine()
    }

    // MARK: - Parts

    private static func member(_ key: String, _ value: String) -> String {
        value.isEmpty ? "" : #","\#(key)":"\#(value)""#
    }

    private static func reporter(
        _ plugin: String,
        _ configuration: String,
        _ directory: String
    ) throws(BenchError) -> ReporterInstance {
        do throws(PluginError) {
            let catalog = PluginCatalog()
            catalog.search(directory)
            return try ReporterInstance(
                name: plugin,
                entry: catalog.find(plugin),
                configuration: configuration,
                policy: .wait,
                log: PluginLog { _, level, message in
                    if level >= TALLY_LOG_ERROR { StandardError.write("tally-bench: \(message)\n") }
                }
            )
        } catch {
            throw .refused(error.description)
        }
    }

    /// Hands over beacons as a tracker would say them.
    static func send(_ beacons: Int, to url: String, _ reporter: ReporterInstance) {
        let identity = OriginIdentity(runID: runID, pluginID: "bench", version: "1", instance: "bench", epoch: 0)
        defer { withExtendedLifetime(identity) {} }
        let texts = LentTexts(["bench", "POST", url, body, "Content-Type", "application/json"])
        var header = unsafe tally_header(name: texts[4], value: texts[5])
        var beacon = unsafe tally_beacon()
        unsafe beacon.struct_size = UInt32(MemoryLayout<tally_beacon>.size)
        unsafe beacon.destination = texts[0]
        unsafe beacon.method = texts[1]
        unsafe beacon.url = texts[2]
        unsafe beacon.body = texts[3]
        unsafe beacon.header_count = 1
        unsafe withUnsafePointer(to: &header) { header in
            unsafe beacon.headers = unsafe header
            unsafe withUnsafePointer(to: &beacon) { beacon in
                for number in 1...beacons {
                    unsafe reporter.consume(
                        Output(
                            what: TALLY_OUTPUT_BEACON,
                            identity: identity,
                            session: 1,
                            ordinal: UInt64(number),
                            time: Int64(number),
                            item: UnsafeRawPointer(beacon)
                        )
                    )
                }
            }
        }
    }

    /// Records of one request of the reporter `otlp`.
    private static let recordsOfRequest = 512

    /// How many requests so many records are.
    private static func requests(_ records: Int) -> Int { (records + recordsOfRequest - 1) / recordsOfRequest }

    /// Hands over records as a tracker would say them, and the end of their session.
    private static func sendRecords(_ records: Int, _ reporter: ReporterInstance) {
        let identity = OriginIdentity(runID: runID, pluginID: "bench", version: "1", instance: "bench", epoch: 0)
        defer { withExtendedLifetime(identity) {} }
        let builder = RecordBuilder()
        builder.begin("heartbeat" as StaticString)
        builder.set("text", body)
        builder.set("number", 17 as Int64)
        defer { withExtendedLifetime(builder) {} }
        for number in 1...records {
            unsafe reporter.consume(
                Output(
                    what: TALLY_OUTPUT_RECORD,
                    identity: identity,
                    session: 1,
                    ordinal: UInt64(number),
                    time: Int64(number),
                    item: UnsafeRawPointer(builder.raw)
                )
            )
        }
        unsafe reporter.consume(
            Output(
                what: TALLY_OUTPUT_SESSION_END,
                identity: identity,
                session: 1,
                ordinal: 0,
                time: Int64(records),
                item: nil
            )
        )
    }

    /// Has all delivered that was handed over; what became of it.
    static func flush(_ reporter: ReporterInstance) -> FlushAnswer? {
        let answer = Condition<FlushAnswer?>(nil)
        reporter.flush(runID: runID, session: 0, budget: 600_000) { given in answer.change { $0 = given } }
        return answer.wait(until: nil) { $0 }
    }

    private static func statistics(_ reporter: ReporterInstance) throws(BenchError) -> String {
        let answer: Result<String, PluginError>
        do throws(JobFailure) {
            answer = try reporter.run(command: "stats", arguments: "{}", limit: 60_000)
        } catch {
            throw .refused("stats: \(error)")
        }
        switch answer {
        case .success(let text): return text
        case .failure(let error): throw .refused(error.description)
        }
    }

    /// The most memory that the process has had, KiB.
    private static func peakMemory() -> Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}

/// Texts in the form of the plugin interface; they live as long as this object.
@safe private final class LentTexts {
    private let views: [tally_str]

    init(_ texts: [String]) {
        unsafe views = unsafe texts.map { text in
            let bytes = unsafe strdup(text)
            return unsafe tally_str(ptr: UnsafePointer(bytes), len: text.utf8.count)
        }
    }

    deinit {
        for index in unsafe views.indices {
            unsafe free(UnsafeMutablePointer(mutating: views[index].ptr))
        }
    }

    subscript(index: Int) -> tally_str { unsafe views[index] }
}
