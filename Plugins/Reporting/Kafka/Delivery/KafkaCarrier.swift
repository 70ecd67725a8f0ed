internal import KafkaClient
internal import PluginKit
internal import Spooling
internal import Threads

/// Brings what a spool keeps as messages.
///
/// A broker that refuses a message for its size refuses all that came with it: each of them is then sent alone, so that
/// only what is too large is given up.
final class KafkaCarrier: Carrier, @unchecked Sendable {
    /// Messages under way together; librdkafka takes 100,000.
    private static let most = 20_000

    private let settings: KafkaSettings
    private let producer = Guarded<KafkaProducer?>(nil)
    private var waiting: [Int: StoredBeacon] = [:]
    private var bytes = 0
    /// What polling found outside of ``perform(_:)``.
    private var found: [KafkaProducer.Event] = []
    /// Refused for their size, together with others; and the one of them that is under way alone.
    private var suspects: [StoredBeacon] = []
    private var alone: Int64?
    private var isBroken = false
    private var notices: ProducerNotices
    /// How many messages are sent again of which nobody knows whether they arrived.
    let repeats = Guarded(Int64(0))

    init(_ settings: KafkaSettings, _ host: ReporterHost) throws(ReporterFault) {
        self.settings = settings
        notices = ProducerNotices(host)
        do throws(KafkaFailure) {
            let made = try KafkaProducer(settings)
            producer.with { $0 = made }
        } catch {
            throw ReporterFault("librdkafka makes no producer: \(error)")
        }
    }

    /// Messages are small and many: what was just committed goes out without being read again.
    let window = (beacons: 6_144, bytes: 4 << 20)

    var underway: [StoredBeacon] { waiting.values + suspects }
    var count: Int { waiting.count + suspects.count }

    /// No more than librdkafka's queue has room for, and nothing beside a suspect.
    var limits: (all: Int, one: Int) {
        let isOpen = bytes < KafkaConfiguration.queuedBytes / 2 && suspects.isEmpty && alone == nil && !isBroken
        return isOpen ? (Self.most, Self.most) : (count, count)
    }

    func start(_ beacon: StoredBeacon, attempt: Int64) -> CarrierStart {
        guard let producer = producer.with({ $0 }) else { return .busy }
        let content = beacon.content
        let outcome = unsafe content.url.withUnsafeBytes { key in
            unsafe content.body.withUnsafeBytes { value in
                unsafe content.headers.withUnsafeBytes { headers in
                    unsafe producer.produce(
                        Int(beacon.place),
                        topic: content.destination,
                        key: key,
                        value: value,
                        headers: headers
                    )
                }
            }
        }
        switch outcome {
        case .queued:
            waiting[Int(beacon.place)] = beacon
            bytes += beacon.size
            return .started
        case .full: return .busy
        case .broken:
            isBroken = true
            return .busy
        case .refused(let failure): return .malformed(failure.description)
        }
    }

    func perform(_ ended: (StoredBeacon, CarrierOutcome) -> Void) {
        var events = found
        found = []
        // One round takes what is there: what comes meanwhile is for the next.
        while events.count < 64, let event = poll(0) { events.append(event) }
        for event in events { handle(event, ended) }
        if isBroken, waiting.isEmpty { mend() }
        trySuspect(ended)
    }

    func wait(milliseconds: Int64) {
        if let event = poll(milliseconds) { found.append(event) }
    }

    func wake() { producer.with { $0 }?.wake() }

    private func poll(_ milliseconds: Int64) -> KafkaProducer.Event? {
        producer.with { $0 }?.poll(milliseconds: milliseconds)
    }

    private func handle(_ event: KafkaProducer.Event, _ ended: (StoredBeacon, CarrierOutcome) -> Void) {
        switch event {
        case .reports(let reports): for report in reports { handle(report, ended) }
        case .notice(let text, let isError): notices.log(text, isError: isError, at: SystemClock.monotonic())
        case .fatal(let text):
            notices.host.log(.warning, "librdkafka: \(text); the producer is made anew, nothing is lost")
            isBroken = true
            producer.with { $0 }?.purge()
        }
    }

    private func handle(_ report: KafkaProducer.Report, _ ended: (StoredBeacon, CarrierOutcome) -> Void) {
        guard let beacon = waiting.removeValue(forKey: report.tag) else { return }
        bytes -= beacon.size
        let wasAlone = alone == beacon.place
        if wasAlone { alone = nil }
        guard let reason = report.failure else { return ended(beacon, .delivered) }
        if reason.isOfMessage, !isBroken {
            if wasAlone { return ended(beacon, .refused(reason.description, status: Int(reason.code))) }
            return suspects.append(beacon)
        }
        var failure = CarrierFailure(reason.description)
        failure.wasSent = report.mayHaveArrived
        if report.mayHaveArrived { repeats.with { $0 += 1 } }
        ended(beacon, .failed(failure))
    }

    /// Sends the next message that was refused for its size, when nothing else is under way.
    private func trySuspect(_ ended: (StoredBeacon, CarrierOutcome) -> Void) {
        guard waiting.isEmpty, !isBroken, let beacon = suspects.first else { return }
        switch start(beacon, attempt: 1) {
        case .started:
            suspects.removeFirst()
            alone = beacon.place
        case .malformed(let text):
            suspects.removeFirst()
            ended(beacon, .malformed(text))
        case .busy, .waits: break
        }
    }

    /// Makes another producer in the place of one that is broken, once nothing of that is under way.
    private func mend() {
        guard let made = try? KafkaProducer(settings) else { return }
        producer.with { $0 = made }
        isBroken = false
    }
}

/// Passes on what librdkafka says, each text once a minute at most: while a broker is gone it says so again and again.
struct ProducerNotices {
    private static let pause: Int64 = 60_000
    private static let kept = 64

    let host: ReporterHost
    private var said: [String: Int64] = [:]

    init(_ host: ReporterHost) { self.host = host }

    /// Logs a notice.
    mutating func log(_ text: String, isError: Bool, at now: Int64) {
        // Numbers in it tell one attempt from another.
        let kind = String(text.filter { !$0.isNumber }.prefix(200))
        if let last = said[kind], now - last < Self.pause { return }
        if said.count >= Self.kept { said = [:] }
        said[kind] = now
        host.log(isError ? .warning : .info, "librdkafka: \(text)")
    }
}
