import PluginABI
import PluginKit

/// Outputs as a host hands them to a reporter.
@safe final class Outputs {
    private let arena = Arena()
    private var items: [UnsafePointer<tally_output>] = unsafe []
    private var blocks: [TestBlock] = []

    var count: Int { unsafe items.count }

    /// The array for `take`.
    var list: UnsafePointer<UnsafePointer<tally_output>> { unsafe UnsafePointer(arena.keep(array: items)) }

    func addNote(_ what: UInt32, at time: Int64 = 0, session: UInt32 = 0) {
        unsafe add(what, nil, time: time, session: session)
    }

    func addGap(_ lost: UInt64, at time: Int64) {
        unsafe add(TALLY_OUTPUT_GAP, UnsafeRawPointer(arena.keep(lost)), time: time, session: 0)
    }

    func addEvent(_ block: TestBlock) {
        blocks.append(block)
        let event = unsafe block.event
        unsafe add(TALLY_OUTPUT_EVENT, event, time: event.pointee.time_us, session: event.pointee.session, ordinal: 7)
    }

    /// A record whose attributes are those of an event block.
    func addRecord(_ kind: String, ordinal: UInt64, at time: Int64, attributes: [(String, PlainValue)]) {
        let block = TestBlock(.custom, attributes: attributes)
        blocks.append(block)
        var record = unsafe tally_record()
        unsafe record.struct_size = unsafe UInt32(MemoryLayout<tally_record>.size)
        unsafe record.kind = unsafe arena.text(kind)
        let event = unsafe block.event.pointee
        unsafe record.heap = unsafe UnsafeRawPointer(block.event)
        unsafe record.heap_len = UInt64(event.size)
        unsafe record.attrs = unsafe (UnsafeRawPointer(block.event) + Int(event.attr_off)).assumingMemoryBound(
            to: tally_attr.self
        )
        unsafe record.attr_count = UInt64(event.attr_count)
        unsafe add(
            TALLY_OUTPUT_RECORD,
            UnsafeRawPointer(arena.keep(record)),
            time: time,
            session: 1,
            instance: "nr",
            ordinal: ordinal
        )
    }

    func addBeacon(body: [UInt8], ordinal: UInt64, at time: Int64) {
        var beacon = unsafe tally_beacon()
        unsafe beacon.struct_size = unsafe UInt32(MemoryLayout<tally_beacon>.size)
        unsafe beacon.flags = TALLY_BEACON_GZIP_WANTED | TALLY_BEACON_NO_RETRY
        unsafe beacon.destination = unsafe arena.text("vendor.events")
        unsafe beacon.method = unsafe arena.text("POST")
        unsafe beacon.url = unsafe arena.text("https://example.com/v1")
        unsafe beacon.body = unsafe tally_str(
            ptr: arena.keep(bytes: body).assumingMemoryBound(to: CChar.self),
            len: body.count
        )
        unsafe beacon.headers = unsafe UnsafePointer(
            arena.keep(array: [tally_header(name: arena.text("Content-Type"), value: arena.text("text/plain"))])
        )
        unsafe beacon.header_count = 1
        unsafe beacon.credential = unsafe arena.text("vendor.key")
        unsafe beacon.patches = unsafe UnsafePointer(
            arena.keep(array: [tally_patch(part: TALLY_PART_BODY, kind: TALLY_PATCH_ATTEMPT, off: 4, width: 2)])
        )
        unsafe beacon.patch_count = 1
        unsafe beacon.records = unsafe UnsafePointer(arena.keep(array: [UInt64(1), 2]))
        unsafe beacon.record_count = 2
        unsafe add(
            TALLY_OUTPUT_BEACON,
            UnsafeRawPointer(arena.keep(beacon)),
            time: time,
            session: 1,
            instance: "nr",
            ordinal: ordinal
        )
    }

    private func add(
        _ what: UInt32,
        _ item: UnsafeRawPointer?,
        time: Int64,
        session: UInt32,
        instance: String = "",
        ordinal: UInt64 = 0
    ) {
        var origin = unsafe tally_origin()
        unsafe origin.struct_size = unsafe UInt32(MemoryLayout<tally_origin>.size)
        unsafe origin.session = session
        unsafe origin.player_run_id = unsafe arena.text("run-1")
        unsafe origin.plugin_id = unsafe arena.text(instance.isEmpty ? "" : "com.newrelic.video")
        unsafe origin.instance = unsafe arena.text(instance)
        unsafe origin.ordinal = ordinal
        unsafe origin.time_us = time
        unsafe origin.epoch_us = 1_700_000_000_000_000
        unsafe items.append(
            UnsafePointer(
                arena.keep(
                    tally_output(
                        struct_size: UInt32(MemoryLayout<tally_output>.size),
                        what: what,
                        origin: UnsafePointer(arena.keep(origin)),
                        item: item
                    )
                )
            )
        )
    }
}
