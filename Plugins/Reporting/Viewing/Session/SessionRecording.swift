internal import EventModel
internal import Metrics
internal import PluginKit
internal import TextEncoding

/// What the page of one session shows, while the session goes on.
final class SessionRecording {
    /// How large the text of a session's events may become, in bytes; that of its trackers may be half of that.
    private let limit: Int
    /// What the recordings of all sessions that go on hold.
    private let held: HeldBytes
    private var counted = 0
    private let number: UInt32
    private let begin: Int64
    @safe @exclusivity(unchecked) private var samples: PlaybackSamples
    private let items = ByteBuffer(capacity: 4096)
    @safe @exclusivity(unchecked) private var writer: JSONWriter
    private var trackers: [(instance: String, plugin: String, version: String)] = []
    private var leftOut: Int64 = 0
    private var hasEvent = false
    /// From when on something is left out of what the player says, and of what trackers say, since the load, us.
    private var eventsEnd: Int64?
    private var outputsEnd: Int64?

    init(number: UInt32, begin: Int64, limit: Int, samples: Int, held: HeldBytes) {
        self.number = number
        self.begin = begin
        self.limit = limit
        self.held = held
        self.samples = PlaybackSamples(limit: samples)
        writer = JSONWriter(items)
        writer.beginArray()
    }

    deinit { held.bytes -= counted }

    /// Whether there is room for what belongs to a share of the limit; what there is none for is counted.
    private func hasRoom(_ share: Int) -> Bool {
        if items.count < share, held.bytes < held.limit { return true }
        leftOut += 1
        return false
    }

    private func endItem() {
        writer.endObject()
        held.bytes += items.count - counted
        counted = items.count
    }

    /// Adds an event; without `personal` its personal attributes are left out, and `hiding` are values that the others
    /// may not have.
    func add(_ event: EventView, personal: Bool, hiding: PersonalTexts) {
        samples.add(event, since: begin)
        // Of a session that was under way, the first that is seen says what its player does.
        guard event.type != .playheadSample || !hasEvent else { return }
        hasEvent = true
        guard hasRoom(limit) else {
            eventsEnd = eventsEnd ?? event.time - begin
            return
        }
        beginItem("event", time: event.time)
        writer.key("n")
        writer.unsigned(event.ordinal)
        writer.key("name")
        writer.string(event.typeName)
        writer.key("state")
        StateObject.append(event.state, to: &writer)
        writeAttributes(event.attributes, personal: personal, hiding)
        endItem()
    }

    /// Adds what a tracker said; `hiding` are values that nothing of it may have.
    func add(_ output: OutputView, personal: Bool, hiding: PersonalTexts) {
        let origin = output.origin
        guard hasRoom(limit / 2) else {
            outputsEnd = outputsEnd ?? origin.time - begin
            return
        }
        beginItem(output.kind == .record ? "record" : "beacon", time: origin.time)
        writer.key("n")
        writer.unsigned(origin.ordinal)
        writer.key("tracker")
        writer.int(Int64(place(of: origin)))
        if let record = output.record {
            writer.key("name")
            writer.string(record.kind)
            writeAttributes(record.attributes, personal: personal, hiding)
        } else if let beacon = output.beacon {
            write(beacon, hiding)
        }
        endItem()
    }

    private func beginItem(_ kind: StaticString, time: Int64) {
        writer.beginObject()
        writer.key("kind")
        writer.string(kind)
        writer.key("t_us")
        writer.int(time - begin)
    }

    private func place(of origin: OriginView) -> Int {
        let instance = origin.instance
        if let known = trackers.firstIndex(where: { instance == $0.instance }) { return known }
        trackers.append((instance.string, origin.plugin.string, origin.pluginVersion.string))
        return trackers.count - 1
    }

    private func writeAttributes(_ attributes: AttributeList, personal: Bool, _ hiding: PersonalTexts) {
        writer.key("attributes")
        writer.beginObject()
        for attribute in attributes where personal || !attribute.isPersonal {
            let value = attribute.value
            if case .unknown = value { continue }
            writer.key(attribute.name)
            write(value, hiding)
        }
        writer.endObject()
    }

    private func write(_ value: ValueView, _ hiding: PersonalTexts) {
        switch value {
        case .string(let text): write(text, hiding)
        case .list(let list):
            writer.beginArray()
            for element in list { write(element.value, hiding) }
            writer.endArray()
        default: writer.value(value)
        }
    }

    private func write(_ beacon: BeaconView, _ hiding: PersonalTexts) {
        writer.key("name")
        writer.string(beacon.destination)
        writer.key("method")
        writer.string(beacon.method)
        writer.key("url")
        write(beacon.url, hiding)
        writer.key("headers")
        writer.beginArray()
        for index in 0..<beacon.headerCount {
            let header = beacon.header(index)
            writer.beginArray()
            writer.string(header.name)
            write(header.value, hiding)
            writer.endArray()
        }
        writer.endArray()
        writer.key("body")
        write(beacon.body, hiding)
        writer.key("records")
        writer.beginArray()
        for ordinal in beacon.records { writer.unsigned(ordinal) }
        writer.endArray()
    }

    private func write(_ text: UTF8Text, _ hiding: PersonalTexts) {
        guard let hidden = hiding.hidden(in: text) else { return writer.stringOrTaggedBytes(text) }
        writer.string(String(decoding: hidden, as: UTF8.self))
    }

    /// The page's data, once the session has ended or is looked at.
    func page(_ metrics: SessionMetrics, dimensions: [String], title: String?) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 16_384)
        var page = JSONWriter(buffer)
        page.beginObject()
        page.key("run")
        page.string(metrics.run.description)
        page.key("session")
        page.int(Int64(number))
        page.key("title")
        if let title { page.string(title) } else { page.null() }
        page.key("loaded_ms")
        page.int(metrics.loadedAt / 1000)
        page.key("length_us")
        page.int((metrics.ended ?? metrics.latest) - begin)
        page.key("metrics")
        metrics.write(to: &page, dimensions: dimensions)
        page.key("trackers")
        page.beginArray()
        for tracker in trackers {
            page.beginObject()
            for (key, value) in [
                ("instance", tracker.instance), ("plugin", tracker.plugin), ("version", tracker.version),
            ] {
                page.key(key)
                page.string(value)
            }
            page.endObject()
        }
        page.endArray()
        page.key("samples")
        samples.write(to: &page)
        page.key("left_out")
        page.int(leftOut)
        for (key, time) in [("events_end_us", eventsEnd), ("outputs_end_us", outputsEnd)] {
            page.key(key)
            if let time { page.int(time) } else { page.null() }
        }
        page.key("items")
        let (head, end) = (buffer.count, Array("]}".utf8))
        // Once into memory that is just large enough: these are the most bytes of all.
        return unsafe [UInt8](unsafeUninitializedCapacity: head + items.count + end.count) { bytes, count in
            let target = UnsafeMutableRawBufferPointer(bytes)
            unsafe buffer.withBytes { unsafe target[..<head].copyBytes(from: $0) }
            unsafe items.withBytes { unsafe target[head...].copyBytes(from: $0) }
            unsafe target[(head + items.count)...].copyBytes(from: end)
            count = bytes.count
        }
    }
}

/// Counts the bytes that the recordings of sessions that go on hold together.
final class HeldBytes {
    /// How many it may be.
    let limit: Int
    var bytes = 0

    init(limit: Int) { self.limit = limit }
}
