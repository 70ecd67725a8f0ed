internal import PluginKit

/// Events that wait for a beacon: each is written once, with what changed since the one before it.
///
/// Limits and what is written in full are those of mux-embed 5.9, as measured.
struct BeaconQueue: ~Copyable {
    /// Events of one beacon, at most.
    static let eventsPerBeacon = 300
    /// Bytes of one beacon's body, at most, unless a single event is larger.
    static let bytesPerBeacon = 500 * 1024
    /// Events that may wait; with more of them the queue is closed.
    static let longest = 3600
    /// After so much silence an event is written in full, ms.
    static let fullAfter: Int64 = 600_000
    /// How long a beacon is worth sending, s: after an hour of silence the view is over.
    static let maximumAgeSeconds: Int64 = 3600

    private struct Entry {
        var start: Int
        var end: Int
        var givesWay: Bool
        var fields: FieldSet
        var record: UInt64
    }

    private let host: TrackerHost
    private let text = ByteBuffer(capacity: 16 * 1024)
    private var entries: [Entry] = []
    /// What the collector knows from earlier events.
    private var sent = FieldValues()
    private var isFirst = true
    private var lastTime: Int64 = 0
    private let shortNames = KeyShortening.shortNames
    private let destination: String
    private let url: String
    private let wantsCompression: Bool

    init(_ configuration: MuxConfiguration, host: TrackerHost) {
        self.host = host
        destination = "mux.\(configuration.environmentKey)"
        url = CollectorAddress.url(environmentKey: configuration.environmentKey, domain: configuration.beaconDomain)
        wantsCompression = configuration.wantsCompression
    }

    var isFull: Bool { entries.count >= Self.longest }

    /// Writes an event behind the others.
    ///
    /// In full: the first one, the one after a view's end, `viewstart`, `viewend`, and one after ten minutes of
    /// silence.
    mutating func append(_ event: MuxEvent, _ fields: inout FieldValues, record: UInt64, at viewerTime: Int64) {
        let isFull = isFirst || event == .viewstart || event == .viewend || viewerTime - lastTime >= Self.fullAfter
        isFirst = event == .viewend
        lastTime = viewerTime
        let repeated = Self.always.union(event.repeatedFields)
        let candidates = (isFull ? fields.present : fields.changedForBeacon.union(repeated)).subtracting(Self.never)
        fields.changedForBeacon = []
        if isFull { sent.remove(sent.present) }
        let start = text.count
        var carried = FieldSet()
        var writer = JSONWriter(text)
        writer.beginObject()
        candidates.forEachField { field in
            if !isFull, sent.agrees(with: fields, on: field), !repeated.contains(field) { return }
            let value = fields[field]
            sent.set(field, value)
            guard value != .absent else { return }
            carried.insert(field)
            writer.key(shortNames[Int(field.rawValue)])
            value.write(to: &writer)
        }
        writer.endObject()
        entries.append(Entry(start: start, end: text.count, givesWay: event.givesWay, fields: carried, record: record))
    }

    /// Hands over what waits, in as many beacons as it takes.
    mutating func flush(_ fields: inout FieldValues) {
        var first = 0
        while first < entries.count {
            let end = min(first + Self.eventsPerBeacon, entries.count)
            var batch = Array(entries[first..<end])
            if Self.bytes(of: batch) > Self.bytesPerBeacon { dropYielding(&batch, &fields) }
            send(batch)
            first = end
        }
        entries.removeAll(keepingCapacity: true)
        text.removeAll()
    }

    /// Drops events that give way; the next event repeats what they said.
    private mutating func dropYielding(_ batch: inout [Entry], _ fields: inout FieldValues) {
        for entry in batch where entry.givesWay {
            fields.changedForBeacon = fields.changedForBeacon.union(entry.fields)
            sent.remove(entry.fields)
        }
        batch.removeAll { $0.givesWay }
    }

    /// Sends a batch, in several beacons when it is still too large.
    private func send(_ batch: [Entry]) {
        var rest = batch[...]
        while !rest.isEmpty {
            var count = 0
            var bytes = 0
            for entry in rest {
                bytes += entry.end - entry.start + 1
                if count > 0, bytes > Self.bytesPerBeacon { break }
                count += 1
            }
            emit(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    private func emit(_ batch: ArraySlice<Entry>) {
        let beacon = CallBuilders.ofThread.beacon
        beacon.begin(destination: destination)
        beacon.url.append(url)
        beacon.addHeader("Content-Type", "application/json")
        beacon.options = wantsCompression ? [.keepOrder, .gzipWanted] : [.keepOrder]
        beacon.maximumAgeSeconds = Self.maximumAgeSeconds
        var writer = JSONWriter(beacon.body)
        writer.beginObject()
        writer.key("metadata")
        writer.beginObject()
        writer.key("transmission_timestamp")
        beacon.appendPatch(.sendEpochMilliseconds, to: &writer)
        writer.endObject()
        writer.key("events")
        writer.beginArray()
        for entry in batch {
            unsafe text.withBytes { bytes in
                unsafe writer.raw(UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.end]))
            }
            beacon.carry(entry.record)
        }
        writer.endArray()
        writer.endObject()
        host.emit(beacon)
    }

    private static func bytes(of batch: [Entry]) -> Int { batch.reduce(0) { $0 + $1.end - $1.start + 1 } }

    /// What every event of a beacon has.
    private static let always: FieldSet = [
        .envKey, .viewId, .viewSequenceNumber, .playerSequenceNumber, .beaconDomain, .playerPlayheadTime, .viewerTime,
        .muxApiVersion, .event, .videoId, .playerInstanceId, .playerErrorCode, .playerErrorMessage,
        .playerErrorContext, .playerErrorSeverity, .playerErrorBusinessException,
    ]

    /// What stays in records.
    private static let never: FieldSet = [.adRequestId]
}

/// Where beacons go.
package enum CollectorAddress {
    /// The vendor's own domain.
    package static let standardDomain = "litix.io"

    /// The address for an environment key: a host of its own for a key of small letters and digits alone.
    ///
    /// A collection domain of the customer's takes the place of all that.
    package static func url(environmentKey: String, domain: String?) -> String {
        if let domain { return "https://\(domain)" }
        let isPlain = environmentKey.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
        return isPlain ? "https://\(environmentKey).\(standardDomain)" : "https://img.\(standardDomain)"
    }
}
