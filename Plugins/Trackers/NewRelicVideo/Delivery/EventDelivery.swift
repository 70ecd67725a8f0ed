package import PluginKit

/// Gathers events into requests to New Relic's Event API and emits them as beacons.
///
/// Events of live streams wait less long than those of content on demand, so there are two batches.
package final class EventDelivery {
    /// What was done, and cut.
    package private(set) var statistics = DeliveryStatistics()

    private let host: TrackerHost
    private let configuration: DeliveryConfiguration
    private let encoder = EventEncoder()
    private let onDemand: EventBatch
    private let live: EventBatch
    private var hasToldCut = false
    /// Whether anything has been harvested; what was sent outside a session was not.
    private var hasHarvested: Bool

    /// Delivers as configured, and goes on from a delivery before.
    init(
        _ configuration: DeliveryConfiguration,
        generation: Generation,
        host: TrackerHost,
        after old: EventDelivery?
    ) {
        self.host = host
        statistics = old?.statistics ?? DeliveryStatistics()
        hasHarvested = old?.hasHarvested ?? false
        self.configuration = configuration
        // Generation B's first harvest comes early.
        onDemand = EventBatch(configuration.onDemand, firstWait: generation == .b ? 1_000_000 : nil)
        live = EventBatch(configuration.live, firstWait: generation == .b ? 500_000 : nil)
    }

    /// Adds an event that was emitted as a record; `time` is the run's, us.
    func add(_ attributes: EventAttributes, _ ordinal: UInt64, isLive: Bool, at time: Int64) {
        let batch = isLive ? live : onDemand
        let event = encoder.encode(attributes, &statistics)
        defer { logCut() }
        guard event.count + 2 <= EventAPILimits.requestBytes else {
            statistics.eventsTooLarge += 1
            return
        }
        let isOver = batch.bytes(with: event) > batch.limits.bytes || batch.count >= configuration.maximumEvents
        if batch.count > 0, isOver { harvest(batch) }
        batch.append(event, ordinal)
        if batch.timer == nil {
            let wait = hasHarvested ? batch.limits.period : batch.firstWait
            batch.timer = host.startTimer(at: time + wait, scope: .instance)
        }
    }

    /// Whether the timer that fires ends a batch's wait; if so, the batch has been sent.
    func fires(_ timer: TimerID) -> Bool {
        guard let batch = [onDemand, live].first(where: { $0.timer == timer }) else { return false }
        harvest(batch)
        return true
    }

    /// Sends all that waits.
    package func harvest() {
        harvest(onDemand)
        harvest(live)
    }

    /// Sends what was said outside a session, where nothing waits: the first harvest is still to come.
    package func sendOutsideSession() {
        send(onDemand)
        send(live)
    }

    private func harvest(_ batch: EventBatch) {
        hasHarvested = hasHarvested || batch.count > 0
        send(batch)
    }

    private func send(_ batch: EventBatch) {
        if let timer = batch.timer { host.cancel(timer) }
        batch.timer = nil
        guard batch.count > 0 else { return }
        let beacon = CallBuilders.ofThread.beacon
        beacon.begin(destination: "newrelic.event-api")
        beacon.url.append(configuration.url)
        beacon.addHeader("Content-Type", "application/json")
        beacon.setCredential(configuration.credential)
        beacon.options = configuration.wantsGzip ? .gzipWanted : []
        beacon.maximumAgeSeconds = EventAPILimits.ageSeconds
        beacon.body.append(UInt8(ascii: "["))
        beacon.body.append(batch.events)
        beacon.body.append(UInt8(ascii: "]"))
        for ordinal in batch.ordinals { beacon.carry(ordinal) }
        statistics.requests += 1
        statistics.bytes += Int64(beacon.body.count)
        statistics.events += Int64(batch.count)
        batch.removeAll()
        host.emit(beacon)
    }

    /// Says once that the limits had to cut something.
    private func logCut() {
        guard !hasToldCut, statistics.hasCut else { return }
        hasToldCut = true
        host.log(
            .warning,
            "an event broke a limit of the Event API and was cut: the command \"delivery\" has the counts"
        )
    }
}

extension TrackerConfiguration {
    /// What delivers events as configured; nil when they are records alone.
    func makeDelivery(_ host: TrackerHost, after old: EventDelivery? = nil) -> EventDelivery? {
        delivery.map { EventDelivery($0, generation: generation, host: host, after: old) }
    }
}

/// What delivery did, and what it had to cut to keep within the limits of the Event API.
package struct DeliveryStatistics: Equatable, Sendable {
    /// Requests made.
    package internal(set) var requests: Int64 = 0
    /// Bytes of their bodies.
    package internal(set) var bytes: Int64 = 0
    /// Events in them.
    package internal(set) var events: Int64 = 0
    /// Events that alone were too large for a request.
    package internal(set) var eventsTooLarge: Int64 = 0
    /// Attributes beyond what an event may have.
    package internal(set) var attributesTooMany: Int64 = 0
    /// Attributes whose name is too long or belongs to the service.
    package internal(set) var namesRefused: Int64 = 0
    /// Attributes whose number is none.
    package internal(set) var valuesRefused: Int64 = 0
    /// Texts that were cut.
    package internal(set) var valuesCut: Int64 = 0

    /// Whether anything was left out or cut.
    package var hasCut: Bool { eventsTooLarge + attributesTooMany + namesRefused + valuesRefused + valuesCut > 0 }

    /// The counts by name.
    package var json: JSONValue {
        .object([
            "requests": .int(requests), "bytes": .int(bytes), "events": .int(events),
            "eventsTooLarge": .int(eventsTooLarge), "attributesTooMany": .int(attributesTooMany),
            "namesRefused": .int(namesRefused), "valuesRefused": .int(valuesRefused), "valuesCut": .int(valuesCut),
        ])
    }
}
