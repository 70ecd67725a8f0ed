internal import AdobeShared
internal import PluginKit

/// Puts hits out: each as a record, and as the POST request that carries it.
final class HitWriter {
    /// Where the request goes, for reporters.
    static let destination = "adobe.analytics"
    private static let type: StaticString = "AdobeAnalytics.HitWriter"

    var configuration = AnalyticsConfiguration()
    private let host: TrackerHost
    private let tracer: Tracer
    /// What is written into: in each call those of its thread.
    private var builders = CallBuilders.ofThread
    private var record: RecordBuilder { builders.record }
    private var beacon: BeaconBuilder { builders.beacon }

    init(host: TrackerHost, tracer: Tracer) {
        self.host = host
        self.tracer = tracer
    }

    /// Puts a hit out.
    func emit(_ hit: Hit, at time: Int64) {
        builders = .ofThread
        record.begin(hit.kind.name)
        address()
        let visitor = variables(of: hit)
        context(of: hit)
        tracer.debug(Self.type, "emit", at: time, "POST \(beacon.url.string) \(traced(visitor))")
        beacon.carry(host.emit(record))
        host.emit(beacon)
    }

    private func address() {
        let settings = configuration.settings
        beacon.begin(destination: Self.destination)
        beacon.options = settings.keepsOffline ? .keepOrder : [.keepOrder, .dropIfOffline]
        beacon.addHeader("Content-Type", "application/x-www-form-urlencoded")
        beacon.url.append(settings.usesTLS ? "https://" : "http://")
        beacon.url.append(settings.server)
        beacon.url.append("/b/ss/")
        for (index, suite) in settings.reportSuites.enumerated() {
            if index > 0 { beacon.url.append(",") }
            PercentEncoding.append(suite, to: beacon.url)
        }
        beacon.url.append(settings.forwardsToAudienceManager ? "/10/" : "/0/")
        beacon.url.append(AdobeAnalyticsTracker.wireVersion)
        beacon.url.append("/s")
        beacon.url.append(decimal: host.random() % 1_000_000_000)
        record.set("rsids", settings.reportSuites.joined(separator: ","))
    }

    /// Writes the plain variables, and says where those that tell who watches stand.
    private func variables(of hit: Hit) -> Range<Int> {
        let settings = configuration.settings
        beacon.body.append("ndh=1")
        variable("ce", settings.charset)
        variable("pe", "\(hit.kind.event)")
        variable("pev3", "\(hit.kind.content)")
        // Date, time and weekday are left to the server; a tracker knows no time zone.
        variable("t", "00/00/0000 00:00:00 0 0")
        if settings.keepsOffline { variable("ts", "\(hit.epochSeconds)") }
        let start = beacon.body.count
        variable("aid", configuration.analyticsID)
        variable("mid", configuration.marketingCloudID)
        variable("vid", hit.viewer)
        return start..<beacon.body.count
    }

    private func context(of hit: Hit) {
        beacon.body.append("&c.&a.&contentType=")
        beacon.body.append(hit.kind.content)
        record.set("a.contentType", hit.kind.content)
        beacon.body.append("&media.")
        for (name, value) in hit.media { field("a.media.", name, value) }
        if !hit.ad.isEmpty {
            beacon.body.append("&ad.")
            for (name, value) in hit.ad { field("a.media.ad.", name, value) }
            beacon.body.append("&.ad")
        }
        beacon.body.append("&.media&.a&.c")
    }

    private func variable(_ name: StaticString, _ value: String) {
        guard !value.isEmpty else { return }
        beacon.body.append("&")
        beacon.body.append(name)
        beacon.body.append("=")
        PercentEncoding.append(value, to: beacon.body)
        record.set(name, value)
    }

    private func field(_ path: String, _ name: String, _ value: Hit.Value) {
        beacon.body.append("&")
        beacon.body.append(name)
        beacon.body.append("=")
        switch value {
        case .text(let text):
            PercentEncoding.append(text, to: beacon.body)
            record.set(named: "\(path)\(name)", .string(text))
        case .number(let number):
            beacon.body.append(decimal: number)
            record.set(named: "\(path)\(name)", .int(number))
        }
    }

    /// The body as traces show it: without who watches.
    private func traced(_ visitor: Range<Int>) -> String {
        let bytes = beacon.body.bytes
        return String(decoding: bytes[..<visitor.lowerBound], as: UTF8.self)
            + (visitor.isEmpty ? "" : "&visitor=(hidden)")
            + String(decoding: bytes[visitor.upperBound...], as: UTF8.self)
    }
}
