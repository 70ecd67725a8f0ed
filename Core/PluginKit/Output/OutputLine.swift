internal import EventModel
internal import PluginABI
package import TextEncoding

/// One output as a line of JSON; the keys of a kind of line are always in the same order.
///
/// They are always the same, but for `video_id`, which is left out where no asset is known, and `time`, where the run
/// has no wall clock.
/// The one text form of outputs: reporters that write lines use it, and hosts that show outputs while they pass.
package enum OutputLine {
    private static let optionNames: [(BeaconOptions, StaticString)] = [
        (.gzipWanted, "gzip_wanted"), (.dropIfOffline, "drop_if_offline"), (.noRetry, "no_retry"),
        (.keepOrder, "keep_order"),
    ]

    private static let eventFlagNames: [(UInt32, StaticString)] = [
        (TALLY_EVENT_OUT_OF_ORDER, "out_of_order"), (TALLY_EVENT_SYNTHETIC, "synthetic"),
        (TALLY_EVENT_MOVED, "moved"), (TALLY_EVENT_GAP_BEFORE, "gap_before"),
    ]

    /// Appends the line with its end; on demand, a beacon's body as the JSON that it is.
    package static func append(_ output: OutputView, to buffer: ByteBuffer, jsonBodies: Bool = false) {
        var writer = JSONWriter(buffer)
        writer.beginObject()
        if let record = output.record {
            append(record, output.origin, to: &writer)
        } else if let beacon = output.beacon {
            append(beacon, output.origin, jsonBodies, to: &writer)
        } else if output.kind == .event, let event = output.event {
            append(event, output.origin, to: &writer)
        } else {
            appendNote(output, to: &writer)
        }
        writer.endObject()
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func append(_ record: RecordView, _ origin: OriginView, to writer: inout JSONWriter) {
        begin("record", origin, .ofPlugin, to: &writer)
        writer.key("kind")
        writer.string(record.kind)
        writer.key("attributes")
        writer.object(record.attributes)
    }

    private static func append(
        _ beacon: BeaconView,
        _ origin: OriginView,
        _ jsonBodies: Bool,
        to writer: inout JSONWriter
    ) {
        begin("beacon", origin, .ofPlugin, to: &writer)
        writer.key("destination")
        writer.string(beacon.destination)
        writer.key("method")
        writer.string(beacon.method)
        writer.key("url")
        writer.stringOrTaggedBytes(beacon.url)
        writer.key("headers")
        writer.beginArray()
        for index in 0..<beacon.headerCount {
            let header = beacon.header(index)
            writer.beginArray()
            writer.string(header.name)
            writer.string(header.value)
            writer.endArray()
        }
        writer.endArray()
        writer.key("body")
        if jsonBodies, let body = JSONBody(beacon) {
            body.append(to: &writer)
        } else {
            writer.stringOrTaggedBytes(beacon.body)
        }
        writer.key("credential")
        if beacon.credential.count > 0 { writer.string(beacon.credential) } else { writer.null() }
        appendPatches(beacon, to: &writer)
        writer.key("records")
        writer.beginArray()
        for ordinal in beacon.records { writer.unsigned(ordinal) }
        writer.endArray()
        appendOptions(beacon, to: &writer)
    }

    private static func appendPatches(_ beacon: BeaconView, to writer: inout JSONWriter) {
        writer.key("patches")
        writer.beginArray()
        for place in beacon.patches {
            writer.beginObject()
            writer.key("part")
            writer.string(place.part == .url ? "url" as StaticString : "body")
            writer.key("kind")
            switch place.patch {
            case .sendEpochMilliseconds: writer.string("send_epoch_ms" as StaticString)
            case .sendEpochSeconds: writer.string("send_epoch_s" as StaticString)
            case .attempt: writer.string("attempt" as StaticString)
            }
            writer.key("offset")
            writer.int(Int64(place.offset))
            writer.key("width")
            writer.int(Int64(place.patch.width))
            writer.endObject()
        }
        writer.endArray()
    }

    private static func appendOptions(_ beacon: BeaconView, to writer: inout JSONWriter) {
        writer.key("options")
        writer.beginArray()
        for (option, name) in optionNames where beacon.options.contains(option) {
            writer.string(name)
        }
        writer.endArray()
        writer.key("max_age_s")
        writer.int(beacon.maximumAgeSeconds)
    }

    private static func append(_ event: EventView, _ origin: OriginView, to writer: inout JSONWriter) {
        begin("event", origin, .ofPlayer, to: &writer)
        writer.key("type")
        writer.string(event.typeName)
        writer.key("flags")
        writer.beginArray()
        for (flag, name) in eventFlagNames where event.flags & flag != 0 {
            writer.string(name)
        }
        writer.endArray()
        writer.key("state")
        StateObject.append(event.state, to: &writer)
        writer.key("attributes")
        writer.object(event.attributes)
    }

    /// Begins and ends of runs and sessions, and gaps.
    private static func appendNote(_ output: OutputView, to writer: inout JSONWriter) {
        let origin = output.origin
        switch output.kind {
        case .sessionBegin: begin("session_begin", origin, to: &writer)
        case .sessionEnd: begin("session_end", origin, to: &writer)
        case .runBegin:
            begin("run_begin", origin, to: &writer)
            writer.key("epoch_us")
            writer.int(origin.epochMicroseconds)
        case .runEnd: begin("run_end", origin, to: &writer)
        case .gap:
            begin("gap", origin, origin.instance.count > 0 ? .ofLoss : .none, to: &writer)
            writer.key("lost")
            writer.unsigned(output.lostCount)
        default: begin("unknown", origin, to: &writer)
        }
    }

    /// Whether an output has a number, and whose numbers these are.
    private enum Numbering {
        case ofPlugin
        case ofPlayer
        /// It has none, and comes from a plugin.
        case ofLoss
        case none
    }

    private static func begin(
        _ line: StaticString,
        _ origin: OriginView,
        _ numbering: Numbering = .none,
        to writer: inout JSONWriter
    ) {
        writer.key("line")
        writer.string(line)
        writer.key("run")
        writer.string(origin.playerRunID)
        writer.key("session")
        writer.int(Int64(origin.session))
        let video = origin.videoID
        if video.count > 0 {
            writer.key("video_id")
            writer.string(video)
        }
        if numbering == .ofPlugin || numbering == .ofLoss {
            writer.key("instance")
            writer.string(origin.instance)
            writer.key("plugin")
            writer.string(origin.plugin)
        }
        if numbering == .ofPlugin || numbering == .ofPlayer {
            writer.key("n")
            writer.unsigned(origin.ordinal)
        }
        writer.key("t_us")
        writer.int(origin.time)
        if origin.epochMicroseconds != 0 {
            // Written by hand, as each line has it.
            writer.key("time")
            writer.raw("")
            writer.buffer.append(UInt8(ascii: "\""))
            CivilDate(microsecondsSinceEpoch: origin.wallClockMicroseconds).appendISO8601(to: writer.buffer)
            writer.buffer.append(UInt8(ascii: "\""))
        }
    }
}
